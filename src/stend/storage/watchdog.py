"""Starts fio and outlives whoever asked for it: no worker of fio is left, however stend ends.

In come fio's command line and a pipe as standard input; out go lines to a second pipe (`fio PID`,
`ended STATUS`, `killed COUNT`, `left PID…`), which fio and its workers keep open as well: at its
end nobody of them is left. `stop` on the input, or its end, is answered by INT, then TERM, then
KILL. fio's workers are sessions of their own, so that no signal to a group reaches them; but they
become children of this process when fio dies (PR_SET_CHILD_SUBREAPER, prctl(2)).

It is run by its path, without site-packages, and imports little: it may not cost the load
anything. A user's Ctrl-C does not reach it; it sleeps until something happens.
"""

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Children = Callable[[int], list[int]]

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36

Step = tuple[signal.Signals, float]

ASKED: tuple[Step, ...] = ((signal.SIGINT, 10.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))
"""What is sent to stop a load, and for how many seconds an end is waited for: with INT fio lets
end what is under way, which takes a slow disk with a deep queue seconds, and prints its results."""
ALONE: tuple[Step, ...] = ((signal.SIGINT, 2.0), (signal.SIGTERM, 1.0), (signal.SIGKILL, 5.0))
"""The same when stend is gone: within 5 s nobody writes any more."""
_KILLING = 5.0
"""Seconds that a killed worker is waited for: one that waits for its device can't even die."""


def main(machine: str, life: str, *words: str) -> None:
    """Start fio (`words`) and watch it; `machine` is the folder that holds offspring.py."""
    sys.path.insert(0, machine)
    from offspring import children  # type: ignore[import-not-found]

    wakes = _wakened_by_signals()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    Watch(_start(words), int(life), wakes, children).until_the_end()


def prctl(option: int, value: int) -> None:
    """Set something of this process (prctl(2))."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Watch:
    """fio from its start to the end of its last worker."""

    def __init__(self, fio: int, life: int, wakes: int, children: "Children") -> None:
        self._fio = fio
        self._life = life
        self._wakes = wakes
        self._children = children
        self._status: int | None = None
        self._steps: tuple[Step, ...] | None = None
        """Of the ladder, those still to be taken; None: nobody asked fio to stop."""
        self._until: float | None = None
        """When the next thing is due if nothing happens."""
        self._killed: set[int] = set()
        self._tell(f"fio {fio}")

    def until_the_end(self) -> None:
        """Wait for all, stop them when asked, and tell how fio ended and whom it left."""
        inputs = select.poll()
        inputs.register(0, select.POLLIN)
        inputs.register(self._wakes, select.POLLIN)
        while self._reap():
            if self._status is not None:
                self._kill_orphans()
            if self._until is not None and monotonic() >= self._until and not self._go_on():
                break
            for ready, _ in inputs.poll(self._milliseconds()):
                if ready == self._wakes:
                    os.read(ready, 4096)
                elif not self._heed(os.read(ready, 4096)):
                    inputs.unregister(0)
        self._tell_the_end()

    def _reap(self) -> bool:
        """Wait for those that have ended; false: nobody is left."""
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._fio:
                    self._status = os.waitstatus_to_exitcode(ended[1])
                    self._until = monotonic() + _KILLING
                    self._tell(f"ended {self._status}")
        except ChildProcessError:
            return False
        return True

    def _heed(self, asked: bytes) -> bool:
        """Begin to stop fio; false: stend is gone, and nothing more will be asked."""
        if self._status is None and (self._steps is None or not asked):
            self._steps = ASKED if asked else ALONE
            self._go_on()
        return bool(asked)

    def _go_on(self) -> bool:
        """Take the next step of the ladder; false: there is none."""
        if self._status is not None or not self._steps:
            return False
        (number, patience), *rest = self._steps
        self._steps = tuple(rest)
        self._until = monotonic() + patience
        if number == signal.SIGKILL:
            workers = self._children(self._fio)
            self._killed.update(workers)
            self._kill([self._fio, *workers])  # fio first: it would report its workers as lost
        else:
            self._kill([self._fio], number)
        return True

    def _kill_orphans(self) -> None:
        """With fio dead, what it left would go on writing for hours."""
        orphans = [pid for pid in self._children(os.getpid()) if pid not in self._killed]
        if orphans:
            self._kill(orphans)
            self._killed.update(orphans)
            self._tell(f"killed {len(orphans)}")

    def _kill(self, pids: list[int], number: signal.Signals = signal.SIGKILL) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _milliseconds(self) -> float | None:
        return None if self._until is None else max(0.0, self._until - monotonic()) * 1e3 + 1

    def _tell_the_end(self) -> None:
        left = self._children(os.getpid()) + self._children(self._fio)
        if left:
            self._tell("left " + " ".join(map(str, left)))

    def _tell(self, line: str) -> None:
        with suppress(BrokenPipeError):  # stend is gone
            os.write(self._life, f"{line}\n".encode())


def _start(words: tuple[str, ...]) -> int:
    """Start fio in a session of its own, with an empty input; it ends if this process does."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(127)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.execv(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]} can't be started: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _wakened_by_signals() -> int:
    """A pipe that gets a byte whenever a child has ended."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return read


if __name__ == "__main__":
    main(*sys.argv[1:])
