"""Remote shells for tests: a line of sh in, a program that is called as ssh is out."""

import contextlib
import os
import signal
from pathlib import Path

HERE = 'exec sh -c "$*"'
"""Executes here what is to be executed there."""


def remote_shell(folder: Path, line: str, name: str = "shell") -> Path:
    """A program that drops its first word, the host, and does `line`."""
    program = folder / name
    program.write_text(f"#!/bin/sh\nhost=$1; shift\n{line}\n")
    program.chmod(0o755)
    return program


def pids(folder: Path) -> list[int]:
    """The processes that shells of `folder` noted down as theirs."""
    noted = folder / "pids"
    return [int(word) for word in noted.read_text().split()] if noted.exists() else []


def alive(pid: int) -> bool:
    """Whether the process is there and has not ended (a zombie has)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(*numbers: int) -> None:
    """Kill what is still there."""
    for pid in numbers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
