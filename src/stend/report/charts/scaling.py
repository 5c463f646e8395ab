"""Cases with a number of threads (or of copies) → a panel an operation, threads along.

Variants are told apart by colour, and so are ways to place threads, which are always lines.
"""

from collections.abc import Sequence

from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label, marker
from stend.report.charts.group import Group, by_series, reach
from stend.report.measured import Measured
from stend.report.quantities import number

MOST_BARS = 4
"""With more thread counts than this, lines read better than bars."""
MOST_PANELS = 8


def takes(group: Group) -> bool:
    """Whether the cases differ by their number of threads."""
    return bool(group.workers)


def draw(group: Group) -> Chart:
    """Bars for a few thread counts, lines for many, all panels on one scale from zero."""
    workers = group.workers
    operations = by_series(group.members, [m.what for m in group.members])
    panels = operations if len(operations) <= MOST_PANELS else {"": list(group.members)}
    split = len(panels) > 1
    names = [group.series_of(m, workers, what=not split) for m in group.members]
    series = list(dict.fromkeys(names))
    as_bars = "affinity" not in group.varied and len(group.values(workers)) <= MOST_BARS
    counts = [int(v) for v in group.values(workers)]
    _, high = reach(group.members, group.scale)
    tips = zip(group.members, high, strict=True)
    top = 1.05 * max(m.estimate.value * group.scale.factor + (h or 0.0) for m, h in tips)
    return Chart(
        title=f"{group.title} by {workers}",
        says=f"The {group.metric} with {_list(counts)} {workers}; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=tuple(
            Panel(
                [_trace(group, s, series.index(s), members, as_bars)
                 for s, members in by_series(
                     panel, [group.series_of(m, workers, what=not split) for m in panel]
                 ).items()],
                _layout(group, counts, top, as_bars),
                title if split else "",
            )
            for title, panel in panels.items()
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if series != [""] else (),
    )  # fmt: skip


def _trace(
    group: Group, name: str, series: int, members: Sequence[Measured], as_bars: bool
) -> Plot:
    members = sorted(members, key=lambda m: m.case.parameters[group.workers])
    low, high = reach(members, group.scale)
    trace: Plot = {
        "name": label(name),
        "x": [str(m.case.parameters[group.workers]) for m in members],
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
    shown = number(m.estimate.value, group.scale, m.estimate.ends)
    count = m.case.parameters[group.workers]
    return label(f"{name + ', ' if name else ''}{count} {group.workers}") + (
        f"<br><b>{shown}</b> {label(group.scale.unit)}"
    )


def _layout(group: Group, counts: Sequence[int], top: float, as_bars: bool) -> Plot:
    x: Plot = {"title": {"text": group.workers}}
    if as_bars:
        x |= {"type": "category", "categoryarray": [str(c) for c in counts]}
    elif len(counts) <= MOST_BARS:
        x |= {"tickvals": list(counts)}
    return {
        "xaxis": x,
        "yaxis": {"title": {"text": label(group.axis)}, "range": [0, top]},
        "barmode": "group",
        "bargap": 0.25,
        "bargroupgap": 0.05,
    }


def _list(counts: Sequence[int]) -> str:
    if len(counts) > MOST_BARS:
        return f"{counts[0]} to {counts[-1]}"
    return " and ".join([", ".join(map(str, counts[:-1])), str(counts[-1])])
