"""How operations of threads grow with a count, of blocked or contending threads → lines."""

from collections.abc import Sequence

from stend.report.charts import conditions, lines
from stend.report.charts.chart import Chart, Panel, Plot, decades, label, reaching
from stend.report.charts.group import Group, by_series
from stend.report.measured import Measured
from stend.report.quantities import Scale, figure, parameter

_MOST_TICKS = 8
_MOST = 2.0
"""Times a figure that its whiskers reach at most; the table has the ends of the interval."""
_LEAST_SPAN = 5.0
"""Ends of the axis of times are at least so many times apart: so there are ticks, 1, 2 and 5 times
a power of ten, and what hardly changes looks like it."""
_ONLY = "operations of one kind"
"""In a legend that tells several kinds of another operation apart."""


def draw(group: Group, along: str, title: str, says: str, least: int) -> Chart | None:
    """A panel an operation, both axes logarithmic; None of fewer than `least` counts."""
    counts = {m.index: m.case.parameters.get(along) for m in group.members}
    members = [m for m in group.members if type(n := counts[m.index]) is int and n > 0]
    whole = by_series(members, [m.case.benchmark for m in members])
    shown = [some for some in whole.values() if len(_counts(some, along)) >= least]
    if not shown:
        return None
    members = [m for some in shown for m in some]
    several = len(set(map(conditions.conditions, members))) > 1
    names = {m.index: _line_of(m, along, several) for m in members}
    legend = list(dict.fromkeys(names.values()))
    heads = sorted({count for some in shown for count in _counts(some, along)})
    rows = by_series(members, [_row_of(m, along) for m in members])
    return Chart(
        title=title,
        says=says,
        panels=tuple(_panel(group.part(some), along, names, legend) for some in shown),
        columns=("operation", *(parameter(along, count) for count in heads)),
        rows=tuple((name, *_cells(some, along, heads)) for name, some in rows.items()),
        legend=tuple(legend) if len(legend) > 1 else (),
        across=min(3, max(2, len(shown))),
    )


def _counts(members: Sequence[Measured], along: str) -> list[int]:
    return sorted({int(m.case.parameters[along]) for m in members})


def _line_of(m: Measured, along: str, several: bool) -> str:
    """What it is beside the operation's name: its variant, other parameters, conditions."""
    own = conditions.operation(m, along).partition(", ")[2]
    where = conditions.in_words(conditions.conditions(m)) if several else ""
    return ", ".join(filter(None, [own, where])) or _ONLY


def _row_of(m: Measured, along: str) -> str:
    where = conditions.in_words(conditions.conditions(m))
    return ", ".join(filter(None, [conditions.operation(m, along), where]))


def _cells(members: Sequence[Measured], along: str, counts: Sequence[int]) -> list[str]:
    found = {int(m.case.parameters[along]): m.estimate for m in members}
    return [figure(e.value, e.unit, e.ends) if (e := found.get(n)) else "–" for n in counts]


def _panel(group: Group, along: str, names: dict[int, str], legend: Sequence[str]) -> Panel:
    traces = lines.of_figures(
        group,
        by_series(group.members, [names[m.index] for m in group.members]),
        lambda m: float(m.case.parameters[along]),
        lambda m: f"{parameter(along, m.case.parameters[along])} {along}",
        legend,
    )
    counts = _counts(group.members, along)
    ends = _shorten(traces)
    reached = [10**end / group.scale.factor for end in ends]
    y = decades(reached, group.scale, "s") | {"title": {"text": "time"}, "range": ends}
    layout: Plot = {"xaxis": _axis(counts, along), "yaxis": y}
    return Panel(traces, layout, label(conditions.operation(group.members[0]).partition(",")[0]))


def _shorten(traces: Sequence[Plot]) -> list[float]:
    """Cut whiskers to a few times the figure, as a log axis would draw them without end.

    Gives the ends of the axis.
    """
    ends = []
    for trace in traces:
        error = trace["error_y"]
        for i, y in enumerate(trace["y"]):
            low = y - min(error["arrayminus"][i] or 0.0, y - y / _MOST)
            high = y + min(error["array"][i] or 0.0, y * _MOST - y)
            error["arrayminus"][i], error["array"][i] = y - low, high - y
            ends += [low, high]
    low, high = min(ends), max(ends)
    wider = max(1.0, _LEAST_SPAN * low / high) ** 0.5
    return reaching(low / wider, high * wider, Scale(1.0, ""))


def _axis(counts: Sequence[int], along: str) -> Plot:
    shown = counts[:: -(-len(counts) // _MOST_TICKS)]
    return {
        "type": "log",
        "title": {"text": f"{along} threads" if along != "threads" else along},
        "tickvals": shown,
        "ticktext": [label(parameter(along, n)) for n in shown],
        "range": reaching(counts[0], counts[-1], Scale(1.0, "")),
    }
