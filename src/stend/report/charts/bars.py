"""Bars beside each other, measured ones and published ones → the traces of one colour each."""

from collections.abc import Sequence
from typing import NamedTuple

from stend.report.charts.chart import Plot, colour


class Bar(NamedTuple):
    """One of them, from below."""

    length: float
    """In the axis' unit."""
    said: str
    """Its figure in words, drawn at its end."""
    series: int
    """Whose colour it has."""


def traces(bars: Sequence[Bar], series: Sequence[int], unit: str = "") -> list[Plot]:
    """One trace a series; `unit` follows the figure of a bar that is pointed at."""
    return [_trace(bars, one, unit) for one in series]


def _trace(bars: Sequence[Bar], series: int, unit: str) -> Plot:
    mine = [(place, bar) for place, bar in enumerate(bars) if bar.series == series]
    return {
        "type": "bar",
        "orientation": "h",
        "x": [bar.length for _, bar in mine],
        "y": [place for place, _ in mine],
        "text": [bar.said for _, bar in mine],
        "textposition": "outside",
        "cliponaxis": False,
        "width": 0.75,  # by itself it grows with the distance of bars of one colour
        "marker": {"color": colour(series)},
        "hovertemplate": f"%{{text}}{unit}<extra></extra>",
    }
