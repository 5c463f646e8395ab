"""What the sampler asks for repetitions, and what it gets: columns, an entry a repetition.

The native sampler fits `Collector` as it is; so does anything that times a command, or a
fake with known answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from stend.statistics import Floats

Ticks: TypeAlias = npt.NDArray[np.int64]


class Repetitions(Protocol):
    """Columns of equal length, at least one entry; times in ticks of the collector's clock."""

    @property
    def started(self) -> Ticks:
        """When each repetition began."""

    @property
    def ticks(self) -> Ticks:
        """How long it took."""

    @property
    def core(self) -> Ticks:
        """The core it ended on, -1 where the clock doesn't tell."""

    @property
    def preempted(self) -> Ticks:
        """1 where the scheduler or a signal interrupted it."""

    @property
    def values(self) -> Floats | None:
        """What each observed, in the benchmark's unit; None where the time is the result."""

    @property
    def also(self) -> Mapping[str, Floats]:
        """What else each reported, by name; the same names in every collection."""

    @property
    def right(self) -> bool:
        """False when the check after the last repetition failed."""


class Collector(Protocol):
    """Runs the work and times it."""

    def collect(self, batch: int, count: int, seconds: float, /) -> Repetitions:
        """Time up to `count` repetitions of `batch` executions each.

        Stops early when `seconds` have passed before another would begin, but makes at least
        one; ends at the first repetition whose result is wrong.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Repetitions held in plain arrays."""

    started: Ticks
    ticks: Ticks
    core: Ticks
    preempted: Ticks
    values: Floats | None = None
    right: bool = True
    also: Mapping[str, Floats] = field(default_factory=dict)


def joined(parts: Sequence[Repetitions]) -> Collected:
    """One after the other; right when all of them are."""
    values = [part.values for part in parts if part.values is not None]
    return Collected(
        started=np.concatenate([part.started for part in parts]),
        ticks=np.concatenate([part.ticks for part in parts]),
        core=np.concatenate([part.core for part in parts]),
        preempted=np.concatenate([part.preempted for part in parts]),
        values=np.concatenate(values) if values else None,
        right=all(part.right for part in parts),
        also={name: np.concatenate([part.also[name] for part in parts]) for name in parts[0].also},
    )


class Watched:
    """A collector that keeps account of the time spent, as its own timings tell it."""

    def __init__(self, collector: Collector, hz: float, period: float = 0.0) -> None:
        self._collector = collector
        self._hz = hz
        self._first: int | None = None
        self.elapsed = 0.0
        """Seconds from the first repetition's start to the last one's end."""
        self.period = period
        """Seconds from one repetition's start to the next, as last seen."""
        self.made = 0
        """Repetitions in all."""
        self.last: Repetitions | None = None
        """What was collected last."""

    @property
    def wrong(self) -> bool:
        """Whether the last repetition's check failed."""
        return self.last is not None and not self.last.right

    @property
    def typical(self) -> float:
        """Seconds of the median repetition, as last seen."""
        return 0.0 if self.last is None else float(np.median(self.last.ticks)) / self._hz

    def collect(self, batch: int, count: int, seconds: float) -> Repetitions:
        """As `Collector.collect`; a negative time is no time: one repetition."""
        part = self._collector.collect(batch, count, max(0.0, seconds))
        start, end = int(part.started[0]), int(part.started[-1] + part.ticks[-1])
        self._first = start if self._first is None else self._first
        self.elapsed = (end - self._first) / self._hz
        self.period = (end - start) / self._hz / len(part.ticks)
        self.made += len(part.ticks)
        self.last = part
        return part

    def per_execution(self, part: Repetitions, batch: int) -> Floats:
        """What each repetition says: its value, or the seconds of one execution."""
        if part.values is not None:
            return part.values
        seconds: Floats = part.ticks / (self._hz * batch)
        return seconds
