"""Programs that tests need and a machine may lack."""

import shutil

import pytest

skipping = True
"""Whether a missing program is a skip; in CI's second gate, where all are installed, it is not."""


def needs(program: str, package: str) -> str:
    """Give the path of a program, or skip the test and say which package has it."""
    found = shutil.which(program)
    if found is None:
        missing(f"{program} is not installed: apt-get install {package}")
    return found


def missing(reason: str) -> None:
    """Skip the test, or fail it where everything should be installed."""
    if not skipping:
        pytest.fail(f"Everything should be installed here, but {reason}")
    pytest.skip(reason)
