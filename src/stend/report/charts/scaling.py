"""Cases with a number of threads (or of copies) → a panel an operation, threads along.

Variants are told apart by colour, and so are ways to place threads, which are always lines.
"""

from collections.abc import Callable, Sequence

from stend.comparing.limits import threads_of
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label, marker
from stend.report.charts.group import Group, by_series, reach
from stend.report.measured import Measured
from stend.report.quantities import counted

MOST_BARS = 4
"""With more thread counts than this, lines read better than bars."""
MOST_PANELS = 8

Name = Callable[[Measured, bool], str]
"""The line that a case belongs to, with its operation or without."""


def takes(group: Group) -> bool:
    """Whether the cases differ by their number of threads."""
    return bool(group.workers)


def draw(group: Group) -> Chart:
    """Bars for a few thread counts, lines for many, all panels on one scale from zero."""
    return drawn(group, group.workers, lambda m, what: group.series_of(m, group.workers, what=what))


def drawn(group: Group, workers: str, name: Name, says: str = "") -> Chart:
    """The same of any that work at the same time; `workers` is what they are called."""
    operations = by_series(group.members, [m.what for m in group.members])
    panels = operations if len(operations) <= MOST_PANELS else {"": list(group.members)}
    split = len(panels) > 1
    series = list(dict.fromkeys(name(m, not split) for m in group.members))
    counts = sorted({threads_of(m.case) for m in group.members})
    as_bars = "affinity" not in group.varied and len(counts) <= MOST_BARS
    _, high = reach(group.members, group.scale)
    tips = zip(group.members, high, strict=True)
    top = 1.05 * max(m.estimate.value * group.scale.factor + (h or 0.0) for m, h in tips)
    layout = _layout(group.axis, workers, counts, top, as_bars)
    return Chart(
        title=f"{group.title} by {workers}",
        says=f"The {group.metric} with {_list(counts)} {workers}; {group.better}. "
        f"Whiskers are 95% intervals, cut where they are longer than the figure. {says}".rstrip(),
        panels=tuple(
            Panel(
                [
                    _trace(group, line, series.index(line), members, as_bars)
                    for line, members in by_series(
                        panel, [name(m, not split) for m in panel]
                    ).items()
                ],
                layout,
                title if split else "",
            )
            for title, panel in panels.items()
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if series != [""] else (),
    )


def _trace(
    group: Group, name: str, series: int, members: Sequence[Measured], as_bars: bool
) -> Plot:
    members = sorted(members, key=lambda m: threads_of(m.case))
    low, high = reach(members, group.scale)
    trace: Plot = {
        "name": label(name),
        "x": [str(threads_of(m.case)) for m in members],
        "y": [m.estimate.value * group.scale.factor for m in members],
        "error_y": bars(low, high, series),
        "text": [_hover(group, name, m) for m in members],
        "hovertemplate": "%{text}<extra></extra>",
    }
    if as_bars:
        trace["error_y"]["color"] = "--ink"
        look = {"type": "bar", "textposition": "none", "marker": {"color": colour(series)}}
    else:
        look = {"type": "scatter", "mode": "lines+markers", "marker": marker(series)}
        look["line"] = {"color": colour(series), "width": 2}
        trace["x"] = [int(x) for x in trace["x"]]
    return trace | look


def _hover(group: Group, name: str, m: Measured) -> str:
    things = "copies" if "copies" in m.case.parameters else "threads"
    return label(f"{name + ', ' if name else ''}{counted(threads_of(m.case), things)}") + (
        f"<br><b>{label(group.shown(m))}</b>"
    )


def _layout(axis: str, workers: str, counts: Sequence[int], top: float, as_bars: bool) -> Plot:
    x: Plot = {"title": {"text": workers}}
    if as_bars:
        x |= {"type": "category", "categoryarray": [str(c) for c in counts]}
    elif len(counts) <= MOST_BARS:
        x |= {"tickvals": list(counts)}
    return {
        "xaxis": x,
        "yaxis": {"title": {"text": label(axis)}, "range": [0, top]},
        "barmode": "group",
        "bargap": 0.25,
        "bargroupgap": 0.05,
    }


def _list(counts: Sequence[int]) -> str:
    if len(counts) > MOST_BARS:
        return f"{counts[0]} to {counts[-1]}"
    return " and ".join([", ".join(map(str, counts[:-1])), str(counts[-1])])
