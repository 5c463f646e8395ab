"""Is it quiet enough to measure? Two looks at the machine, a tenth of a second apart."""

import os
import re
import time
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from stend.machine import cgroup, frequency, memory, processes, system
from stend.machine.cpu_time import CpuTime, cpu_time
from stend.machine.disturbances import disturbance
from stend.machine.frequency import throttle_count
from stend.machine.processes import Busy, Process
from stend.machine.processor import architecture
from stend.machine.sysfs_topology import online
from stend.machine.topology import smt, usable
from stend.machine.tree import Tree, Unreadable, integer, known
from stend.record import Disturbance

BETWEEN = 0.1
"""Seconds between the looks: ten of the ticks that /proc counts CPU time in."""

BUSY_CORES = 0.25
"""Cores kept busy by others that are worth a word; ticks make less than 0.2 uncertain."""

BUSY_PROCESS = 0.15
"""Share of a core above which a process is named: at least two ticks of ten."""

LOADED = 0.5
"""Load average a hardware thread above which earlier work still weighs."""

STOLEN = 0.005
"""Share of CPU time since boot above which the hypervisor is known to take cores away."""

SCARCE = 0.1
"""Share of memory below which the OS begins to reclaim pages."""

SWAPPED = 0.01
"""Share of memory in the swap that is more than a few forgotten pages."""


