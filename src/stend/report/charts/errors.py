"""Chart of relative errors: the error that 95% of the observations stay under, on a log axis.

The median hides it: of 1 ms, a timer of 10 ms misses 100%, and now and then 900%.
"""

import numpy as np

from stend.comparing.estimate import values_of
from stend.report.charts.chart import Chart, Panel, Plot, colour, label, marker
from stend.report.charts.group import Group, by_series
from stend.report.charts.sweep import axis
from stend.report.measured_case import Measured
from stend.report.quantities import parameter

QUANTILE = 0.95
_FLOOR = 1e-6
"""Smaller errors are drawn here: a log axis has no place for 0, and 1 ppm is no matter."""


def takes(group: Group) -> bool:
    """Whether the figures are errors relative to the truth, not other shares."""
    return group.unit == "relative" and group.metric == "error"


def draw(group: Group) -> Chart:
    """Lines along the duration when there are several, otherwise a row for each case."""
    wrong = {m.index: _magnitude(m) for m in group.members}
    lengths = [m.case.parameters.get("duration") for m in group.members]
    numbers = all(isinstance(length, float) for length in lengths)
    along = "duration" if "duration" in group.varied and numbers else None
    series = by_series(group.members, [group.series_of(m, along or "") for m in group.members])
    return Chart(
        title=f"{group.title}" + (" by duration" if along else ""),
        says="Error of the observations: 95% of them are off by less than this; lower is better.",
        panels=(_along(group, series, wrong) if along else _rows(series, wrong),),
        columns=("case", "95% are less wrong than"),
        rows=tuple((m.case.name, _percent(wrong[m.index])) for m in group.members),
        legend=tuple(series) if along and len(series) > 1 else (),
    )


def _magnitude(m: Measured) -> float:
    values = np.concatenate([values_of(m.case, s) for s in m.case.samples])
    return max(_FLOOR, float(np.nanquantile(np.abs(values), QUANTILE)))


def _along(group: Group, series: dict[str, list[Measured]], wrong: dict[int, float]) -> Panel:
    traces = []
    for i, (name, members) in enumerate(series.items()):
        ordered = sorted(members, key=lambda m: float(m.case.parameters["duration"]))
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": [float(m.case.parameters["duration"]) for m in ordered],
                "y": [wrong[m.index] for m in ordered],
                "marker": marker(i),
                "line": {"color": colour(i), "width": 2},
                "text": [_hover(name, m, wrong[m.index]) for m in ordered],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return Panel(traces, {"xaxis": axis(group, "duration"), "yaxis": _log_percent()})


def _rows(series: dict[str, list[Measured]], wrong: dict[int, float]) -> Panel:
    rows = sorted(((wrong[m.index], name, m) for name, ms in series.items() for m in ms),
                  key=lambda row: row[0])  # fmt: skip
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [error for error, _, _ in rows],
        "y": [label(name) for _, name, _ in rows],
        "marker": marker(0),
        "text": [_hover(name, m, error) for error, name, m in rows],
        "hovertemplate": "%{text}<extra></extra>",
    }
    names = [label(name) for _, name, _ in rows]
    y = {"type": "category", "categoryarray": names[::-1], "automargin": True, "showgrid": True}
    return Panel([trace], {"xaxis": _log_percent(), "yaxis": y, "height": 90 + 26 * len(names)})


def _hover(name: str, m: Measured, error: float) -> str:
    duration = m.case.parameters.get("duration")
    where = f"{name}, {parameter('duration', duration)}" if duration is not None else name
    return f"{label(where)}<br><b>{_percent(error)}</b>"


def _percent(error: float) -> str:
    return f"{100 * error:.3g}%"


def _log_percent() -> Plot:
    powers = range(-6, 4)
    return {
        "type": "log",
        "title": {"text": "95% are less wrong than"},
        "tickvals": [10.0**p for p in powers],
        "ticktext": [f"{10.0**p * 100:g}%" for p in powers],
    }
