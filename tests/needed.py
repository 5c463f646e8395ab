"""Programs that tests need and a machine may lack."""

import shutil
from typing import NoReturn

import pytest

INSTALL = "sudo apt-get install"
skipping = True
"""Whether a missing program skips the test; in CI's second gate it fails it."""


def needs(program: str, package: str) -> str:
    """Give the path of a program, or skip the test and say which package has it."""
    found = shutil.which(program)
    if found is None:
        missing(f"{program} is not installed: {INSTALL} {package}")
    return found


def missing(reason: str) -> NoReturn:
    """Skip the test, or fail it where everything should be installed."""
    if not skipping:
        pytest.fail(f"With CI=true no program may be missing: {reason}")
    pytest.skip(reason)
