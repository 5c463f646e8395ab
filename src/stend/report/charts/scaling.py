"""Chart of scaling: a panel an operation, along the number of threads or copies, or of both.

Variants are told apart by colour, and so are ways to place threads, which are always lines.
Copies share no arrays and never wait for one another; what they reach beyond as many threads is
what sharing costs.
"""

from collections.abc import Callable, Sequence

from stend.comparing.limits import threads_of
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label, marker
from stend.report.charts.group import Group, by_series, reach
from stend.report.measured_case import Measured
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
    panels, single = _by_operation(group)
    split = len(panels) + bool(single) > 1
    what = not split and not single
    series = list(dict.fromkeys(name(m, what) for m in group.members))
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
        panels=(
            *(
                Panel(
                    [
                        _trace(group, line, series.index(line), members, as_bars)
                        for line, members in by_series(
                            panel, [name(m, what) for m in panel]
                        ).items()
                    ],
                    layout,
                    title if split else "",
                )
                for title, panel in panels.items()
            ),
            *([_together(group, single, series, name, layout, split)] if single else []),
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if series != [""] else (),
    )


def _by_operation(group: Group) -> tuple[dict[str, list[Measured]], list[Measured]]:
    """A panel an operation; and those of which there is one figure, which share a panel."""
    operations = by_series(group.members, [m.what for m in group.members])
    if len(operations) > MOST_PANELS:
        return {"": list(group.members)}, []
    single = [members[0] for members in operations.values() if len(members) == 1]
    if not single:
        return operations, []
    if len(single) == 1:
        return {"": list(group.members)}, []
    return {what: members for what, members in operations.items() if len(members) > 1}, single


def _together(
    group: Group,
    members: Sequence[Measured],
    series: Sequence[str],
    name: Name,
    layout: Plot,
    others: bool,
) -> Panel:
    """Bars of one figure for each operation, side by side; their numbers of threads below them."""
    traces = []
    for line, own in by_series(members, [name(m, False) for m in members]).items():
        trace = _trace(group, line, series.index(line), own, as_bars=True)
        ordered = sorted(own, key=lambda m: threads_of(m.case))
        traces.append(trace | {"x": [f"{label(m.what)}<br>{threads_of(m.case)}" for m in ordered]})
    places = [x for trace in traces for x in trace["x"]]
    x = layout["xaxis"] | {"type": "category", "categoryarray": places, "tickvals": places}
    return Panel(traces, layout | {"xaxis": x}, "the others" if others else "")


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


_COPIES = ".copies"
"""What the stem of the copies has after that of the threads."""


def pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Each group of threads with the one of the copies of the same programs."""
    copies = {(g.stem, g.unit): g for g in groups if _counted(g, "copies")}
    return [
        (g, copies[g.stem + _COPIES, g.unit])
        for g in groups
        if g.workers == "threads" and (g.stem + _COPIES, g.unit) in copies
    ]


def draw_pair(threads: Group, copies: Group) -> Chart:
    """Both along their number; each line is of threads or of copies."""
    both = threads.part([*threads.members, *copies.members])
    differing = [n for n in both.varied if n not in threads.varied and n not in copies.varied]
    return drawn(
        both,
        "threads and copies",
        lambda m, what: ", ".join(
            filter(None, [
                both.series_of(m, "threads", "copies", *differing, what=what),
                "copies" if "copies" in m.case.parameters else "threads",
            ])
        ),
        says="Copies are whole programs, each with its own arrays: the difference to as "
                "many threads is the cost of sharing.",
    )  # fmt: skip


def _counted(group: Group, name: str) -> bool:
    return all(type(m.case.parameters.get(name)) is int for m in group.members)