class Look:
    """The machine at one instant; what changes quickly is read at once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.at = time.monotonic()
        self.times = known(cpu_time, tree)
        self.swapped = known(_swapped_pages, tree)
        self.processes: dict[int, Process] = known(processes.processes, tree) or {}
        self.throttled = known(throttle_count, tree)
        self.quota_throttled = known(cgroup.quota_throttled, tree)


class Scene:
    """Two looks and what follows from them."""

    def __init__(self, before: Look, after: Look) -> None:
        self.before, self.after = before, after
        self.tree = after.tree
        self.seconds = after.at - before.at

    @cached_property
    def times(self) -> CpuTime | None:
        """CPU time spent between the looks."""
        if self.before.times is None or self.after.times is None:
            return None
        return self.after.times.since(self.before.times)

    @cached_property
    def ran(self) -> list[Busy]:
        """Processes that ran between the looks."""
        return processes.busy(self.before.processes, self.after.processes, self.seconds)

    @cached_property
    def ours(self) -> set[int]:
        """This process and what it started."""
        return processes.own_tree(self.after.processes, os.getpid()) if self.tree.live else set()

    @cached_property
    def others(self) -> list[Busy]:
        """Processes other than ours that ran between the looks."""
        return [one for one in self.ran if one.process.pid not in self.ours]

    @property
    def others_cores(self) -> float:
        """Cores that are busy with what is not ours, seen and (short-lived, host's) unseen."""
        if self.times is None or self.seconds <= 0:
            return sum(one.cores for one in self.others)
        busy = (self.times.total - self.times.idle - self.times.steal) / self.seconds
        return max(0.0, busy - sum(b.cores for b in self.ran if b.process.pid in self.ours))


class Condition(NamedTuple):
    """One kind of disturbance and what finds it: a sentence, None, or Unreadable."""

    kind: str
    find: Callable[[Scene], str | None]


def conditions_now(
    tree: Tree | None = None, between: Callable[[], None] | None = None
) -> tuple[Disturbance, ...]:
    """Tell what disturbs a measurement now, each with advice; takes about 0.1 s.

    `tree` may be a recorded one; `between` is what happens between the two looks, by
    default nothing for 0.1 s. What can't be read disturbs nobody: see `Machine.unknown`.
    """
    tree = (tree or Tree()).again()
    before = Look(tree)
    (between or (lambda: time.sleep(BETWEEN)))()
    scene = Scene(before, Look(tree.again()))
    said = ((c.kind, known(c.find, scene)) for c in CONDITIONS)
    return tuple(disturbance(kind, sentence) for kind, sentence in said if sentence)


def _load(scene: Scene) -> str | None:
    cpus = len(online(scene.tree))
    average = _load_average(scene.tree)
    now = scene.others_cores
    if now < BUSY_CORES and average < LOADED * cpus:
        return None
    if now < BUSY_CORES:
        return f"The load average of the last minute is {average:.2f} on {cpus} hardware threads."
    return (
        f"Other programs keep {now:.2g} of {cpus} hardware threads busy, "
        f"and the load average of the last minute is {average:.2f}."
    )


def _busy_processes(scene: Scene) -> str | None:
    named = [processes.described(scene.tree, b) for b in scene.others if b.cores >= BUSY_PROCESS]
    if not named:
        return None
    more = f", and {len(named) - 3} more" if len(named) > 3 else ""
    return f"Other processes are busy: {', '.join(named[:3])}{more}."


def _steal(scene: Scene) -> str | None:
    boot, times = scene.after.times, scene.times
    if boot is None or times is None or boot.total <= 0:
        return None
    so_far = boot.steal / boot.total
    now = times.steal / times.total if times.total > 0 else 0.0
    if now <= 0 and so_far < STOLEN:
        return None
    return f"The hypervisor took {now:.0%} of the CPU time just now and {so_far:.1%} since boot."


def _hypervisor(scene: Scene) -> str | None:
    name = system.virtualisation(scene.tree)
    return None if name == "none" else f"This is a virtual machine ({name})."


def _governor(scene: Scene) -> str | None:
    found = frequency.governors(scene.tree)
    slow = [f"{name} on {n}" for name, n in found.items() if name != "performance"]
    return f"The frequency governor is {', '.join(slow)} hardware threads." if slow else None


def _turbo(scene: Scene) -> str | None:
    return "Turbo is on: the frequency is not fixed." if frequency.turbo(scene.tree) else None


def _throttling(scene: Scene) -> str | None:
    count = scene.after.throttled
    if not count:
        return None
    now = count - (scene.before.throttled or 0)
    return f"Heat slowed the processor down {count} times since boot, {now} of them just now."


def _swap(scene: Scene) -> str | None:
    tree = scene.tree
    used = memory.kilobytes(tree, "SwapTotal") - memory.kilobytes(tree, "SwapFree")
    moved = (scene.after.swapped or 0) - (scene.before.swapped or 0)
    if moved <= 0 and used <= SWAPPED * memory.total(tree):
        return None
    return f"Swap holds {_amount(used)}, and {moved} pages moved just now."


def _scarce_memory(scene: Scene) -> str | None:
    left, whole = memory.available(scene.tree), memory.total(scene.tree)
    limit = known(cgroup.memory_limit, scene.tree)
    whole = min(whole, limit) if limit is not None else whole
    if left >= SCARCE * whole:
        return None
    return f"Only {_amount(left)} of {_amount(whole)} of memory is available."


def _quota(scene: Scene) -> str | None:
    limit = cgroup.cpu_limit(scene.tree)
    may_use = len(usable(scene.tree))
    if limit is None or limit >= may_use:
        return None
    stopped = scene.after.quota_throttled or 0
    return (
        f"The container may use {limit:g} cores of the {may_use} it sees, "
        f"and was stopped {stopped} times by its quota."
    )


def _smt(scene: Scene) -> str | None:
    return "Cores run more than one hardware thread (SMT)." if smt(scene.tree) else None


def _huge_pages(scene: Scene) -> str | None:
    mode = memory.transparent(scene.tree)
    if mode == "always":
        return (
            "Transparent huge pages are always on: the page size can change during a measurement."
        )
    if mode == "never":
        return "Transparent huge pages are off: programs that ask for them get small pages."
    return None


def _battery(scene: Scene) -> str | None:
    folder = "/sys/class/power_supply"
    for name in scene.tree.names(folder):
        if known(scene.tree.line, f"{folder}/{name}/status") == "Discharging":
            return f"The machine runs on battery ({name} is discharging)."
    return None


def _clock(scene: Scene) -> str | None:
    source = system.clock_source(scene.tree)
    if architecture(scene.tree) not in ("x86_64", "i686") or source == "tsc":
        return None
    return f"The kernel's clock source is {source}, not tsc."


CONDITIONS = (
    Condition("load", _load),
    Condition("processes", _busy_processes),
    Condition("steal", _steal),
    Condition("hypervisor", _hypervisor),
    Condition("governor", _governor),
    Condition("turbo", _turbo),
    Condition("throttling", _throttling),
    Condition("swap", _swap),
    Condition("memory", _scarce_memory),
    Condition("quota", _quota),
    Condition("smt", _smt),
    Condition("huge pages", _huge_pages),
    Condition("battery", _battery),
    Condition("clock", _clock),
)
"""Everything that is looked for, the gravest first."""


def _load_average(tree: Tree) -> float:
    found = re.match(r"\d{1,9}\.\d{2} ", tree.line("/proc/loadavg"))
    if not found:
        raise Unreadable("/proc/loadavg does not begin with a load average")
    return float(found[0])


def _swapped_pages(tree: Tree) -> int:
    """Pages moved between memory and swap since boot."""
    counters = tree.pairs("/proc/vmstat")
    return sum(integer(counters.get(n, ""), "/proc/vmstat") for n in ("pswpin", "pswpout"))


def _amount(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.0f} MiB"
