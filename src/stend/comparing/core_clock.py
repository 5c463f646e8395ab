"""One row's cases on both sides → the true frequency of a core there, each side's by one reading.

During the work where the benchmark reads it then, else around each process, else under the peak's
chains on as many threads of the same runs: that is another case, and tells nothing of how far the
frequency is known at this one.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log
from statistics import median, variance
from typing import NamedTuple

from stend.comparing.limits import FREQUENCY, PEAKS, Limits, frequency, threads_of
from stend.record import CaseRecord, Sample
from stend.statistics import finite, middle

_ELSEWHERE = {"storage", "time"}
"""Families that wait for devices, or run programs of any kind: a core's clock explains neither."""


class SideCases(NamedTuple):
    """One side of a row."""

    cases: Sequence[CaseRecord]
    """Of each of its runs that have it."""
    limits: Limits


Hz = Mapping[tuple[int, int], float]
"""Frequencies by the place of the case on its side and by process."""


class CoreClock(NamedTuple):
    """A core's true frequency on both sides."""

    hz: tuple[float, float]
    a: Hz = {}
    """What `hz` is the median of; empty where it was read in another case."""
    b: Hz = {}

    @property
    def variance(self) -> float | None:
        """Of the logarithm of B's frequency over A's; None where nothing tells."""
        if min(len(self.a), len(self.b)) < 2:
            return None
        sides = ([log(hz) for hz in side.values()] for side in (self.a, self.b))
        return sum(variance(logs) / len(logs) for logs in sides)


def core_clock(sides: tuple[SideCases, SideCases]) -> CoreClock | None:
    """The frequencies; None where a side does not tell, or where they explain nothing."""
    if sides[0].cases[0].family in _ELSEWHERE:
        return None
    for read in (_during, _around):
        a, b = (_of_processes(side, read) for side in sides)
        if a and b:
            return CoreClock((median(a.values()), median(b.values())), a, b)
    under_a, under_b = map(_under_the_peak, sides)
    return CoreClock((under_a, under_b)) if under_a and under_b else None


def _of_processes(side: SideCases, read: Callable[[Sample], float | None]) -> Hz:
    return {
        (place, sample.process): hz
        for place, case in enumerate(side.cases)
        for sample in case.samples
        if (hz := read(sample)) and hz > 0
    }


def _during(sample: Sample) -> float | None:
    """What ciphers and peaks tell of each repetition."""
    known = finite(sample.also.get(FREQUENCY, ()))
    return middle(known) if len(known) else None


def _around(sample: Sample) -> float | None:
    """What was read before and after the process."""
    return sum(sample.core_hz) / 2 if sample.core_hz else None


def _under_the_peak(side: SideCases) -> float | None:
    """Under the chains of the peak on as many threads, of either precision."""
    threads = threads_of(side.cases[0])
    there = (side.limits.peaks.get((precision, threads)) for precision in PEAKS.values())
    return next((hz for peak in there if peak and (hz := frequency(peak))), None)
