"""Cases over several grids of rows × columns → lines along the number of their points."""

from stend.report.charts import lines
from stend.report.charts.chart import Chart, Panel, Plot, label
from stend.report.charts.group import Group, by_series
from stend.report.measured import Measured


def takes(group: Group) -> bool:
    """Whether the cases differ by rows and columns."""
    whole = all(type(m.case.parameters.get(n)) is int for m in group.members for n in _SIDES)
    return whole and len({_points(m) for m in group.members}) > 1


def draw(group: Group) -> Chart:
    """A line for each variant; sizes that are no powers of two stand between those that are."""
    series = by_series(group.members, [group.series_of(m, *_SIDES) for m in group.members])
    places = {_points(m): grid(m) for m in sorted(group.members, key=_points)}
    x: Plot = {
        "type": "log",
        "title": {"text": "rows × columns"},
        "tickvals": list(places),
        "ticktext": list(places.values()),
    }
    y: Plot = {"title": {"text": label(group.axis)}, "rangemode": "tozero"}
    return Chart(
        title=f"{group.title} by size",
        says=f"The {group.metric} of each grid, along the number of its points on a log axis; "
        f"{group.better}. Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=(Panel(lines.of_figures(group, series, _points, grid), {"xaxis": x, "yaxis": y}),),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
    )


def grid(m: Measured) -> str:
    """512×512."""
    return "×".join(str(m.case.parameters[n]) for n in _SIDES)


_SIDES = ("rows", "columns")


def _points(m: Measured) -> float:
    rows, columns = (int(m.case.parameters[n]) for n in _SIDES)
    return float(rows * columns)
