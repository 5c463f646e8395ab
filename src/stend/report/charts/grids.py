"""Chart of cases over grids of rows × columns: bars side by side."""

from stend.report.charts.bars import hover
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label
from stend.report.charts.group import Group, by_series, reach
from stend.report.measured_case import Measured

SIDES = ("rows", "columns")
"""The parameters that make a grid."""


def takes(group: Group) -> bool:
    """Whether the cases differ by rows and columns."""
    whole = all(type(m.case.parameters.get(n)) is int for m in group.members for n in SIDES)
    return whole and len({grid(m) for m in group.members}) > 1


def draw(group: Group) -> Chart:
    """Grids by their number of points; 511 and 512 differ by more than their size tells."""
    series = by_series(group.members, [group.series_of(m, *SIDES) for m in group.members])
    grids = dict.fromkeys(grid(m) for m in sorted(group.members, key=_points))
    layout: Plot = {
        "xaxis": {
            "type": "category",
            "categoryarray": list(grids),
            "title": {"text": "rows × columns"},
        },
        "yaxis": {"title": {"text": label(group.axis)}, "rangemode": "tozero"},
        "barmode": "group",
        "bargap": 0.25,
        "bargroupgap": 0.05,
    }
    traces = [_bars(group, name, i, members) for i, (name, members) in enumerate(series.items())]
    return Chart(
        title=f"{group.title} by size",
        says=f"The {group.metric} of each grid, which sizes with large prime factors lower; "
        f"{group.better}. Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=(Panel(traces, layout),),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
    )


def grid(m: Measured) -> str:
    """512×512."""
    return "×".join(str(m.case.parameters[n]) for n in SIDES)


def _points(m: Measured) -> int:
    rows, columns = (int(m.case.parameters[n]) for n in SIDES)
    return rows * columns


def _bars(group: Group, name: str, series: int, members: list[Measured]) -> Plot:
    low, high = reach(members, group.scale)
    return {
        "type": "bar",
        "textposition": "none",
        "name": label(name),
        "x": [grid(m) for m in members],
        "y": [m.estimate.value * group.scale.factor for m in members],
        "error_y": bars(low, high, series) | {"color": "--ink"},
        "marker": {"color": colour(series)},
        "text": [hover(name, grid(m), group.shown(m)) for m in members],
        "hovertemplate": "%{text}<extra></extra>",
    }
