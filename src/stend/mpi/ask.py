"""A program that may be anything → what it prints, within a time and a length; nothing stays."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence

MOST = 1 << 16
"""Bytes that are read of it."""
PATIENCE = 10.0
"""Seconds that it may take."""


def ask(command: Sequence[str], patience: float = PATIENCE) -> str:
    """What it prints on both outputs; nothing when it can't be started.

    Whoever it started ends with it: a wrapper is often a script.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError:
        return ""
    late = threading.Timer(patience, _end, (process.pid,))
    late.start()
    try:
        assert process.stdout is not None
        with process.stdout as output:
            return output.read(MOST).decode(errors="replace")
    finally:
        late.cancel()
        _end(process.pid)
        process.wait()


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
