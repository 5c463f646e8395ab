"""A case's further metrics as cases of their own, and figures per clock, core and limit.

Each figure is an ordinary case, so that estimates, verdicts, Holm's correction and outliers take
it as they take any other.

Per clock: by the core's true frequency, of each core that worked, so that several cores' rates
divide by their number, as cycles a byte in the literature do. A time is cycles. Per core: a rate
by the cores that worked. Of peak: the share of a limit of the same run. Each stands only where both
sides know it from the same kind of measurement.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from stend.comparing.core_clock import PER_CLOCK, CoreClock, SideCases
from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Judgement, Normalised
from stend.comparing.limits import PEAKS, Limits, best_peaks, cores_of, threads_of
from stend.record import CaseRecord, Run, Sample
from stend.record.columns import Numbers

FIGURE = "figure"
"""The parameter that tells the figures of one case apart; its main figure goes without."""


def views(case: CaseRecord) -> tuple[CaseRecord, ...]:
    """The case itself, then one for each further metric, whose values are that column of `also`.

    A case without a figure of its own stays one: why it has none is said once. A sample that lacks
    the column has no values there.
    """
    return figures(case) if case.has_figure else (case,)


def figures(case: CaseRecord) -> tuple[CaseRecord, ...]:
    """`views`, whether they count or not: what a failed case did can be shown as such."""
    return (case, *(_view(case, column) for column in case.further))


def paired_views(a: CaseRecord, b: CaseRecord) -> Iterator[tuple[CaseRecord, CaseRecord]]:
    """The figures of two cases that are set side by side: those that both have.

    The main figures are paired whatever they are, so that it is said where they don't compare.
    """
    yield a, b
    if a.has_figure and b.has_figure:
        yield from ((_view(a, x), _view(b, x)) for x in a.further if x in b.further)


def _view(case: CaseRecord, column: str) -> CaseRecord:
    return replace(
        case,
        parameters=case.parameters | {FIGURE: figure_of(column)},
        metric=case.further[column],
        further={},
        samples=tuple(_sample(sample, column) for sample in case.samples),
    )


def figure_of(column: str) -> str:
    """`p99` of the column "p99 s": without its unit."""
    return column.rpartition(" ")[0] or column


def _sample(sample: Sample, column: str) -> Sample:
    """The stop is of the main figure, so that the mean of an accepted round is not of this one."""
    lacking = Numbers([float("nan")] * len(sample.ticks))
    return replace(
        sample,
        values=sample.also.get(column, lacking),
        also={},
        stop=replace(sample.stop, mean=None),
    )


_CYCLES = {"s": "cycles", "s/slice": "cycles/slice"}
_PER_CYCLE = {"FLOP/s": "FLOP per cycle", "B/s": "B per cycle", "op/s": "operations per cycle"}
_CIPHERS = "gost"


class Measured(NamedTuple):
    """A case with its figure."""

    case: CaseRecord
    estimate: Estimate


def limits_of(runs: Sequence[Run]) -> Limits:
    """What bounds a side's cases: the first machine, and the best peaks of all its runs."""
    peaks = (
        Measured(case, found)
        for run in runs
        for case in run.cases
        if case.benchmark in PEAKS and case.has_figure and (found := estimate(case))
    )
    return Limits(runs[0].machine, best_peaks(peaks))


