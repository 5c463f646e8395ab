"""Programs that tests need and a machine may lack."""

import shutil

import pytest

may_lack = True
"""Whether this machine may lack a program; in CI's second gate everything is installed."""


def needs(program: str, package: str) -> str:
    """Give the path of a program, or skip the test and say which package has it."""
    found = shutil.which(program)
    if found is None:
        missing(f"{program} is not installed: apt-get install {package}")
    return found


def missing(reason: str) -> None:
    """Skip the test, or fail it where nothing may lack."""
    if not may_lack:
        pytest.fail(f"Nothing may lack here, but {reason}")
    pytest.skip(reason)
