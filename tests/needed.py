"""Programs that tests need and a machine may lack."""

import os
import shutil

import pytest


def needs(program: str, package: str) -> str:
    """Give the path of a program, or skip the test and say which package has it.

    Where CI is set, everything that a test needs is installed, so there a skip is a failure.
    """
    found = shutil.which(program)
    if found is None:
        missing(f"{program} is not installed: apt-get install {package}")
    return found


def missing(reason: str) -> None:
    """Skip the test, or fail it where CI is set."""
    if os.environ.get("CI"):
        pytest.fail(f"CI skips nothing, but {reason}")
    pytest.skip(reason)
