"""Child processes: each is started, read and ended here, and nothing that it started is left.

A child leads a group of its own: a wrapper, which is often a script, ends with what it started,
and the terminal's Ctrl-C is for this program to answer, which ends its children by their ladders.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Self

PR_SET_PDEATHSIG = 1  # linux/prctl.h

Ladder = Sequence[tuple[signal.Signals, float]]
"""Signals that come before SIGKILL, and the seconds that an end is waited for after each."""


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
    from ctypes import CDLL  # which most verbs, though they know this module, never need

    CDLL(None).prctl(PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def tail(file: IO[bytes], most: int) -> str:
    """The end of what a child printed to a file, its last words."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - most))
    return file.read().decode(errors="replace")


class Child(subprocess.Popen[bytes]):
    """A process and the group that it leads; leaving its block ends what is left of them."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] = subprocess.DEVNULL,
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int | IO[bytes] = subprocess.PIPE,
        environment: Mapping[str, str] | None = None,
        folder: Path | str | None = None,
        inherited: Sequence[int] = (),
        answer: int | None = None,
        ladder: Ladder = (),
        dying: float | None = None,
        own_group: bool = True,
    ) -> None:
        """Start it, with an `environment` that is all of it, and by default this process's.

        `inherited` descriptors stay open in it under their numbers; so does `answer`, the writing
        end of a pipe, which is closed here. A killed process is waited for as long as it takes, or
        for the seconds of `dying`, as a disk that hangs can hold it. Without a group of its own it
        ends by what ends this process's group, and gets SIGTERM when this process ends.
        """
        self._ladder = ladder
        self._dying = dying
        self._own_group = own_group
        self._over = False
        parent = os.getpid()
        try:
            super().__init__(
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                cwd=folder,
                pass_fds=inherited if answer is None else (*inherited, answer),
                start_new_session=own_group,
                preexec_fn=None if own_group else lambda: die_with_parent(parent, signal.SIGTERM),
            )
        finally:
            if answer is not None:
                os.close(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
        self.end()

    @property
    def input(self) -> IO[bytes]:
        """The pipe to its standard input."""
        assert self.stdin is not None
        return self.stdin

    @property
    def output(self) -> IO[bytes]:
        """The pipe from its standard output."""
        assert self.stdout is not None
        return self.stdout

    def chunks(self, pipe: IO[bytes], seconds: float) -> Iterator[bytes]:
        """What it writes to a pipe, until it closes its end of that or ends.

        A process that it left behind may hold the pipe open for ever.

        Raises:
            subprocess.TimeoutExpired: the time passed, and nothing more was there.
        """
        deadline = time.monotonic() + seconds
        os.set_blocking(pipe.fileno(), False)
        with contextlib.ExitStack() as opened:
            selector = opened.enter_context(selectors.DefaultSelector())
            selector.register(pipe, selectors.EVENT_READ)
            with contextlib.suppress(OSError):  # some kernels can't tell of a process's end
                end = os.pidfd_open(self.pid)
                opened.callback(os.close, end)
                selector.register(end, selectors.EVENT_READ)
            while selector.select(max(0.0, deadline - time.monotonic())):
                try:
                    chunk = os.read(pipe.fileno(), 1 << 20)
                except BlockingIOError:  # it was the end of the process that came
                    return
                if not chunk:
                    return
                yield chunk
        raise subprocess.TimeoutExpired(self.args, seconds)

    def result(self, seconds: float) -> "subprocess.CompletedProcess[str]":
        """How it ended, and what came through its pipes.

        Raises:
            subprocess.TimeoutExpired: it took longer, and was ended.
        """
        with self:
            printed = self.communicate(timeout=seconds)
        out, err = ((part or b"").decode(errors="replace") for part in printed)
        return subprocess.CompletedProcess(self.args, self.returncode, out, err)

    def close(self) -> None:
        """Close this side of its pipes."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):  # it no longer reads what was still to be sent
                if pipe is not None:
                    pipe.close()

    def end(self) -> None:
        """Go down the ladder until nobody of the group is left, then kill, and reap it."""
        if self._over:  # its number may be another process's by now
            return
        try:
            for number, seconds in self._ladder:
                self._send(number)
                self._wait_for_all(seconds)
        finally:  # also if Ctrl-C comes meanwhile
            self._send(signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait(self._dying)
            self._over = True

    def _send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if not self._own_group:
                self.send_signal(number)
            elif self._lives():
                os.killpg(self.pid, number)

    def _wait_for_all(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._lives() and time.monotonic() < deadline:
            time.sleep(0.01)

    def _lives(self) -> bool:
        """Whether it runs, or another of its group; who belongs to another user doesn't count."""
        if self.poll() is None or not self._own_group:
            return self.returncode is None
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True


MOST = 1 << 16
"""Bytes that `ask` reads."""
PATIENCE = 10.0
"""Seconds that it waits."""


def ask(command: Sequence[str], patience: float = PATIENCE) -> str:
    """What a program prints on both outputs in time; nothing when it can't be started."""
    printed = b""
    with (
        contextlib.suppress(OSError, subprocess.TimeoutExpired),
        Child(command, stderr=subprocess.STDOUT) as child,
    ):
        for chunk in child.chunks(child.output, patience):
            printed += chunk
            if len(printed) >= MOST:
                break
    return printed[:MOST].decode(errors="replace")
