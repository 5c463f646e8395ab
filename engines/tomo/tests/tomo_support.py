"""How long a test waits, programs that it needs, and one whose standard error is a terminal."""

import contextlib
import os
import pty
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

PATIENCE = 240.0
"""Seconds that only a hang takes, even on a busy machine."""


def needs(program: str, package: str) -> str:
    """Give the path of a program, or skip the test and say which package has it."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: sudo apt-get install {package}")
    return found


def on_terminal(command: Sequence[str], columns: int, **given: Any) -> tuple[int, bytes, str]:
    """Run a program; give its exit code, its standard output, and what the terminal got."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        env=os.environ | {"TERM": "xterm", "COLUMNS": str(columns)},
        **given,
    )
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # nobody writes any more
        while piece := os.read(leader, 1 << 16):
            shown += piece
    os.close(leader)
    printed, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, printed, shown.decode()
