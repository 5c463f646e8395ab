"""Any program as something to be measured: wall, user and system time, peak memory.

A small launcher of ours starts it (native/command), because Linux counts the memory of the
process that launches into the peak of what it launches.
"""

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import IO

from stend.death import signal_name
from stend.errors import MeasuringError, SetupError


@dataclass(frozen=True, slots=True)
class Once:
    """What one execution of a program took."""

    start_ns: int
    """CLOCK_MONOTONIC."""
    wall_ns: int
    user: float
    """Seconds of processor time in the program."""
    system: float
    """Seconds of processor time in the kernel on its behalf."""
    peak_bytes: int
    """Largest resident set of any one process that it waited for."""
    core: int
    switches: int
    """Times that the scheduler took the processor away."""


def execute(command: Sequence[str]) -> Once:
    """Run the program once, its output thrown away.

    Raises:
        MeasuringError: it can't be started, fails or is killed.
        SetupError: the launcher is not installed.
    """
    launcher = files("stend") / "stend-command"
    read, write = os.pipe()
    with tempfile.TemporaryFile() as stderr, os.fdopen(read, "rb") as answer:
        try:
            process = subprocess.Popen(
                [str(launcher), str(write), str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                pass_fds=(write,),
                start_new_session=True,
            )
        except FileNotFoundError:
            raise SetupError(
                f"stend's launcher {launcher} is missing; install stend again."
            ) from None
        finally:
            os.close(write)
        words = _wait(process, answer).split()
        return _once(command, words, stderr)


def _wait(process: subprocess.Popen[bytes], answer: IO[bytes]) -> bytes:
    try:
        return answer.read()
    finally:  # also of what the program left behind, which would disturb the next execution
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _once(command: Sequence[str], words: list[bytes], stderr: IO[bytes]) -> Once:
    if len(words) != 9:
        raise MeasuringError(f"`{shlex.join(command)}` was not measured: its launcher was killed.")
    start, wall, user, system, peak, status, core, switches, errno = map(int, words)
    if errno:
        raise MeasuringError(f"`{command[0]}` can't be started: {os.strerror(errno)}.")
    if status:
        raise MeasuringError(f"`{shlex.join(command)}` {_failure(status)}{_last_line(stderr)}.")
    return Once(start, wall, user / 1e6, system / 1e6, peak, core, switches)


def _failure(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"was ended by {signal_name(os.WTERMSIG(status))}"
    return f"left with code {os.WEXITSTATUS(status)}"


def _last_line(stderr: IO[bytes]) -> str:
    stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - 1000))
    lines = stderr.read().decode(errors="replace").strip().splitlines()
    return f": {lines[-1]}" if lines else " and said nothing"
