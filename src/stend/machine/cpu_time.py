"""How the machine spent its CPU time: the first line of /proc/stat."""

from typing import NamedTuple

from stend.machine.processes import TICK
from stend.machine.tree import Tree, Unreadable


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
