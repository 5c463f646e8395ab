"""Child processes: tied to their parent's life, read with limits; names of signals."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def signal_name(number: int) -> str:
    """SIGKILL for 9; real-time signals have numbers only."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def die_with_parent(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Ask for a signal when `parent` ends; leave at once if it already has (prctl(2))."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def remove_left_behind(process: int) -> None:
    """Remove what a killed process had no time to.

    Intel's OpenMP, which MKL brings, keeps a file in shared memory from its first parallel region
    to its orderly end (openmp/runtime/src/kmp_runtime.cpp, __kmp_register_library_startup).
    """
    for left in Path("/dev/shm").glob(f"__KMP_REGISTERED_LIB_{process}_*"):
        with contextlib.suppress(OSError):
            left.unlink()


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
