"""One look of the watch: everything that is read ten times a second, and nothing else."""

import os
import re
import time
from itertools import chain
from typing import NamedTuple

from stend.machine import cgroup, throttling
from stend.machine.cpu_time import CpuTime, parsed
from stend.machine.gauge import Gauge
from stend.machine.own_time import OwnTime
from stend.machine.sysfs_topology import CPU, online
from stend.machine.topology import usable
from stend.machine.tree import Tree, known

MOST_CPUS = 4
"""CPUs whose frequency and throttling are followed, spread over the usable ones: reading one
CPU's frequency takes microseconds, and can interrupt it."""

_KTHREADD = 2
"""The process whose children all kernel threads are."""

MHZ = re.compile(r"^cpu MHz\s*: (\d{1,9}\.\d+)$", re.MULTILINE)
STOPS = re.compile(r"^nr_throttled (\d{1,18})$", re.MULTILINE)


class Reading(NamedTuple):
    """Counters at one instant; None where the machine keeps none."""

    at: int
    """CLOCK_MONOTONIC ns."""
    times: CpuTime | None
    own: float
    """CPU seconds of this process and all it started; with `kernel` also of the kernel."""
    mhz: float | None
    throttles: float | None
    stops: float | None


class Instruments:
    """The open files of a watch on `tree`; `close()` closes them.

    With `kernel`, what kernel threads and interrupts take is this process's own: under a load of
    storage they serve it (loop devices, RAID, queues of block devices, their completions).
    """

    def __init__(self, tree: Tree, kernel: bool = False) -> None:
        self._kernel = kernel
        cpus = _spread(known(usable, tree) or known(online, tree) or ())
        self._stat = Gauge(tree, "/proc/stat")
        self._frequencies = _open(
            tree, [f"{CPU}/cpu{cpu}/cpufreq/scaling_cur_freq" for cpu in cpus]
        )
        self._cpuinfo = Gauge(tree, "/proc/cpuinfo")
        self._throttles = _open(tree, throttling.paths(cpus))
        group = known(cgroup.own_group, tree, "cpu")
        self._stops = _open(
            tree, [f"{folder}/cpu.stat" for folder in group.folders] if group else []
        )
        threads = [_KTHREADD] if kernel and _is_kthreadd(tree) else []
        self._own = OwnTime(tree, os.getpid(), *threads) if tree.live else None

    def read(self) -> Reading:
        """The counters now."""
        times = parsed(self._stat.text().partition("\n")[0])
        own = self._own.seconds() if self._own else 0.0
        return Reading(
            at=time.monotonic_ns(),
            times=times,
            own=own + (times.interrupts if times and self._kernel else 0.0),
            mhz=self._mhz(),
            throttles=_largest([gauge.number() for gauge in self._throttles]),
            stops=_largest([_stops(gauge.text()) for gauge in self._stops]),
        )

    def close(self) -> None:
        """Close every file."""
        rows = ([self._stat, self._cpuinfo], self._frequencies, self._throttles, self._stops)
        for gauge in chain(*rows):
            gauge.close()
        if self._own:
            self._own.close()

    def _mhz(self) -> float | None:
        """By cpufreq, which counts in kHz; where there is none, by the beginning of cpuinfo."""
        if self._frequencies:
            numbers = [gauge.number() for gauge in self._frequencies]
            found = [kilohertz / 1e3 for kilohertz in numbers if kilohertz is not None]
        else:
            found = [float(text) for text in MHZ.findall(self._cpuinfo.text())]
        return sum(found) / len(found) if found else None


def _is_kthreadd(tree: Tree) -> bool:
    """Not so in a container, whose processes are numbered anew."""
    return "(kthreadd)" in (known(tree.text, f"/proc/{_KTHREADD}/stat") or "")


def _spread(cpus: tuple[int, ...]) -> tuple[int, ...]:
    """At most MOST_CPUS of them, evenly."""
    step = max(1, -(-len(cpus) // MOST_CPUS))
    return cpus[::step]


def _open(tree: Tree, paths: list[str]) -> list[Gauge]:
    return [gauge for path in paths if (gauge := Gauge(tree, path)).there]


def _largest(counts: list[float | None]) -> float | None:
    return max((count for count in counts if count is not None), default=None)


def _stops(text: str) -> float | None:
    found = STOPS.search(text)
    return float(found[1]) if found else None
