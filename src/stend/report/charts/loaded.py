"""Latency while other threads load the memory → the latency against the bandwidth they take."""

from stend.report.charts import lines
from stend.report.charts.chart import Chart, Panel, label
from stend.report.charts.group import Group, by_series
from stend.report.quantities import figure, scale

INJECTED = "injected B/s"


def takes(group: Group) -> bool:
    """Whether each case tells how many bytes a second the others moved meanwhile."""
    return len(group.members) > 1 and all(
        m.estimate.also.get(INJECTED, -1.0) >= 0 for m in group.members
    )


def draw(group: Group) -> Chart:
    """A line for each size and number of threads, along the bandwidth that was reached."""
    series = by_series(group.members, [group.series_of(m, "delay") for m in group.members])
    injected = {m.index: m.estimate.also[INJECTED] for m in group.members}
    by = scale(max(injected.values()), "B/s")
    figures = lines.of_figures(
        group,
        series,
        lambda m: injected[m.index] * by.factor,
        lambda m: figure(injected[m.index], "B/s"),
    )
    layout = {
        "xaxis": {"title": {"text": label(f"bandwidth taken, {by.unit}")}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": label(group.axis)}, "rangemode": "tozero"},
    }
    return Chart(
        title=f"{group.title} by the load on the memory",
        says="How long one dependent load takes while other threads move so many bytes a second; "
        "lower is better. Where the line rises steeply, the memory has no more to give.",
        panels=(Panel(figures, layout),),
        columns=("case", group.metric, "bandwidth taken"),
        rows=tuple(
            (*row, figure(injected[m.index], "B/s"))
            for row, m in zip(group.rows(), group.members, strict=True)
        ),
        legend=tuple(series) if len(series) > 1 else (),
    )
