"""Chart of any cases: a row with a dot and its interval for each; used when no other chart fits."""

from collections.abc import Sequence

from stend.report.charts.chart import Chart, Panel, Plot, bars, decades, label, marker
from stend.report.charts.group import Group, by_series, reach, spans
from stend.report.measured_case import Measured

_ROW = 26
"""Pixels a line takes."""


def takes(group: Group) -> bool:
    """Anything with a figure."""
    return bool(group.members)


def draw(group: Group) -> Chart:
    """One row a case; a row a word where the cases differ by one: a timer, an algorithm."""
    name = _word(group)
    return _by_word(group, name) if name else by_case(group)


def by_case(group: Group) -> Chart:
    """One row a case, in the order they were measured, variants by colour and shape."""
    names = {m.index: group.series_of(m) or m.case.benchmark for m in group.members}
    variants = by_series(group.members, [m.variant for m in group.members])
    return Chart(
        title=group.title,
        says=f"The {group.metric} of each case; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=(
            Panel(
                [
                    trace(group, [names[m.index] for m in members], members, i)
                    for i, members in enumerate(variants.values())
                ],
                layout(group, list(dict.fromkeys(names.values()))),
            ),
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(v or "no variant" for v in variants) if len(variants) > 1 else (),
    )


def trace(group: Group, rows: Sequence[str], members: Sequence[Measured], series: int) -> Plot:
    """Dots at the members' values, one on each of `rows`."""
    low, high = reach(members, group.scale)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [m.estimate.value * group.scale.factor for m in members],
        "y": [label(row) for row in rows],
        "error_x": bars(low, high, series),
        "marker": marker(series),
        "text": [f"{label(m.case.name)}<br><b>{label(group.shown(m))}</b>" for m in members],
        "hovertemplate": "%{text}<extra></extra>",
    }


def layout(group: Group, rows: Sequence[str]) -> Plot:
    """Rows downwards; the values from zero, or on a log axis when they span decades."""
    names = list(dict.fromkeys(label(row) for row in reversed(rows)))
    values: Plot = {"title": {"text": label(group.axis)}, "rangemode": "tozero"}
    if spans(group.members, 30):
        values = decades([m.estimate.value for m in group.members], group.scale, group.unit)
        values |= {"title": {"text": label(group.metric)}}
    return {
        "xaxis": values,
        "yaxis": {
            "type": "category",
            "categoryarray": names,
            "range": [-0.7, len(names) - 0.3],
            "automargin": True,
            "showgrid": True,
        },
        "height": 90 + _ROW * max(2, len(rows)),
    }


def _word(group: Group) -> str | None:
    """The parameter with most words, which every case has."""
    names = [
        n
        for n in group.varied
        if all(isinstance(m.case.parameters.get(n), str) for m in group.members)
    ]
    return max(names, key=lambda n: len(group.values(n)), default=None)


def _by_word(group: Group, name: str) -> Chart:
    """The rows share one axis, so that overhead and resolution of a timer stand together."""
    series = by_series(group.members, [group.series_of(m, name) for m in group.members])
    ordered = sorted(group.members, key=lambda m: m.estimate.value)
    rows = list(dict.fromkeys(str(m.case.parameters[name]) for m in ordered))
    if group.members[0].case.metric.better == "higher":
        rows.reverse()
    return Chart(
        title=f"{group.title} by {name}",
        says=f"The {group.metric} of each {name}; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=(
            Panel(
                [
                    trace(group, [str(m.case.parameters[name]) for m in members], members, i)
                    for i, members in enumerate(series.values())
                ],
                layout(group, rows),
            ),
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
    )
