"""How busy the server's own machine is: two looks at its counters, however often one asks."""

import threading
import time

import msgspec

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
