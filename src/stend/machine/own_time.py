"""CPU time of this process and of everything it started, whether it still runs or has ended."""

import time

from stend.machine.gauge import Gauge
from stend.machine.processes import process
from stend.machine.tree import Tree, known


class OwnTime:
    """Follows the trees of processes below `roots`, cheaply enough to be asked ten times a second.

    The end of /proc/loadavg tells the last process number given, so /proc is listed only when
    something was started, and only what is new is asked for its parent: listing it at every
    look took two thirds of the whole watch. A process that was orphaned before it was first
    seen is missed.
    """

    def __init__(self, tree: Tree, *roots: int) -> None:
        self._tree = tree
        self._newest = Gauge(tree, "/proc/loadavg")
        self._seen = ""
        self._ours = {root: self._gauge(root) for root in roots}
        self._strangers: set[int] = set()

    def seconds(self) -> float:
        """CPU time so far, user and system."""
        newest = self._newest.text().rpartition(" ")[2]
        if newest != self._seen or not newest:
            self._follow()
            self._seen = newest
        return sum(_spent(pid, gauge) for pid, gauge in self._ours.items())

    def close(self) -> None:
        """Close every file."""
        for gauge in (self._newest, *self._ours.values()):
            gauge.close()

    def _follow(self) -> None:
        names = known(self._tree.names, "/proc") or []
        pids = {int(name) for name in names if name.isdecimal()}
        self._strangers &= pids
        for pid in self._ours.keys() - pids:
            self._ours.pop(pid).close()
        for pid in sorted(pids - self._ours.keys() - self._strangers):
            self._meet(pid)

    def _meet(self, pid: int) -> None:
        gauge = self._gauge(pid)
        one = process(gauge.text())
        if one and one.parent in self._ours:
            self._ours[pid] = gauge
        else:
            self._strangers.add(pid)
            gauge.close()

    def _gauge(self, pid: int) -> Gauge:
        return Gauge(self._tree, f"/proc/{pid}/stat")


def _spent(pid: int, gauge: Gauge) -> float:
    """Its own time by its CPU clock, to the nanosecond; its ended children's in ticks."""
    try:
        own = time.clock_gettime(_cpu_clock(pid))
    except OSError:  # it has just ended: its parent's account has it now
        return 0.0
    one = process(gauge.text())
    return own + (one.reaped if one else 0.0)


def _cpu_clock(pid: int) -> int:
    """The clock of another process's CPU time.

    This is clock_getcpuclockid(3), which Python lacks: the inverted pid above three bits
    that say "scheduler's account, whole process" (Linux include/linux/posix-timers_types.h,
    CPUCLOCK_SCHED = 2).
    """
    return (~pid << 3) | 2
