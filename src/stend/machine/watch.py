"""The background watch: what disturbs the machine while a run is measured, ten times a second."""

import math
import os
import re
import threading
import time
from collections.abc import Callable
from itertools import chain
from types import TracebackType
from typing import NamedTuple, Self

from stend.machine import cgroup, frequency
from stend.machine.cpu_time import CpuTime, Gauge, OwnTime, parsed
from stend.machine.disturbances import spells
from stend.machine.sysfs_topology import CPU, online
from stend.machine.topology import usable
from stend.machine.tree import Tree, known
from stend.record import Conditions, Disturbance, Integers, Numbers, Watched

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
        self._throttles = _open(tree, frequency.paths(cpus))
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


INTERVAL = 0.1
"""Seconds between looks, where a look is cheap."""

SHARE = 0.004
"""Share of one core that the looks may take; where they are dear (many CPUs, thousands of
processes) there are fewer of them."""


class Row(NamedTuple):
    """What one look adds to the columns of `Watched`."""

    at: int
    steal: float
    others: float
    mhz: float
    throttles: float
    stops: float


class Watch:
    """Watches from `with` to its end, in a thread of this process.

    The thread sleeps but for about 0.1 ms a look, and shares no core with a measurement
    that runs in another process on a machine with a core to spare. `watched`, `during` and
    `conditions` can be asked at any time.
    """

    def __init__(
        self, interval: float = INTERVAL, tree: Tree | None = None, kernel: bool = False
    ) -> None:
        """`kernel`: what kernel threads and interrupts take serves the run, not others."""
        self._interval = interval
        self._kernel = kernel
        self._tree = tree or Tree()
        self._rows: list[Row] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="stend watch", daemon=True)
        self._cost = 0.0
        self._lasted = 0.0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    @property
    def watched(self) -> Watched:
        """The columns so far."""
        rows = self._rows[:]
        columns = list(zip(*rows, strict=True)) or [()] * len(Row._fields)
        numbers = dict(zip(Row._fields[1:], map(Numbers, columns[1:]), strict=True))
        cost = self._cost / self._lasted if self._lasted else None
        return Watched(at=Integers(columns[0]), **numbers, cost=cost)

    @property
    def during(self) -> tuple[Disturbance, ...]:
        """What disturbed the machine so far, from when to when."""
        return spells(self.watched)

    def conditions(self, before: tuple[Disturbance, ...] = ()) -> Conditions:
        """The record of a run: what was seen `before` it, and during it."""
        watched = self.watched
        return Conditions(before=before, during=spells(watched), watched=watched)

    def _look_on(self) -> None:
        instruments = Instruments(self._tree, self._kernel)
        try:
            self._look_until_over(instruments.read)
        finally:
            instruments.close()

    def _look_until_over(self, read: Callable[[], Reading]) -> None:
        began, spent = time.monotonic(), time.thread_time()
        last = read()
        self._rows.append(row(last, last))
        while not self._over.wait(self._pause()):
            now = read()
            self._rows.append(row(last, now))
            last = now
            self._cost, self._lasted = time.thread_time() - spent, time.monotonic() - began
        self._rows.append(row(last, read()))
        self._cost, self._lasted = time.thread_time() - spent, time.monotonic() - began

    def _pause(self) -> float:
        return max(self._interval, self._cost / max(1, len(self._rows)) / SHARE)


def row(before: Reading, after: Reading) -> Row:
    """What happened between two readings; NaN for what can't be known."""
    elapsed = (after.at - before.at) / 1e9
    steal = others = math.nan
    if before.times is not None and after.times is not None and elapsed > 0:
        spent = after.times.since(before.times)
        steal = spent.steal / spent.total if spent.total > 0 else 0.0
        busy = spent.total - spent.idle - spent.steal
        others = max(0.0, busy - max(0.0, after.own - before.own)) / elapsed
    return Row(
        at=after.at,
        steal=steal,
        others=others,
        mhz=math.nan if after.mhz is None else after.mhz,
        throttles=_more(before.throttles, after.throttles),
        stops=_more(before.stops, after.stops),
    )


def _more(before: float | None, after: float | None) -> float:
    return math.nan if before is None or after is None else after - before
