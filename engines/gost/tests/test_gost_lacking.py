"""What is lacking is refused by name: a variant, whoever switched it off, or the compiled part."""

import os
import subprocess
import sys
from pathlib import Path

import stend_gost

TRIED = """
from stend_gost import Kuznyechik, Magma, errors
for cipher in (Kuznyechik, Magma):
    lacking = [v for v in cipher.variants() if not v.available]
    assert all(not v.name.startswith("avx") or not v.available for v in cipher.variants())
    for variant in lacking:
        try:
            cipher(bytes(32), variant=variant.name)
        except ValueError as refused:
            assert variant.name in str(refused)
        else:
            raise AssertionError(variant.name)
    assert not cipher(bytes(32)).variant.startswith("avx")
print("refused")
"""


def test_what_is_switched_off_is_no_default_and_refused_by_name():
    done = subprocess.run(
        [sys.executable, "-c", TRIED],
        env=os.environ | {"STEND_DISABLE_ISA": "avx"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("refused\n", "")


UNBUILT = """
import sys
sys.modules["stend_gost._gost"] = None
from stend_gost.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_ciphers_that_are_not_built_are_one_sentence(tmp_path):
    (tmp_path / "key").write_bytes(bytes(32))
    words = ["mac", "--key-file", str(tmp_path / "key"), str(tmp_path / "key")]
    done = subprocess.run(
        [sys.executable, "-c", UNBUILT, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 6
    folder = Path(stend_gost.__file__).parent
    assert done.stderr.startswith(
        f"stend-gost: The compiled ciphers can't be loaded from {folder} ("
    )
    assert "reinstall stend-gost for this Python and machine" in done.stderr
    assert done.stderr.count("\n") == 1
