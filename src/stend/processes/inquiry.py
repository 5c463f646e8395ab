"""Programs that are run only for what they print: versions, lists, a compiler's complaints."""

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from stend.processes.child import Child

MOST = 1 << 16
"""Bytes that `ask` reads."""
PATIENCE = 10.0
"""Seconds that it waits."""


def ask(command: Sequence[str], patience: float = PATIENCE) -> str:
    """What it prints on both outputs in time; nothing when it can't be started."""
    printed = b""
    with (
        suppress(OSError, subprocess.TimeoutExpired),
        Child(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child,
    ):
        for chunk in child.chunks(child.output, patience):
            printed += chunk
            if len(printed) >= MOST:
                break
    return printed[:MOST].decode(errors="replace")


def run(
    command: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | str | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end.

    Raises:
        OSError: it can't be started.
        subprocess.TimeoutExpired: it took longer, and was ended.
    """
    pipe = subprocess.PIPE
    with Child(command, stdout=pipe, stderr=pipe, environment=environment, folder=folder) as child:
        return result(child, seconds)


def result(child: Child, seconds: float) -> "subprocess.CompletedProcess[str]":
    """How a child ends and what comes through its pipes.

    Raises:
        subprocess.TimeoutExpired: it takes longer.
    """
    out, err = child.communicate(timeout=seconds)
    text, errors = ((part or b"").decode(errors="replace") for part in (out, err))
    return subprocess.CompletedProcess(child.args, child.returncode, text, errors)
