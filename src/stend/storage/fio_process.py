"""The process of fio under its watchdog, and how it ended.

Nobody but the watchdog talks to fio. If the watchdog is killed, fio is told to end by the kernel;
who does not heed that is killed from here.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO, Self

from stend import machine
from stend.machine.offspring import children
from stend.processes.child import Child
from stend.storage import watchdog

_HEEDING = 10.0
"""Seconds that fio has for its own end when the watchdog is dead, before it is killed."""
_HEARING = 30.0
"""Seconds that the watchdog has to stop fio when it is told to: it takes 20, unless it is stopped
itself. Then it is killed."""
_DYING = 5.0
"""Seconds that a killed process is waited for."""


class FioProcess:
    """fio from its start until none of its processes lives; used as a context manager.

    Leaving the block ends fio at once, if it is not over.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        output: IO[bytes],
        errors: IO[bytes],
        inherited: Sequence[int] = (),
    ) -> None:
        """Start fio in a folder; `words` begin with the path of its binary.

        `inherited`: descriptors that stay open in it under their numbers.
        """
        self.code: int | None = None
        """What it left with, or minus the number of the signal that ended it."""
        self.killed = 0
        """Workers that still lived when fio was dead."""
        self.left: tuple[int, ...] = ()
        """Processes that can't even be killed."""
        self.abandoned = False
        """The watchdog was killed; known when the block is left."""
        self._fio: int | None = None
        self._stopped_at: float | None = None
        """When the watchdog was first told to stop fio."""
        self._last_word: float | None = None
        """When those whom the watchdog left are killed."""
        self._text = b""
        self._life, life = os.pipe()
        try:
            self._watchdog = Child(
                [
                    *(sys.executable, "-I", "-S", watchdog.__file__),
                    *(str(Path(machine.__file__).parent), str(life), *words),
                ],
                folder=folder,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=errors,
                inherited=inherited,
                answer=life,
            )
        except BaseException:
            os.close(self._life)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._watchdog.wait(_HEARING)
        self._watchdog.kill()
        self.abandoned = self._watchdog.wait() != 0
        os.close(self._life)

    def lives(self, seconds: float) -> bool:
        """Wait for so long, or until nobody is left, which is told by False."""
        if not select.select([self._life], [], [], seconds)[0]:
            return self._watched()
        received = os.read(self._life, 4096)
        self._hear(received)
        return bool(received)

    def stop(self) -> None:
        """Let fio end and print what it has; who does not is killed after 15 s."""
        self._stopped_at = self._stopped_at or monotonic()
        with contextlib.suppress(BrokenPipeError, ValueError):  # it has just ended, or is to end
            os.write(self._watchdog.input.fileno(), b"stop")

    def end(self) -> None:
        """Let fio end; who does not is killed after 3 s."""
        self._stopped_at = self._stopped_at or monotonic()
        with contextlib.suppress(BrokenPipeError):
            self._watchdog.input.close()

    def _hear(self, received: bytes) -> None:
        *lines, self._text = (self._text + received).split(b"\n")
        for line in lines:
            name, *numbers = line.decode().split()
            if name == "fio":
                self._fio = int(numbers[0])
            elif name == "ended":
                self.code = int(numbers[0])
            elif name == "killed":
                self.killed += int(numbers[0])
            elif name == "left":
                self.left = tuple(map(int, numbers))

    def _watched(self) -> bool:
        """Whether to wait on: nobody can die who waits for a device that does not answer."""
        if self._stopped_at is not None and monotonic() > self._stopped_at + _HEARING:
            self._watchdog.kill()
        ended = self._watchdog.poll()
        if ended is None or ended == 0:
            return not (self.left and ended == 0)
        self._last_word = self._last_word or monotonic() + _HEEDING
        if monotonic() < self._last_word:
            return True
        self._kill()
        return monotonic() < self._last_word + _DYING

    def _kill(self) -> None:
        """Kill fio and its workers; another process that has its id by now is not touched.

        fio first: it would call the run failed of whose workers it saw one killed.
        """
        with contextlib.suppress(ProcessLookupError):
            if self._fio is not None and os.getsid(self._fio) == self._fio:
                for pid in (self._fio, *children(self._fio)):
                    os.kill(pid, signal.SIGKILL)
