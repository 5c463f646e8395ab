"""Cases over several sizes or durations → lines along that parameter, on log axes."""

from collections.abc import Sequence

from stend.comparing.values import work_of
from stend.record import Scalar
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, decades, label, marker
from stend.report.charts.group import Group, Measured, by_series, reach, spans
from stend.report.quantities import figure, number, parameter, scale

_LEAST_VALUES = 3
_LEAST_SPAN = 4.0
_MOST_TICKS = 8


def takes(group: Group) -> bool:
    """Whether some parameter runs over enough numbers to draw a line."""
    return swept(group) is not None


def swept(group: Group) -> str | None:
    """The parameter with most values, of those that are positive, numeric and spread out."""
    names = [n for n in group.varied if _runs(group.values(n))]
    names = [n for n in names if all(n in m.case.parameters for m in group.members)]
    return max(names, key=lambda n: len(group.values(n)), default=None)


def draw(group: Group) -> Chart:
    """The metric, and for a rate also the time of one execution, along the parameter."""
    name = swept(group)
    assert name is not None
    series = by_series(group.members, [group.series_of(m, name) for m in group.members])
    y: Plot = {"rangemode": "tozero"}
    if spans(group.members, 5):
        y = decades([m.estimate.value for m in group.members], group.scale, group.unit)
    panels = [Panel(_lines(group, name, series), _layout(group, name, group.axis, y), group.metric)]
    if spans(group.members, 1) and all(work_of(m.case.metric, m.case.work) for m in group.members):
        panels.append(_time_panel(group, name, series))
    return Chart(
        title=f"{group.title} by {name}",
        says=f"The {group.metric} along {name}, which runs on a log axis; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=tuple(panels),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
    )


def axis(group: Group, name: str) -> Plot:
    """A log axis whose ticks are the parameter's own values, as people write them."""
    values = [float(v) for v in group.values(name)]
    every = -(-len(values) // _MOST_TICKS)
    shown = values[::every]
    return {
        "type": "log",
        "title": {"text": label(name)},
        "tickvals": shown,
        "ticktext": [label(parameter(name, _whole(v))) for v in shown],
    }


def _runs(values: Sequence[Scalar]) -> bool:
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) < max(len(values), _LEAST_VALUES) or min(numbers) <= 0:
        return False
    return max(numbers) >= _LEAST_SPAN * min(numbers)


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _lines(group: Group, name: str, series: dict[str, list[Measured]]) -> list[Plot]:
    traces = []
    for i, (title, members) in enumerate(series.items()):
        ordered = sorted(members, key=lambda m: float(m.case.parameters[name]))
        low, high = reach(ordered, group.scale)
        traces.append(
            _line(title, name, i, ordered, [m.estimate.value * group.scale.factor for m in ordered])
            | {"error_y": bars(low, high, i)}
            | {"text": [_hover(title, name, m, number(m.estimate.value, group.scale,
                        m.estimate.ends) + " " + group.scale.unit) for m in ordered]}
        )  # fmt: skip
    return traces


def _line(
    title: str, name: str, i: int, members: Sequence[Measured], values: Sequence[float]
) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": label(title),
        "x": [float(m.case.parameters[name]) for m in members],
        "y": list(values),
        "marker": marker(i),
        "line": {"color": colour(i), "width": 2},
        "hovertemplate": "%{text}<extra></extra>",
    }


def _time_panel(group: Group, name: str, series: dict[str, list[Measured]]) -> Panel:
    times = {m.index: _seconds(m) for m in group.members}
    ordered_times = sorted(times.values())
    by = scale(ordered_times[len(ordered_times) // 2], "s")
    traces = []
    for i, (title, members) in enumerate(series.items()):
        ordered = sorted(members, key=lambda m: float(m.case.parameters[name]))
        traces.append(
            _line(title, name, i, ordered, [times[m.index] * by.factor for m in ordered])
            | {"text": [_hover(title, name, m, figure(times[m.index], "s")) for m in ordered]}
        )
    layout = _layout(group, name, "time", decades(ordered_times, by, "s"))
    return Panel(traces, layout, "time of one execution")


def _seconds(m: Measured) -> float:
    work = work_of(m.case.metric, m.case.work)
    assert work is not None
    return work / m.estimate.value


def _hover(title: str, name: str, m: Measured, shown: str) -> str:
    where = f"{name} {parameter(name, m.case.parameters[name])}"
    return label(f"{title}, {where}" if title else where) + f"<br><b>{label(shown)}</b>"


def _layout(group: Group, name: str, title: str, y: Plot) -> Plot:
    return {"xaxis": axis(group, name), "yaxis": y | {"title": {"text": label(title)}}}
