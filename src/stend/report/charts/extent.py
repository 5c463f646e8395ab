"""Limits a chart to as many cases as it can show, and says which those are.

Only charts of a mark or a row a case need it; the page's tables of figures have all cases.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from stend.report.charts.chart import Chart
from stend.report.charts.group import Group, by_series
from stend.report.measured_case import Measured

LINES = 16
"""Of one panel: there are eight colours, and with twice as many lines each is met twice."""
ROWS = 500
"""Of a chart with a row a case, and of the table behind any chart: more is scrolled past, unread.
Full runs of every benchmark have fewer."""


def rows(members: Sequence[Measured]) -> tuple[Sequence[Measured], str]:
    """The first cases, and a sentence where they are not all."""
    if len(members) <= ROWS:
        return members, ""
    return members[:ROWS], _sentence("cases", ROWS, len(members))


def lines(group: Group, along: Iterable[str]) -> tuple[Group, str]:
    """The group's first whole lines, drawn along these parameters, and a sentence likewise."""
    varied = [name for name in along if name in group.varied]
    if not varied:
        shown, said = rows(group.members)
        return group.part(shown), said
    names = [group.series_of(m, *varied, what=False) for m in group.members]
    found = [*by_series(group.members, names).values()]
    if len(found) <= LINES:
        return group, ""
    kept = {m.index for line in found[:LINES] for m in line}
    said = _sentence("lines", LINES, len(found))
    return group.part(m for m in group.members if m.index in kept), said


def shortened(chart: Chart, said: str) -> Chart:
    """The chart with the sentence, and with no more rows behind it than anyone reads."""
    notes = [said]
    if len(chart.rows) > ROWS:
        notes.append(
            f"The table behind the chart has the first {ROWS} of {len(chart.rows):,} rows; the "
            "figures below have all."
        )
    return replace(chart, rows=chart.rows[:ROWS], notes=(*chart.notes, *filter(None, notes)))


def _sentence(things: str, shown: int, of: int) -> str:
    return f"The chart shows the first {shown} of {of:,} {things}; the figures below have all."
