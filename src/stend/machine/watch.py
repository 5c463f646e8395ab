"""The watch in the background: it records what disturbs the machine while a run is measured."""

import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self

from stend.machine.instruments import Instruments, Reading
from stend.machine.spells import spells
from stend.machine.tree import Tree
from stend.record import Conditions, Disturbance, Integers, Numbers, Watched

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
