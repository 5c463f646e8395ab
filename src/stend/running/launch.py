"""Starts one worker process, waits for its outcome, and turns every way to fail into a record."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import IO

import msgspec

from stend.processes.child import remove_left_behind, signal_name
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
        worker = _start(question, write, stderr)
        try:
            text = _read_all(answer, worker.pid, time.monotonic() + limit)
            worker.wait(timeout=5 if text is not None else 0)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(worker)
        return _outcome(worker.returncode, text, limit, _tail(stderr))


def _start(question: IO[bytes], write: int, stderr: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "stend.running.worker", str(write), str(os.getpid())],
            stdin=question,
            stdout=stderr,
            stderr=stderr,
            pass_fds=(write,),
            start_new_session=True,
        )
    finally:
        os.close(write)


def _read_all(answer: IO[bytes], worker: int, deadline: float) -> bytes | None:
    """Everything until the worker closes its end or ends; None when the deadline passes first.

    A child that it left behind may hold that end open for ever.
    """
    chunks: list[bytes] = []
    os.set_blocking(answer.fileno(), False)
    with selectors.DefaultSelector() as selector, _end_of(worker) as end:
        selector.register(answer, selectors.EVENT_READ)
        if end is not None:
            selector.register(end, selectors.EVENT_READ)
        while ready := selector.select(max(0.0, deadline - time.monotonic())):
            try:
                chunk = os.read(answer.fileno(), 1 << 20)
            except BlockingIOError:
                chunk = None
            if chunk == b"" or (chunk is None and any(key.fileobj == end for key, _ in ready)):
                return b"".join(chunks)
            chunks += [chunk] if chunk else []
    return None


@contextlib.contextmanager
def _end_of(process: int) -> Iterator[int | None]:
    """What can be read when the process ends; None where the kernel has no such thing."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _end(worker: subprocess.Popen[bytes]) -> None:
    """End the worker's whole process group, whatever is left of it.

    A launcher of remote processes among it gets the time to end those first.
    """
    try:
        os.killpg(worker.pid, signal.SIGTERM)
        deadline = time.monotonic() + CLEANING
        while time.monotonic() < deadline:
            worker.poll()
            os.killpg(worker.pid, 0)  # until nobody is left
            time.sleep(0.01)
        os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    worker.wait()
    remove_left_behind(worker.pid)


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


def _tail(stderr: IO[bytes], most: int = 4000) -> str:
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - most))
    return stderr.read().decode(errors="replace")
