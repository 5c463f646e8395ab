"""Bars beside each other, measured ones and published ones → the traces of one colour each."""

from collections.abc import Sequence
from typing import NamedTuple

from stend.report.charts.chart import Panel, Plot, colour

_DOWN_TO_NOTHING = 0.9
"""Of a bar's length: how far down a whisker is drawn that reaches 0 or less."""


class Bar(NamedTuple):
    """One of them, from below."""

    length: float
    """In the axis' unit."""
    said: str
    """Its figure in words, drawn at its end."""
    series: int
    """Whose colour it has."""
    ends: tuple[float, float] | None = None
    """Of its interval, where it has one."""


def beside(panels: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Those in which bars can be compared, and a sentence for each other one.

    Where all have a single bar, all are drawn.
    """
    drawn = [panel for panel in panels if _count(panel) > 1]
    if not drawn:
        return list(panels), []
    return drawn, [_said(panel) for panel in panels if _count(panel) == 1]


def _count(panel: Panel) -> int:
    return sum(len(trace["y"]) for trace in panel.traces if trace["type"] == "bar")


def _said(panel: Panel) -> str:
    (figure,) = (said for t in panel.traces if t["type"] == "bar" for said in t["text"])
    (name,) = panel.layout["yaxis"]["ticktext"]
    axis = panel.layout["xaxis"]["title"]["text"]
    return f"{panel.title}: only {name} was measured, {figure} {axis}."


def traces(bars: Sequence[Bar], series: Sequence[int], unit: str = "") -> list[Plot]:
    """One trace a series; `unit` follows the figure of a bar that is pointed at.

    Where bars have whiskers, their figures are drawn at the whiskers' ends, by a trace of words
    that follows all of them.
    """
    drawn = [_trace(bars, one, unit) for one in series]
    return [*drawn, *(_words(trace) for trace in drawn if "error_x" in trace)]


def _trace(bars: Sequence[Bar], series: int, unit: str) -> Plot:
    mine = [(place, bar) for place, bar in enumerate(bars) if bar.series == series]
    whiskers = _whiskers([bar for _, bar in mine])
    return whiskers | {
        "type": "bar",
        "orientation": "h",
        "x": [bar.length for _, bar in mine],
        "y": [place for place, _ in mine],
        "text": [bar.said for _, bar in mine],
        "textposition": "none" if whiskers else "outside",
        "cliponaxis": False,
        "width": 0.75,  # by itself it grows with the distance of bars of one colour
        "marker": {"color": colour(series)},
        "hovertemplate": f"%{{text}}{unit}<extra></extra>",
    }


def _words(trace: Plot) -> Plot:
    lengths, reaching = trace["x"], trace["error_x"]["array"]
    return {
        "type": "scatter",
        "mode": "text",
        "x": [length + up for length, up in zip(lengths, reaching, strict=True)],
        "y": trace["y"],
        "text": [f" {said}" for said in trace["text"]],
        "textposition": "middle right",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _whiskers(bars: Sequence[Bar]) -> Plot:
    """Of those that have an interval; its lower end stays above 0, as a log axis needs."""
    if not any(bar.ends for bar in bars):
        return {}
    ends = [bar.ends or (bar.length, bar.length) for bar in bars]
    return {
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - b.length for b, (_, high) in zip(bars, ends, strict=True)],
            "arrayminus": [
                b.length - low if low > 0 else _DOWN_TO_NOTHING * b.length
                for b, (low, _) in zip(bars, ends, strict=True)
            ],
            "color": "--ink",
            "thickness": 1.5,
            "width": 4,
        }
    }
