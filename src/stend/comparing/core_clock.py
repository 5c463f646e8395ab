"""The clock of the cores a row ran on: its change per clock, and how sure that is.

During the work where the benchmark reads it then, else around each process, else under the peak's
chains on as many threads of the same runs: that is another case, and tells nothing of how far the
frequency is known at this one.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log, log1p
from statistics import median, variance
from typing import NamedTuple

from msgspec.structs import replace

from stend.comparing.differences import VISIBLE
from stend.comparing.judgement import Judgement, Normalised, Standing, Verdict, standing
from stend.comparing.limits import FREQUENCY, PEAKS, Limits, frequency, threads_of
from stend.record import CaseRecord, Sample
from stend.statistics import Shift, finite, middle, paired

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


PER_CLOCK = "per clock"


def shift_by_clock(row: Judgement, shift: Shift, clock: CoreClock | None) -> Shift | None:
    """How many times as good B is per clock, as any runs would show it; None where that is open.

    Its runs scatter as those of the figure itself do, which is the cautious side: a part of that is
    the clock's. What the frequencies are unsure by is added.
    """
    left = per_clock(row)
    unsure = clock.variance if clock else None
    if left is None or unsure is None:
        return None
    return Shift(log(left.speed), shift.variance + unsure, shift.spread, shift.freedom)


def paired_by_clock(
    row: Judgement, logs: Mapping[int, float], clock: CoreClock | None, confidence: float
) -> Judgement:
    """The row with the interval per clock from interleaved pairs: `logs` of B over A by process."""
    left = per_clock(row)
    if left is None or clock is None or not row.speed:
        return row
    sign = 1 if row.metric.better == "higher" else -1
    others = log(left.speed / row.speed) + log(clock.hz[1] / clock.hz[0])
    ratio = paired(
        [
            sign * logs[p] - log(clock.b[0, p] / clock.a[0, p]) + others
            for p in logs
            if (0, p) in clock.a and (0, p) in clock.b
        ],
        confidence,
    )
    return with_ends(row, ratio.low, ratio.high)


def per_clock(row: Judgement) -> Normalised | None:
    """What the row says per clock."""
    return next((n for n in row.normalised if n.by == PER_CLOCK), None)


def with_ends(row: Judgement, low: float | None, high: float | None) -> Judgement:
    """The row with the ends of the interval per clock."""
    found = (replace(n, low=low, high=high) if n.by == PER_CLOCK else n for n in row.normalised)
    return replace(row, normalised=tuple(found))


def explained_by_clock(row: Judgement, explained: float, smallest: float) -> Judgement:
    """A row that surely differs, with a note where the cores' clock can be all of it.

    It can where as many cores ran at another frequency and the interval per clock holds no
    change; where that is within the smallest effect that matters, it is. `explained` is what the
    ratio's interval leaves to the clock (`statistics.Shift`).
    """
    left = per_clock(row)
    if row.hz is None or left is None or left.low is None or left.high is None:
        return row
    if not (_is_sure(row, explained) and _ran_apart(row.hz) and _on_as_many_cores(row)):
        return row
    found = standing(left.speed, left.low, left.high, certain=True, smallest=smallest)
    said = {
        Standing.SAME: "The difference is the clock's",
        Standing.OPEN: "The clock can explain the difference",
    }.get(found)
    if said is None:
        return row
    ghz = [f"{hz / 1e9:.2f} GHz" for hz in row.hz]
    note = (
        f"{said}: the cores ran at {ghz[0]} in A and {ghz[1]} in B, and per clock B does between "
        f"{_more(left.low)} and {_more(left.high)}."
    )
    return replace(row, note=" ".join(filter(None, (row.note, note))))


def _is_sure(row: Judgement, explained: float) -> bool:
    """Whether the sides differ as they ran: an interval may be open for the clock alone."""
    if row.verdict in (Verdict.FASTER, Verdict.SLOWER):
        return True
    if row.low is None or row.high is None or not explained:
        return False
    low = log(row.low) + max(explained, 0.0)
    high = log(row.high) + min(explained, 0.0)
    return low > 0 or high < 0


def _ran_apart(hz: tuple[float, float]) -> bool:
    return abs(log(hz[1] / hz[0])) > log1p(VISIBLE)


def _on_as_many_cores(row: Judgement) -> bool:
    others = (n.speed for n in row.normalised if n.by == "per core")
    return all(row.speed and abs(log(other / row.speed)) <= log1p(VISIBLE) for other in others)


def _more(speed: float) -> str:
    """`0.3% less`, `12% more`."""
    change = 100 * abs(speed - 1)
    return f"{change:{'.0f' if change >= 10 else '.2g'}}% {'more' if speed >= 1 else 'less'}"
