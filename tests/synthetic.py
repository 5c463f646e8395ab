"""Collectors with known answers: series of durations or values, played back at a virtual clock."""

from collections.abc import Callable, Mapping

import numpy as np

from stend.record import ClockFacts, Proof
from stend.running.sampling import Collected
from stend.statistics import Floats

CLOCK = ClockFacts(name="virtual", available=True, hz=2e9, resolution=1e-8, overhead=2e-8)
HZ = 2e9
GAP = 30e-9
"""Seconds between repetitions."""


def proved() -> Proof:
    return Proof(right=True, said="the series was played")


class Played:
    """Repetition i takes `series[i]` seconds an execution, or reports it as its value.

    Beyond its end the series begins again.
    """

    def __init__(
        self,
        series: Floats,
        *,
        observed: float | None = None,
        wrong_at: int | None = None,
        also: Mapping[str, Floats] | None = None,
        core: Callable[[int], int] = lambda i: 0,
    ) -> None:
        self.series = np.asarray(series, dtype=np.float64)
        self.observed = observed
        """Seconds that one observation takes, when the series is of values."""
        self.wrong_at = wrong_at
        self.also = dict(also or {})
        """Series of further values."""
        self.core = core
        self.now = 0
        self.made = 0
        self.calls: list[tuple[int, int, float]] = []

    def collect(self, batch: int, count: int, seconds: float, /) -> Collected:
        self.calls.append((batch, count, seconds))
        said = self._next(min(count, 1 << 16))
        ticks = self._ticks(said, batch)
        started = self.now + np.concatenate([[0], np.cumsum(ticks + round(GAP * HZ))[:-1]])
        n = max(1, int(np.searchsorted(started - self.now, seconds * HZ)))
        n, right = self._checked(n)
        self.now = int(started[n - 1] + ticks[n - 1] + round(GAP * HZ))
        first, self.made = self.made, self.made + n
        return Collected(
            started=started[:n],
            ticks=ticks[:n],
            core=np.array([self.core(i) for i in range(first, first + n)], dtype=np.int64),
            preempted=np.zeros(n, dtype=np.int64),
            values=None if self.observed is None else said[:n],
            right=right,
            also={
                name: np.take(series, np.arange(first, first + n), mode="wrap")
                for name, series in self.also.items()
            },
        )

    def _next(self, count: int) -> Floats:
        return np.take(self.series, np.arange(self.made, self.made + count), mode="wrap")

    def _ticks(self, said: Floats, batch: int) -> np.ndarray:
        seconds = said * batch if self.observed is None else np.full(len(said), self.observed)
        return np.rint(seconds * HZ).astype(np.int64)

    def _checked(self, n: int) -> tuple[int, bool]:
        if self.wrong_at is None or self.made + n <= self.wrong_at:
            return n, True
        return max(1, self.wrong_at + 1 - self.made), False
