"""Starts one worker process, waits for its outcome, and turns every way to fail into a record."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

from stend.processes.child import Child, signal_name, tail
from stend.record import Status, from_json, to_json
from stend.running.task import Outcome, Task

Launch = Callable[[Task], Outcome]

PATIENCE = 60.0
"""Seconds beyond its measuring time that a worker may take to start, prepare and prove."""

CLEANING = 5.0
"""Seconds that what a worker left behind may take to end, once it is asked to."""

SLOWEST_MEMORY = 1e9
"""Bytes a second at which preparing and proving may go through all memory."""


def launch(task: Task, patience: float | None = None) -> Outcome:
    """Measure `task` in a fresh process; never raises for what the process does.

    It may take `patience` seconds beside four times its measuring time and four slow executions;
    by default a minute and a second for each GB of this machine's memory. Ctrl-C ends the
    worker and is passed on.
    """
    if patience is None:
        patience = (
            PATIENCE + os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") / SLOWEST_MEMORY
        )
    limit = patience + 4 * (task.rule.seconds + task.work_seconds)
    read, write = os.pipe()
    with (
        os.fdopen(os.memfd_create("task"), "w+b") as question,
        tempfile.TemporaryFile() as stderr,
        os.fdopen(read, "rb") as answer,
    ):
        question.write(to_json(task))
        question.seek(0)
        text = None
        worker = _start(question, write, stderr)
        try:
            text = b"".join(worker.chunks(answer, limit))
            worker.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
        finally:
            worker.end()
            _remove_left_behind(worker.pid)
        return _outcome(worker.returncode, text, limit, tail(stderr, 4000))


def _start(question: IO[bytes], write: int, stderr: IO[bytes]) -> Child:
    """A launcher of remote processes in its group gets the time to end those first."""
    return Child(
        [sys.executable, "-m", "stend.running.worker", str(write), str(os.getpid())],
        stdin=question,
        stdout=stderr,
        stderr=stderr,
        answer=write,
        ladder=((signal.SIGTERM, CLEANING),),
    )


def _remove_left_behind(worker: int) -> None:
    """Remove what a killed worker had no time to.

    Intel's OpenMP, which MKL brings, keeps a file in shared memory from its first parallel region
    to its orderly end (openmp/runtime/src/kmp_runtime.cpp, __kmp_register_library_startup).
    """
    for left in Path("/dev/shm").glob(f"__KMP_REGISTERED_LIB_{worker}_*"):
        with contextlib.suppress(OSError):
            left.unlink()


def _outcome(code: int, text: bytes | None, limit: float, stderr: str) -> Outcome:
    detail = {"stderr": stderr} if stderr else {}
    if text is None:
        reason = (
            f"It had not finished after {limit:.0f} s and was stopped; make the work smaller "
            "with --set."
        )
        return Outcome(status=Status.TIMED_OUT, reason=reason, detail=detail)
    if not text:
        return Outcome(status=Status.CRASHED, reason=_death(code, stderr), detail=detail)
    try:
        return from_json(text, Outcome)
    except msgspec.MsgspecError as error:
        reason = f"The worker's answer can't be read: {error}."
        return Outcome(status=Status.CRASHED, reason=reason, detail=detail)


def _death(code: int, stderr: str) -> str:
    if code < 0:
        name = signal_name(-code)
        hint = " (out of memory?)" if name == "SIGKILL" else ""
        return f"The worker process was ended by {name}{hint}."
    last = stderr.strip().splitlines()[-1:] or ["it printed nothing"]
    return f"The worker process exited with code {code}: {last[0]}."
