"""The trend of a case over stored runs: its levels, their changes, and what changed with them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from math import exp, log1p
from typing import NamedTuple

import numpy as np

from stend.comparing.differences import Difference, differences
from stend.comparing.history import PastCase
from stend.comparing.judgement import Verdict
from stend.comparing.verdict import SMALLEST
from stend.record import Metric, Record, Run, Scalar
from stend.record.cautions import Caution
from stend.statistics import (
    FEWEST_RUNS,
    ChangePoint,
    Floats,
    Location,
    change_points,
    levels,
    steadily,
    steps,
)

CONFIDENCE = 0.95
"""Of the intervals of levels and changes; that there is a change is told at 99%."""

_LOOKED_BACK = 30
"""Runs before a change in which its news are looked for."""
_LARGEST = 700.0
"""The logarithm of the largest number, about."""


class Point(Record, frozen=True, kw_only=True):
    """The figure of one run."""

    run: str
    """The run's id."""
    label: str
    started: str
    value: float
    ends: tuple[float, float] | None = None
    """The 95% interval of the figure within this run."""
    processes: int
    cautions: tuple[Caution, ...] = ()
    disturbed: tuple[str, ...] = ()
    """The kinds of what disturbed the machine before or during the run."""


class Level(Record, frozen=True, kw_only=True):
    """Runs between which nothing was found to have changed."""

    first: int
    """Index of the first point."""
    last: int
    value: float
    """The median of their figures."""
    low: float | None = None
    high: float | None = None
    """Its interval over the runs."""


class Change(Record, frozen=True, kw_only=True):
    """Where one level ends and the next begins."""

    index: int
    """Of the first point of the new level."""
    after: str
    """When the last run before it began."""
    before: str
    """When the first run after it began."""
    verdict: Verdict
    ratio: float | None
    """The new level over the old; None where a figure is 0 or less."""
    low: float | None = None
    high: float | None = None
    p: float
    """The chance that an unchanged series looks as much like it."""
    differences: tuple[Difference, ...] = ()
    """What is not the same in the runs on both sides of it."""


class LeftOut(Record, frozen=True, kw_only=True):
    """A run whose figure does not count."""

    run: str
    started: str
    reason: str


class Trend(Record, frozen=True, kw_only=True):
    """One case over the runs of one machine, oldest first."""

    name: str
    benchmark: str
    parameters: dict[str, Scalar]
    variant: str | None
    metric: Metric
    points: tuple[Point, ...]
    levels: tuple[Level, ...]
    changes: tuple[Change, ...] = ()
    drift: float | None = None
    """How many times the first level the last one is, where it moved steadily: no changes then."""
    left_out: tuple[LeftOut, ...] = ()
    note: str = ""
    """What can't be told, and why."""


class _Dated(NamedTuple):
    """A figure and the run that it is of."""

    run: Run
    of: PastCase


def trends(runs: Sequence[tuple[Run, Sequence[PastCase]]]) -> tuple[Trend, ...]:
    """The trend of each case in the runs, which are in the order of time.

    What was called the same and did other work, or reports in another unit, is another case.
    """
    found: dict[str, list[_Dated]] = {}
    for run, figures in runs:
        for of in figures:
            case = of.case
            found.setdefault(repr((case.key, case.side, case.metric, case.work)), []).append(
                _Dated(run, of)
            )
    return tuple(
        _trend(dated) for dated in found.values() if any(d.of.value is not None for d in dated)
    )


