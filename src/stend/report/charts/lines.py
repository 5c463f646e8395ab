"""Cases in order along some number → Plotly's lines, with intervals and what a pointer shows."""

from collections.abc import Callable, Mapping, Sequence

from stend.report.charts.chart import Plot, bars, colour, label, marker
from stend.report.charts.group import Group, reach
from stend.report.measured import Measured

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
