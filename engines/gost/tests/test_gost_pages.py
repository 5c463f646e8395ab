"""docs/gost.md and docs/gost-file.md don't lie: examples run, names and numbers are real."""

import os
import re
import subprocess
import sys
from pathlib import Path

import stend_gost as gost
from gost_support import PATIENCE
from stend_gost import errors, file_format
from stend_gost.file import CIPHERS, HEADER_BYTES

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "gost.md").read_text("utf-8")
FORMAT = (DOCS / "gost-file.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_python_examples_run_one_after_another():
    namespace = {}
    for block in blocks("python"):
        exec(compile(block, "docs/gost.md", "exec"), namespace)
    assert "sealed" in namespace


def test_the_shell_examples_run_one_after_another(tmp_path):
    (tmp_path / "stend-gost").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m stend_gost "$@"\n')
    (tmp_path / "stend-gost").chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    done = subprocess.run(
        ["bash", "-ec", "\n".join(blocks("sh"))],
        cwd=here,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "folder/letter.txt" in done.stdout
    assert done.stdout.endswith("letter.txt: OK\ncopy.txt: OK\n")


def test_every_name_and_error_is_on_the_page():
    for name in gost.__all__:
        assert re.search(rf"\b{name}\b", PAGE), name


def test_every_verb_is_on_the_page_and_no_other():
    assert set(re.findall(r"stend-gost ([a-z]+)", PAGE)) == {"encrypt", "decrypt", "mac"}


def test_every_exit_code_of_the_verbs_is_on_the_page():
    kinds = [getattr(errors, name) for name in errors.__all__]
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.M)}
    assert {kind.exit_code for kind in kinds} | {0, 1, 130, 141} == told


def test_the_numbers_of_the_format_are_those_of_the_code():
    assert f"header of {HEADER_BYTES} bytes" in FORMAT
    assert file_format.MAGIC.hex(" ") in FORMAT
    assert f"version {file_format.VERSION}" in FORMAT
    kuznyechik, magma = CIPHERS["kuznyechik"], CIPHERS["magma"]
    assert (kuznyechik.number, magma.number) == (1, 2)
    assert (
        f"c is {file_format.SMALLEST_CHUNK} to {kuznyechik.largest_chunk}, with Magma "
        f"{file_format.SMALLEST_CHUNK} to {magma.largest_chunk}" in FORMAT
    )
    assert f"c = {kuznyechik.usual_chunk} with Kuznyechik, {magma.usual_chunk} with Magma" in FORMAT
    assert kuznyechik.largest_message == 2**62
    assert "2^62 bytes" in FORMAT
    assert magma.largest_message == 64 * 2**30
    assert "64 GiB" in FORMAT
    assert file_format.ACPKM.hex(" ").startswith("80 81")


def test_the_chances_are_summed_rightly():
    """(2b)² / 2^(n+1) for a chunk of b blocks, times the number of chunks."""
    for cipher, n, chunk, whole in (("kuznyechik", 128, -95, -53), ("magma", 64, -35, -16)):
        suite = CIPHERS[cipher]
        b = suite.usual_chunk - (4 if n == 128 else 3)
        one = 2 * (b + 1) - (n + 1)
        chunks = (suite.largest_message.bit_length() - 1) - suite.usual_chunk
        assert (one, one + chunks) == (chunk, whole)
        assert f"2^{b} blocks, 2^−{-one}" in FORMAT
        assert f"2^−{-whole}" in FORMAT