def _trend(dated: Sequence[_Dated]) -> Trend:
    counted = [d for d in dated if d.of.value is not None]
    values = np.array([d.of.value for d in counted], dtype=np.float64)
    case = counted[-1].of.case
    logarithms = np.log(values) if values.min() > 0 else None
    scaled = values if logarithms is None else logarithms
    points = _that_matter(scaled, change_points(scaled), logarithms is not None)
    times = np.array([datetime.fromisoformat(d.run.started).timestamp() for d in counted])
    moved = steadily(scaled, times, points)
    if moved is not None:
        points = []
    ends = [point.index for point in points]
    back = float if logarithms is None else _exp
    edges = [0, *ends, len(values)]
    moves = steps(scaled, ends, CONFIDENCE) if logarithms is not None else [None] * len(ends)
    return Trend(
        name=f"{case.side} {case.name}".lstrip(),
        benchmark=case.benchmark,
        parameters=case.parameters,
        variant=case.variant,
        metric=case.metric,
        points=tuple(map(_point, counted)),
        levels=_levels(values, edges, levels(scaled, ends, CONFIDENCE), back),
        changes=tuple(
            _change(counted, scaled, edges[i : i + 3], point.p, moves[i])
            for i, point in enumerate(points)
        ),
        drift=float(np.exp(moved)) if moved is not None and logarithms is not None else None,
        left_out=tuple(_left_out(d) for d in dated if d.of.value is None),
        note=_note(len(values)),
    )


def _that_matter(scaled: Floats, points: Sequence[ChangePoint], ratios: bool) -> list[ChangePoint]:
    """The changes by at least the smallest effect that matters; the least goes first."""
    found = list(points)
    while found and ratios:
        middles = [np.median(part) for part in np.split(scaled, [point.index for point in found])]
        moves = [abs(float(after - before)) for before, after in pairwise(middles)]
        least = int(np.argmin(moves))
        if moves[least] > log1p(SMALLEST):
            break
        del found[least]
    return found


def _point(dated: _Dated) -> Point:
    run, of = dated
    assert of.value is not None
    disturbances = (*run.conditions.before, *run.conditions.during)
    return Point(
        run=run.id,
        label=run.label,
        started=run.started,
        value=of.value,
        ends=(of.interval.low, of.interval.high) if of.interval else None,
        processes=len(of.medians),
        cautions=of.cautions,
        disturbed=tuple(dict.fromkeys(one.kind for one in disturbances)),
    )


def _levels(
    values: Floats, edges: Sequence[int], found: Sequence[Location], back: Callable[[float], float]
) -> tuple[Level, ...]:
    return tuple(
        Level(
            first=first,
            last=end - 1,
            value=float(np.median(values[first:end])),
            low=None if one.low is None else back(one.low),
            high=None if one.high is None else back(one.high),
        )
        for (first, end), one in zip(pairwise(edges), found, strict=True)
    )


def _exp(value: float) -> float:
    return exp(min(value, _LARGEST))


def _change(
    dated: Sequence[_Dated], scaled: Floats, edges: Sequence[int], p: float, step: Location | None
) -> Change:
    """The change in the middle of three edges: of the level before it, its own, the next."""
    first, index, end = edges
    before, after = scaled[first:index], scaled[index:end]
    better = (np.median(after) > np.median(before)) == (dated[0].of.case.metric.better == "higher")
    ends = (step.value, step.low, step.high) if step else (None, None, None)
    ratio, low, high = (None if end is None else _exp(end) for end in ends)
    return Change(
        index=index,
        after=dated[index - 1].run.started,
        before=dated[index].run.started,
        verdict=Verdict.FASTER if better else Verdict.SLOWER,
        ratio=ratio,
        low=low,
        high=high,
        p=p,
        differences=_lasting(dated, edges),
    )


def _lasting(dated: Sequence[_Dated], edges: Sequence[int]) -> tuple[Difference, ...]:
    """What differs across the change, without what already changed within the old level.

    A governor that was seen both ways before the change is no news of it.
    """
    first, index, _ = edges
    across = differences(dated[index - 1].run, dated[index].run)
    news = {d.what: d.b for d in across}
    for one in dated[max(first, index - 1 - _LOOKED_BACK) : index - 1]:
        if not news:
            break
        same = {d.what for d in differences(one.run, dated[index].run)}
        news = {what: b for what, b in news.items() if what in same}
    return tuple(d for d in across if d.what in news)


def _left_out(dated: _Dated) -> LeftOut:
    return LeftOut(run=dated.run.id, started=dated.run.started, reason=dated.of.why)


def _note(count: int) -> str:
    if count == 1:
        return "There is only one run, and a trend needs several: measure again on another day."
    if count < FEWEST_RUNS:
        return (
            f"{count} runs are too few to tell a change from chance: at least {FEWEST_RUNS} are "
            "needed. `stend compare` compares two of them."
        )
    return ""
