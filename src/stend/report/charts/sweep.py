"""Chart of cases over sizes or durations: lines along that parameter, on log axes.

Each number of threads has a panel of its own, and so has each operation where there would be
too many lines in one. Beside a rate stands its share of the measured peak, where the run has
that, or else the time of one execution.
"""

from collections.abc import Mapping, Sequence

from stend.comparing.limits import seconds_of, threads_of
from stend.record import Scalar
from stend.report.charts import bars
from stend.report.charts.chart import SERIES, Chart, Panel, Plot, decades, label, reaching
from stend.report.charts.group import Group, by_series, spans
from stend.report.measured_case import Measured
from stend.report.quantities import Scale, counted, figure, parameter, scale

_LEAST_VALUES = 3
_LEAST_SPAN = 4.0
_MOST_TICKS = 8

Series = dict[str, list[Measured]]


def takes(group: Group) -> bool:
    """Whether some parameter runs over enough numbers to draw a line, more than of threads."""
    name = swept(group)
    return name is not None and (
        not group.workers or len(group.values(name)) > len(group.values(group.workers))
    )


def swept(group: Group) -> str | None:
    """The parameter with most values, of those that are positive, numeric and spread out."""
    names = [n for n in group.varied if n != group.workers and _runs(group.values(n))]
    names = [n for n in names if all(n in m.case.parameters for m in group.members)]
    return max(names, key=lambda n: len(group.values(n)), default=None)


def draw(group: Group) -> Chart:
    """The metric along the parameter, and beside it the share of the peak or the time."""
    name = swept(group)
    assert name is not None
    parts = _parts(group, name)
    legend = list(dict.fromkeys(s for _, series in parts for s in series))
    y: Plot = {"rangemode": "tozero"}
    if spans(group.members, 5):
        values = [m.estimate.value for m in group.members]
        y = decades(values, group.scale, group.unit)
        y["range"] = reaching(min(values), max(values), group.scale)
    elif len(parts) > 1:
        y = {"range": [0, 1.08 * max(m.estimate.value for m in group.members) * group.scale.factor]}
    panels = [_figures(group, name, part, y, legend) for part in parts]
    panels += _further_panels(group, name, parts, legend)
    return Chart(
        title=f"{group.title} by {name}",
        says=f"The {group.metric} along {name}, which runs on a log axis; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=tuple(panels),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(legend) if len(legend) > 1 else (),
        across=max(2, len({_operation(title) for title, _ in parts})),
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


Part = tuple[str, Series]
"""A panel's title and its lines."""


def _parts(group: Group, name: str) -> list[Part]:
    """One panel for each number of threads; for each operation too, if they are many lines."""
    together = _split(group, name, operations=False)
    several = len({m.what for m in group.members}) > 1
    if several and max(len(series) for _, series in together) > SERIES:
        return _split(group, name, operations=True)
    return together


def _split(group: Group, name: str, operations: bool) -> list[Part]:
    ordered = sorted(group.members, key=lambda m: threads_of(m.case))
    titles = [_title(group, m, operations) for m in ordered]
    return [
        (
            title,
            by_series(
                members,
                [group.series_of(m, name, group.workers, what=not operations) for m in members],
            ),
        )
        for title, members in by_series(ordered, titles).items()
    ]


def _title(group: Group, m: Measured, operations: bool) -> str:
    words = [m.what] if operations else []
    if group.workers:
        words.append(counted(threads_of(m.case), group.workers))
    return ", ".join(words)


def _operation(title: str) -> str:
    """What is left of a panel's title without its number of threads."""
    return title.rpartition(", ")[0]


def _figures(group: Group, name: str, part: Part, y: Plot, legend: Sequence[str]) -> Panel:
    title, series = part
    traces = bars.of_figures(
        group, series, lambda m: float(m.case.parameters[name]), lambda m: _where(name, m), legend
    )
    return Panel(traces, _layout(group, name, group.axis, y), title or group.metric)


def _further_panels(
    group: Group, name: str, parts: Sequence[Part], legend: Sequence[str]
) -> list[Panel]:
    shares = {m.index: s for m in group.members if (s := group.limits.of_peak(m)) is not None}
    if group.unit == "FLOP/s" and len(shares) == len(group.members):
        percents = {i: 100 * s for i, s in shares.items()}
        words = {i: f"{p:.1f}% of the peak" for i, p in percents.items()}
        y: Plot = {"range": [0, max(105.0, *percents.values())], "ticksuffix": "%"}
        return [
            _panel(group, name, part, (percents, words), ("share of the peak", y), legend)
            for part in parts
        ]
    times = {m.index: s for m in group.members if (s := seconds_of(m)) is not None}
    if len(parts) > 1 or group.unit in {"s", "seconds"} or len(times) < len(group.members):
        return []
    ordered = sorted(times.values())
    by = scale(ordered[len(ordered) // 2], "s")
    scaled = {i: t * by.factor for i, t in times.items()}
    words = {i: figure(t, "s") for i, t in times.items()}
    titles = ("time", decades(ordered, by, "s"))
    return [_panel(group, name, parts[0], (scaled, words), titles, legend)]


def _panel(
    group: Group,
    name: str,
    part: Part,
    shown: tuple[Mapping[int, float], Mapping[int, str]],
    titles: tuple[str, Plot],
    legend: Sequence[str],
) -> Panel:
    """The same lines through other values: each member's, and its words."""
    (values, words), (title, y) = shown, titles
    traces = []
    for series, members in part[1].items():
        ordered = sorted(members, key=lambda m: float(m.case.parameters[name]))
        x = [float(m.case.parameters[name]) for m in ordered]
        text = [bars.hover(series, _where(name, m), words[m.index]) for m in ordered]
        at = [values[m.index] for m in ordered]
        traces.append(bars.line(series, legend.index(series), x, at, text))
    heading = f"{title}, {part[0]}" if part[0] else title
    if title == "time":
        heading = "time of one execution"
    return Panel(traces, _layout(group, name, title, y), heading)


def _where(name: str, m: Measured) -> str:
    return f"{name} {parameter(name, m.case.parameters[name])}"


def _layout(group: Group, name: str, title: str, y: Plot) -> Plot:
    values = [float(v) for v in group.values(name)]
    x = axis(group, name) | {"range": reaching(min(values), max(values), Scale(1.0, ""))}
    return {"xaxis": x, "yaxis": y | {"title": {"text": label(title)}}}