def with_normalised(
    row: Judgement, sides: tuple[SideCases, SideCases], clock: CoreClock | None
) -> Judgement:
    """The row with what it is by clock, core and peak, and at which frequencies it was measured.

    How many times as good B is by each is the row's own change, divided by what the sides have.
    Nothing for a further figure of a case, nor where there is no ratio.
    """
    if row.speed is None or row.a is None or row.b is None or FIGURE in row.parameters:
        return row
    if not (row.a.value > 0 and row.b.value > 0):
        return row
    figures = Measured(sides[0].cases[0], row.a), Measured(sides[1].cases[0], row.b)
    hz = clock.hz if clock else None
    cores = _cores(figures, sides)
    limits = sides[0].limits, sides[1].limits
    found = (
        _per_clock(figures, hz, cores),
        _per_core(figures, cores),
        _of_peak([bound.of_peak(m) for bound, m in zip(limits, figures, strict=True)])
        or _of_peak([bound.of_memory(m) for bound, m in zip(limits, figures, strict=True)]),
    )
    shown = replace(row, ratio=row.b.value / row.a.value).speed or row.speed
    normalised = (replace(n, speed=n.speed * row.speed / shown) for n in found if n)
    return replace(row, hz=hz, normalised=tuple(normalised))


Figures = tuple[Measured, Measured]
Cores = tuple[int, int] | None


def _cores(figures: Figures, sides: tuple[SideCases, SideCases]) -> Cores:
    """That worked on each side, where both are known."""
    a, b = (cores_of(m.case, s.limits.machine) for m, s in zip(figures, sides, strict=True))
    return None if a is None or b is None else (a, b)


def _per_clock(figures: Figures, hz: tuple[float, float] | None, cores: Cores) -> Normalised | None:
    unit, (a, b) = figures[0].case.metric.unit, (m.estimate.value for m in figures)
    if hz is None:
        return None
    if unit in _CYCLES:
        return _made(PER_CLOCK, (a * hz[0], b * hz[1]), _CYCLES[unit], "lower")
    if unit not in _PER_CYCLE or cores is None or not (a > 0 and b > 0):
        return None
    done = a / (hz[0] * cores[0]), b / (hz[1] * cores[1])
    if figures[0].case.family == _CIPHERS:
        return _made(PER_CLOCK, (1 / done[0], 1 / done[1]), "cycles/B", "lower")
    return _made(PER_CLOCK, done, _PER_CYCLE[unit], "higher")


def _per_core(figures: Figures, cores: Cores) -> Normalised | None:
    """Of a rate on more than one thread, on either side."""
    unit, threads = figures[0].case.metric.unit, max(threads_of(m.case) for m in figures)
    if threads == 1 or not unit.endswith("/s") or cores is None:
        return None
    a, b = (m.estimate.value / n for m, n in zip(figures, cores, strict=True))
    return _made("per core", (a, b), unit, "higher")


def _of_peak(shares: Sequence[float | None]) -> Normalised | None:
    a, b = shares
    return None if a is None or b is None else _made("of peak", (a, b), "share", "higher")


def _made(by: str, values: tuple[float, float], unit: str, better: str) -> Normalised | None:
    a, b = values
    if not (0 < a < float("inf") and 0 < b < float("inf")):
        return None
    return Normalised(by=by, a=a, b=b, unit=unit, speed=b / a if better == "higher" else a / b)


def of_family(rows: Sequence[Judgement], weights: Sequence[float]) -> tuple[Normalised, ...]:
    """Geometric means over cases with their weights, by each measure that all of them have.

    Where their units differ, A is 1 and B how many times as good it is.
    """
    members = [{n.by: n for n in row.normalised} for row in rows]
    common = [by for by in members[0] if all(by in m for m in members)] if members else []
    return tuple(_mean([m[by] for m in members], weights) for by in common)


def _mean(members: Sequence[Normalised], weights: Sequence[float]) -> Normalised:
    first, alike = members[0], len({n.unit for n in members}) == 1
    speed = _geometric([n.speed for n in members], weights)
    return Normalised(
        by=first.by,
        a=_geometric([n.a for n in members], weights) if alike else 1.0,
        b=_geometric([n.b for n in members], weights) if alike else speed,
        unit=first.unit if alike else "",
        speed=speed,
    )


def _geometric(values: Sequence[float], weights: Sequence[float]) -> float:
    return float(np.exp(np.average(np.log(values), weights=weights)))
