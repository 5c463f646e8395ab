"""A variant that the machine lacks is refused by name, whoever switched it off."""

import os
import subprocess
import sys

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
