"""A compiled part that can't be loaded is one sentence: from where, and what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
sys.modules[sys.argv[1]] = None
from stend.__main__ import main
sys.argv[1:] = sys.argv[2:]
main()
"""


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        ("stend._native", "stend", ["list", "stream"]),
        ("stend_gost._gost", "stend-gost", ["gost", "mac", "x", "--key-file", __file__]),
        ("stend_tomo._tomo", "stend-tomo", ["tomo", "phantom", "shepp-logan", "-o", "x.h5"]),
        ("stend_unet._unet", "stend-unet", ["unet", "info", "x.onnx"]),
    ],
)
def test_a_part_that_is_not_there_is_one_sentence(module, name, words, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, module, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    folder = Path(__import__(module.partition(".")[0]).__file__).parent
    assert done.returncode == 6
    assert done.stderr.count("\n") == 1
    assert f"can't be loaded from {folder} (" in done.stderr
    assert f"reinstall {name} for this Python and machine, or run `pip install ." in done.stderr
