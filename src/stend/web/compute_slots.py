"""Long computations take slots, so that short requests are answered; dear results are kept."""

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import msgspec
from starlette.exceptions import HTTPException

from stend.machine import CpuTime, Tree, cpu_time
from stend.machine.tree import Unreadable


class Load(msgspec.Struct, frozen=True):
    """Of all CPUs together, over the last seconds."""

    busy: float
    """Share of their time, whoever took it."""
    steal: float
    """Share that the hypervisor gave to other guests."""


class CpuLoad:
    """One machine's counters."""

    SOONEST = 1.0
    """Seconds between two looks: several people watching cost no more than one."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._last: tuple[float, CpuTime] | None = None
        self._load: Load | None = None

    def now(self) -> Load | None:
        """Since the look before; None at first, and where nothing can be read."""
        with self._turn:
            now = time.monotonic()
            if self._last is None or now - self._last[0] >= self.SOONEST:
                self._look(now)
            return self._load

    def _look(self, now: float) -> None:
        try:
            times = cpu_time(Tree())
        except (Unreadable, OSError):
            self._last = self._load = None
            return
        if self._last is not None:
            spent = times.since(self._last[1])
            total = spent.total or 1.0
            busy = (spent.total - spent.idle - spent.steal) / total
            self._load = Load(busy=max(0.0, min(1.0, busy)), steal=max(0.0, spent.steal / total))
        self._last = (now, times)


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
    said = "The server is busy with other computations; try again in a few seconds."
    return HTTPException(503, said, headers={"retry-after": "5"})


MOST_BYTES = 64 << 20


class Kept:
    """Encoded results, at most so many bytes of them. Threads can use it at once."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._held = most, 0
        self._results: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: Hashable, make: Callable[[], bytes]) -> bytes:
        """What was made of it; two who ask for a new one at once both make it."""
        with self._lock:
            if of in self._results:
                self._results.move_to_end(of)
                return self._results[of]
        made = make()
        with self._lock:
            self._held += len(made) - len(self._results.pop(of, b""))
            self._results[of] = made
            while self._held > self._most:
                self._held -= len(self._results.popitem(last=False)[1])
        return made
