"""The tails of a case: its worst hundredth and thousandth.

The histogram and the curves are of all repetitions. The time course is thinned: of each
stretch of time its lowest and its highest repetition are kept, so no spike is lost.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stend.comparing import Estimate
from stend.comparing.estimate import Values, values_of
from stend.machine import disturbed
from stend.record import CaseRecord, Conditions, Sample
from stend.report.charts import histogram
from stend.report.charts.chart import Panel, Plot, colour, column, label
from stend.report.quantities import Scale, scale

_CURVE = 65
"""Points of an ECDF at most: every 1/64 of the repetitions."""
_MOST_CURVES = 12


@dataclass(frozen=True, slots=True)
class Distribution:
    """What the page shows of a case on demand."""

    panels: tuple[Panel, ...]
    said: tuple[str, ...]
    """What was left out of the drawing, and how many repetitions were disturbed."""


@dataclass(frozen=True, slots=True)
class _Course:
    """The repetitions in the order of time, processes end to end; columns equally long."""

    at: Values
    """Seconds of measuring."""
    values: Values
    mark: npt.NDArray[np.int8]
    """0 quiet, 1 preempted, 2 while the machine was disturbed."""


_MARKS = (("quiet", "--s0", "circle"), ("preempted", "--s4", "diamond"),
          ("disturbed machine", "--s1", "x"))  # fmt: skip


def distribution(
    case: CaseRecord, estimate: Estimate, conditions: Conditions, points: int
) -> Distribution:
    """Draw a measured case; at most about `points` points in the time course."""
    by = scale(estimate.value, estimate.unit)
    values = [values_of(case, s) * by.factor for s in case.samples]
    finite = np.sort(np.concatenate(values))
    finite = finite[np.isfinite(finite)]
    low, high = histogram.span(finite)
    course = _course(case, values, conditions)
    kept = _thinned(course, points)
    outside = int(np.count_nonzero((finite < low) | (finite > high)))
    return Distribution(
        panels=(
            histogram.panel(finite, estimate, by),
            _curves(values, low, high, by),
            *([by_rank] if (by_rank := histogram.rank_panel(case)) else []),
            _time_course(kept, float(np.median(finite)), by),
        ),
        said=tuple(_sentences(course, kept, outside)),
    )


def _curves(values: list[Values], low: float, high: float, by: Scale) -> Panel:
    curves = [np.sort(v[np.isfinite(v)]) for v in values[:_MOST_CURVES]]
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": column(drawn := _quantiles(ordered)),
            "y0": 0,
            "dy": 1 / max(1, len(drawn) - 1),
            "line": {"color": colour(i), "width": 1.5},
            "hovertemplate": f"process {i}: %{{y:.0%}} ≤ %{{x:.5g}}<extra></extra>",
        }
        for i, ordered in enumerate(curves)
        if len(ordered)
    ]
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}, "range": [low, high]},
        "yaxis": {"title": {"text": "share at most"}, "range": [0, 1.02], "tickformat": ".0%"},
        "height": 260,
    }
    return Panel(traces, layout, "Cumulative, a line a process")


def _quantiles(ordered: Values) -> Values:
    """Evenly spaced ones, the ends included; all values where they are few."""
    if 1 < len(ordered) <= _CURVE:
        return ordered
    places = np.linspace(0, len(ordered) - 1, _CURVE)
    found: Values = np.interp(places, np.arange(len(ordered)), ordered)
    return found


def _time_course(kept: _Course, median: float, by: Scale) -> Panel:
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "x": column(kept.at[kept.mark == i]),
            "y": column(kept.values[kept.mark == i]),
            "marker": {"color": colour, "symbol": symbol, "size": 4 if i == 0 else 7},
            "hovertemplate": f"%{{y:.5g}} at %{{x:.4g}} s, {name}<extra></extra>",
        }
        for i, (name, colour, symbol) in enumerate(_MARKS)
        if (kept.mark == i).any()
    ]
    wide = len(kept.values) and kept.values.min() > 0 and kept.values.max() > 10 * median
    y: Plot = {"title": {"text": label(by.unit)}} | ({"type": "log"} if wide else {})
    x = {"title": {"text": "seconds of measuring, processes end to end"}}
    return Panel(traces, {"xaxis": x, "yaxis": y}, "Time course")


def _course(case: CaseRecord, values: list[Values], conditions: Conditions) -> _Course:
    at, marks, begun = [], [], 0.0
    for sample in case.samples:
        started = np.asarray(sample.started, dtype=np.float64) / sample.hz
        if len(started) == 0:
            continue
        at.append(begun + started - started[0])
        begun = float(at[-1][-1]) + float(sample.ticks[-1]) / sample.hz
        marks.append(_marks(sample, conditions))
    together = np.concatenate([v for v in values if len(v)])
    keep = np.isfinite(together)
    return _Course(np.concatenate(at)[keep], together[keep], np.concatenate(marks)[keep])


def _marks(sample: Sample, conditions: Conditions) -> npt.NDArray[np.int8]:
    marks = (np.asarray(sample.preempted) > 0).astype(np.int8)
    if conditions.during:
        marks[disturbed(sample, conditions)] = 2
    return marks


def _thinned(course: _Course, points: int) -> _Course:
    size = 2 * len(course.at) // points
    if size < 3:
        return course
    whole = len(course.at) // size * size
    stretches = course.values[:whole].reshape(-1, size)
    first = np.arange(0, whole, size)
    chosen = np.unique(
        np.concatenate([first + stretches.argmin(1), first + stretches.argmax(1),
                        np.arange(whole, len(course.at))])
    )  # fmt: skip
    return _Course(course.at[chosen], course.values[chosen], course.mark[chosen])


def _sentences(course: _Course, kept: _Course, outside: int) -> list[str]:
    total = len(course.at)
    said = []
    if outside:
        said.append(f"{outside:,} of {total:,} repetitions lie outside the histogram's range.")
    if len(kept.at) < total:
        said.append(f"The time course shows {len(kept.at):,} of {total:,} repetitions: the lowest "
                    "and the highest of each stretch.")  # fmt: skip
    for mark, words in ((1, "were preempted"), (2, "were made while the machine was disturbed")):
        if count := int(np.count_nonzero(course.mark == mark)):
            said.append(f"{count:,} of {total:,} repetitions {words}.")
    return said
