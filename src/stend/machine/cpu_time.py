"""CPU time of the machine (the first line of /proc/stat) and of this process with its children."""

import os
import time
from typing import NamedTuple

from stend.machine.processes import TICK, process
from stend.machine.tree import Tree, Unreadable, known

MOST = 4096
"""Bytes of one reading; the beginning is enough for everything that is watched."""


class Gauge:
    """A file of /proc or /sys kept open; a file that can't be opened reads as nothing."""

    def __init__(self, tree: Tree, path: str) -> None:
        try:
            self._descriptor = os.open(tree.path(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            self._descriptor = -1

    @property
    def there(self) -> bool:
        """Whether there is something to read."""
        return self._descriptor >= 0

    def text(self) -> str:
        """The beginning of the file as it is now; "" when it can't be read."""
        if not self.there:
            return ""
        try:
            return os.pread(self._descriptor, MOST, 0).decode(errors="replace")
        except OSError:  # a CPU was switched off, or a process has ended
            return ""

    def number(self) -> float | None:
        """The whole number in the file, if it is one."""
        text = self.text().strip()
        return float(text) if text.isdecimal() and len(text) < 19 else None

    def close(self) -> None:
        """Close the file; it reads as nothing from now on."""
        if self.there:
            os.close(self._descriptor)
            self._descriptor = -1


class CpuTime(NamedTuple):
    """Seconds since boot, over all CPUs (proc(5), /proc/stat)."""

    total: float
    idle: float
    """With nothing to run, or only waiting for a disk."""
    steal: float
    """Taken by the hypervisor for other guests."""
    interrupts: float = 0.0
    """In interrupts, hard and soft."""

    def since(self, earlier: "CpuTime") -> "CpuTime":
        """What was added since an earlier look."""
        return CpuTime(*(now - then for now, then in zip(self, earlier, strict=True)))


def parsed(text: str) -> CpuTime | None:
    """The times of a `cpu  user nice system idle iowait irq softirq steal …` line."""
    words = text.split()
    try:
        ticks = [int(word) for word in words[1:9]]
    except ValueError:
        return None
    if words[:1] != ["cpu"] or len(ticks) < 4:
        return None
    ticks += [0] * (8 - len(ticks))  # kernels before 2.6.11 had fewer
    user, nice, system, idle, iowait, irq, softirq, steal = ticks
    try:
        return CpuTime(
            total=(user + nice + system + idle + iowait + irq + softirq + steal) * TICK,
            idle=(idle + iowait) * TICK,
            steal=steal * TICK,
            interrupts=(irq + softirq) * TICK,
        )
    except OverflowError:
        return None


def cpu_time(tree: Tree) -> CpuTime:
    """The times now."""
    found = parsed(tree.line("/proc/stat"))
    if found is None:
        raise Unreadable("/proc/stat does not begin with the CPUs' times")
    return found


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
