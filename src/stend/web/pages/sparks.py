"""A trend → a small chart without a script: a dot a run, a line at each change."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from stend.record.times import minute
from stend.report import trend_sentences
from stend.report.quantities import figure
from stend.trends.trend import Trend

WIDTH, HEIGHT = 240, 48
"""Of the drawing, in its own units."""
_ROOM = 5
_LEAST = 0.04
"""What the height spans at least, as a logarithm: noise of 1% should look like little."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A change."""

    x: float
    verdict: str
    said: str


@dataclass(frozen=True, slots=True)
class Spark:
    """What the template draws."""

    trend: Trend
    dots: tuple[tuple[float, float, str], ...]
    """Where each run stands, and what it is."""
    levels: tuple[tuple[float, float, float], ...]
    """From, to, at."""
    marks: tuple[Mark, ...]
    latest: str
    said: str


def spark(trend: Trend) -> Spark:
    """Draw one; the runs stand evenly, in the order of time."""
    values = [point.value for point in trend.points]
    heights = _heights(values)
    count = len(values)
    unit = trend.metric.unit
    return Spark(
        trend=trend,
        dots=tuple(
            (_x(i, count), heights[i], f"{minute(p.started)}: {trend_sentences.shown(p, unit)}")
            for i, p in enumerate(trend.points)
        ),
        levels=tuple(
            (_x(one.first, count), _x(one.last, count), _height_of(one.value, values, heights))
            for one in trend.levels
        ),
        marks=tuple(
            Mark(_x(change.index - 0.5, count), change.verdict.value,
                 trend_sentences.change_said(trend, change))
            for change in trend.changes
        ),
        latest=figure(values[-1], unit),
        said=trend_sentences.outcome(trend),
    )  # fmt: skip


def _x(place: float, count: int) -> float:
    return round(_ROOM + (WIDTH - 2 * _ROOM) * (place / (count - 1) if count > 1 else 0.5), 1)


def _heights(values: Sequence[float]) -> list[float]:
    low, span = _range(values)
    scaled = _scaled(values)
    return [round(HEIGHT - _ROOM - (HEIGHT - 2 * _ROOM) * (y - low) / span, 1) for y in scaled]


def _height_of(value: float, values: Sequence[float], heights: Sequence[float]) -> float:
    """Of a level: that of the run nearest to it, which is its median or beside it."""
    nearest = min(range(len(values)), key=lambda i: abs(values[i] - value))
    return heights[nearest]


def _scaled(values: Sequence[float]) -> list[float]:
    return [log(one) for one in values] if min(values) > 0 else list(values)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Where the height begins, and what it spans; the middle of the values is in its middle."""
    scaled = _scaled(values)
    low, high = min(scaled), max(scaled)
    least = _LEAST if min(values) > 0 else 1e-12
    span = max(high - low, least)
    return (low + high - span) / 2, span
