"""What computes for long takes turns, so that what does not is answered meanwhile."""

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException

PATIENCE = 50.0
"""Seconds that one waits for its turn: nginx and most proxies give up after 60."""
MOST, WAITING = 16, 128
"""That have turns and that wait at once: what fifty seconds are enough for, at 0.4 s of a core
for a comparison."""
THREADS = 40 + MOST + WAITING
"""That answer: each who has a turn or waits for one holds a thread, and forty are for others."""


class Turns:
    """As many at once as there are cores, but no more than `MOST`; who came first goes first."""

    def __init__(self, at_once: int | None = None, waiting: int = WAITING) -> None:
        self._free = at_once or min(MOST, max(2, len(os.sched_getaffinity(0))))
        self._most = waiting
        self._lock = threading.Lock()
        self._queue: deque[threading.Event] = deque()
        self._closed = False

    @contextmanager
    def taken(self, patience: float = PATIENCE) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises:
            HTTPException: too many are waiting already, or it took too long (503).
        """
        self._wait(patience)
        try:
            yield
        finally:
            with self._lock:
                self._pass_on()

    def close(self) -> None:
        """Send those who wait away: the server ends."""
        with self._lock:
            self._closed = True
            while self._queue:
                self._queue.popleft().set()

    def _wait(self, patience: float) -> None:
        with self._lock:
            if self._free and not self._queue:
                self._free -= 1
                return
            if self._closed or len(self._queue) >= self._most:
                raise _busy()
            mine = threading.Event()
            self._queue.append(mine)
        mine.wait(patience)
        with self._lock:
            if self._closed:
                raise _busy()
            if not mine.is_set():
                self._queue.remove(mine)
                raise _busy()

    def _pass_on(self) -> None:
        """Give the turn to who has waited longest."""
        if self._queue:
            self._queue.popleft().set()
        else:
            self._free += 1


def _busy() -> HTTPException:
    said = "The server is busy with what others asked it to compute; ask again in a few seconds."
    return HTTPException(503, said, headers={"retry-after": "5"})
