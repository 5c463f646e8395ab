"""How processes end: a worker with the run that started it, and what a signal is called."""

import contextlib
import ctypes
import os
import signal
import sys
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
