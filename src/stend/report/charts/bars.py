"""Bars next to each other, and cases along some number as lines: the traces that charts share."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from stend.report.charts.chart import Panel, Plot, bars, colour, label, marker
from stend.report.charts.group import Group, reach
from stend.report.measured_case import Measured

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


def comparable(panels: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Those in which bars can be compared, and a sentence for each other one.

    Where all have a single bar, all are drawn.
    """
    drawn = [panel for panel in panels if _count(panel) > 1]
    if not drawn:
        return list(panels), []
    return drawn, [_sentence(panel) for panel in panels if _count(panel) == 1]


def _count(panel: Panel) -> int:
    return sum(len(trace["y"]) for trace in panel.traces if trace["type"] == "bar")


def _sentence(panel: Panel) -> str:
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


Place = Callable[[Measured], float]
"""Where a case lies along the axis."""


def of_figures(
    group: Group,
    series: Mapping[str, Sequence[Measured]],
    at: Place,
    where: Callable[[Measured], str],
    order: Sequence[str] = (),
) -> list[Plot]:
    """A line for each series through its members' figures; `where` says in words where each is.

    The colours are those of the places in `order`, by default of the series themselves.
    """
    traces = []
    places = {name: i for i, name in enumerate(order or series)}
    for name, members in series.items():
        i = places[name]
        ordered = sorted(members, key=at)
        low, high = reach(ordered, group.scale)
        y = [m.estimate.value * group.scale.factor for m in ordered]
        text = [hover(name, where(m), group.shown(m)) for m in ordered]
        traces.append(
            line(name, i, [at(m) for m in ordered], y, text) | {"error_y": bars(low, high, i)}
        )
    return traces


def line(
    name: str, series: int, x: Sequence[float], y: Sequence[float], text: Sequence[str]
) -> Plot:
    """One line with its marks; `text` is markup, made by `hover`."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": label(name),
        "x": list(x),
        "y": list(y),
        "marker": marker(series),
        "line": {"color": colour(series), "width": 2},
        "text": list(text),
        "hovertemplate": "%{text}<extra></extra>",
    }


def hover(name: str, where: str, shown: str) -> str:
    """What a pointer shows at a mark."""
    return label(", ".join(filter(None, [name, where]))) + f"<br><b>{label(shown.rstrip())}</b>"
