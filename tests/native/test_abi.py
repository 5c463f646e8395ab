"""Programs made with the last release of the ciphers run with the library of today."""

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from documents import ROOT
from needed import missing, needs

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="what is kept is of x86-64"),
]
HEADER = "engines/gost/include/stend/gost.h"
SOURCES = ["engines/gost/include", "engines/gost/native", "native/ground", "setup/abi"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    needs("abidiff", "abigail-tools")
    for source in SOURCES:
        target = tmp_path / source
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, target)
    return tmp_path


def compared(tree: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([tree / "setup/abi"], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        missing(done.stdout)
    assert "error:" not in done.stderr
    return done


def edit(tree: Path, before: str, after: str) -> None:
    header = tree / HEADER
    text = header.read_text("utf-8")
    assert before in text
    header.write_text(text.replace(before, after))


def test_the_interface_is_that_of_the_last_release_or_more(tree: Path) -> None:
    done = compared(tree)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_larger_structure_and_a_function_that_is_gone_are_found(tree: Path) -> None:
    edit(tree, "opaque[6144 + 64]", "opaque[6144 + 128]")
    exports = tree / "engines/gost/native/gost/exports.map"
    exports.write_text(exports.read_text().replace("local: *;", "local: stend_gost_crypt; *;"))
    done = compared(tree)
    assert done.returncode != 0
    assert "stend_gost_crypt" in done.stdout
    assert "type size changed" in done.stdout
