"""What computes for long takes turns, so that what does not is answered meanwhile."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException

PATIENCE = 20.0
"""Seconds that one waits for its turn."""
MOST, WAITING = 16, 12
"""That have turns and that wait at once: each holds one of the forty threads that answer."""


class Turns:
    """As many at once as there are cores, but leaving threads to others; some waiting."""

    def __init__(self, at_once: int | None = None, waiting: int = WAITING) -> None:
        self._at_once = at_once or min(MOST, max(2, len(os.sched_getaffinity(0))))
        self._running = threading.BoundedSemaphore(self._at_once)
        self._here = threading.BoundedSemaphore(self._at_once + waiting)

    @contextmanager
    def taken(self, patience: float = PATIENCE) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises:
            HTTPException: too many are waiting already, or it took too long (503).
        """
        if not self._here.acquire(blocking=False):
            raise _busy()
        try:
            if not self._running.acquire(timeout=patience):
                raise _busy()
            try:
                yield
            finally:
                self._running.release()
        finally:
            self._here.release()


def _busy() -> HTTPException:
    said = "The server is busy with what others asked it to compute; ask again in a few seconds."
    return HTTPException(503, said, headers={"retry-after": "5"})
