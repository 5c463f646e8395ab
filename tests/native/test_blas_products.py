"""A BLAS that is loaded by name multiplies as its wrappers promise."""

import subprocess
from pathlib import Path

from native.scripts import MISSING
from needed import missing

PROGRAM = Path(__file__).parents[2] / "build/native/native/tests/test_blas"


def test_products_by_a_library_of_the_system_are_exact() -> None:
    if not PROGRAM.exists():
        missing("test_blas is not built: run `make test`")
    done = subprocess.run([PROGRAM], capture_output=True, text=True, check=False)
    if done.returncode == MISSING:
        missing(done.stdout.strip().removeprefix("skipped: "))
    assert done.returncode == 0, done.stdout + done.stderr
