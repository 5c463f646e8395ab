"""Charts of messages by size: medians and tails as lines; their histograms.

As in Golenkov et al. 2015, figure 4: what a message costs is not one time, and the shapes say
what disturbs it. Both axes are logarithmic, so that the four, and rare long times, are seen.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stend.comparing.estimate import Values
from stend.report.charts import bars
from stend.report.charts.chart import (
    SERIES,
    Chart,
    Panel,
    Plot,
    colour,
    column,
    decades,
    label,
    reaching,
)
from stend.report.charts.group import Group, by_series
from stend.report.measured_case import P99, P999, Measured, repetitions, tail
from stend.report.quantities import Scale, figure, parameter, scale

_SIZES = {1000: "1 KB", 1024: "1 KB", 128_000_000: "128 MB", 128 << 20: "128 MB"}
_WITHIN, _BETWEEN = "within a node", "between nodes"
_PLACES = {"socket": _WITHIN, "sockets": _WITHIN, "nodes": _BETWEEN}
NAMES = tuple(f"{size}, {place}" for size in ("1 KB", "128 MB") for place in (_WITHIN, _BETWEEN))
_BINS_A_DECADE = 40


def draw_shares(members: Sequence[Measured]) -> Chart | None:
    """A panel for each MPI; None where none of the four was measured.

    Each is of one case, the first of its kind: two places in one histogram would be two humps.
    """
    mine = [m for m in members if _name(m) in NAMES]
    if not mine:
        return None
    there = {_name(m) for m in mine}
    names = tuple(name for name in NAMES if name in there)
    panels = []
    rows = []
    for variant, some in by_series(mine, [m.variant for m in mine]).items():
        firsts = {_name(m): m for m in reversed(some)}
        times = {name: repetitions(firsts[name]) for name in names if name in firsts}
        panels.append(_share_panel(times, names, variant))
        rows += [_share_row(name, firsts[name], x) for name, x in times.items()]
    return Chart(
        title="mpi: how the times of a message spread",
        says="The share of the messages that took so long, of 1 KB and of 128 MB, within "
        "a node and between nodes, as in Golenkov et al. 2015, figure 4; both axes "
        "are logarithmic. A mean would hide a second hump or bars far to the right." + _pair(mine),
        panels=tuple(panels),
        columns=("messages", "how many", "median", "5% to 95%", "longest", "case"),
        rows=tuple(rows),
        legend=names,
        across=1,
    )


def _pair(members: Sequence[Measured]) -> str:
    """Which hosts stand for all pairs of them, where there are several."""
    pairs = dict.fromkeys(str(m.case.parameters.get("hosts", "")) for m in members)
    there = [hosts for hosts in pairs if hosts]
    return f" Between nodes: {there[0]}, one of {len(there)} pairs." if len(there) > 1 else ""


def _name(m: Measured) -> str:
    size = m.case.parameters.get("bytes")
    known = _SIZES.get(size, "") if type(size) is int else ""
    return f"{known}, {_PLACES.get(str(m.case.parameters.get('place')), '')}"


def _share_row(name: str, m: Measured, times: Values) -> tuple[str, ...]:
    low, middle, high = (float(x) for x in np.quantile(times, [0.05, 0.5, 0.95]))
    return (
        ", ".join(filter(None, [name, m.variant])),
        f"{len(times):,}",
        figure(middle, "s"),
        f"{figure(low, 's')} – {figure(high, 's')}",
        figure(float(times.max()), "s"),
        m.case.name,
    )


def _share_panel(times: dict[str, Values], names: Sequence[str], variant: str) -> Panel:
    """One prefix for all: the seconds of the axis are written with their own."""
    by = Scale(1e6, "µs")
    least, most = (f(float(f(x)) for x in times.values()) for f in (min, max))
    bins = max(8, int(np.ceil(np.log10(most / least) * _BINS_A_DECADE)))
    edges = np.geomspace(least * 0.999, most * 1.001, bins + 1)
    traces = [_bars(name, names.index(name), x, edges, by) for name, x in times.items()]
    lowest = min(1 / len(x) for x in times.values())
    ticks = [10.0**-p for p in range(6) if 10.0**-p >= lowest / 10]
    layout: Plot = {
        "xaxis": decades([least, most], by, "s")
        | {"title": {"text": "time of a message"}, "range": reaching(least, most, by)},
        "yaxis": {
            "type": "log",
            "title": {"text": "share of the messages"},
            "tickvals": ticks,
            "ticktext": [f"{100 * t:g}%" for t in ticks],
            "range": [np.log10(lowest / 2), 0.05],
        },
        "barmode": "overlay",
        "bargap": 0,
        "height": 320,
    }
    return Panel(traces, layout, variant)


def _bars(name: str, series: int, times: Values, edges: Values, by: Scale) -> Plot:
    counts, _ = np.histogram(times, bins=edges)
    there = counts > 0
    return {
        "type": "bar",
        "name": name,
        "x": column((np.sqrt(edges[:-1] * edges[1:]) * by.factor)[there]),
        "y": column((counts / len(times))[there]),
        "width": column((np.diff(edges) * by.factor)[there]),
        "marker": {"color": colour(series), "opacity": 0.75, "line": {"width": 0}},
        "hovertemplate": f"{label(name)}<br>%{{y:.2%}} at %{{x:.4r}} {by.unit}<extra></extra>",
    }


SIZE = "bytes"
_TAILS = ((P99, "99%", "dot"), (P999, "99.9%", "dash"))
_MOST_TICKS = 7
_SMALL_FROM = 12

Series = dict[str, list[Measured]]


def has_size(m: Measured) -> bool:
    """Whether it has a place on the axis."""
    size = m.case.parameters.get(SIZE)
    return type(size) is int and size >= 0


def draw(group: Group, title: str, says: str) -> Chart:
    """A panel a benchmark; of times of messages between two ranks the bandwidth beside it.

    Where there are too many lines for one panel each variant has its own.
    """
    benchmarks = len({m.what for m in group.members}) > 1
    variants = len({m.variant for m in group.members}) > 1
    split = variants and _lines(group, variants=True) > SERIES
    names = {m.index: _series_of(group, m, variants=not split) for m in group.members}
    legend = list(dict.fromkeys(names.values()))[:SERIES]
    panels, tailed = [], False
    titles = [_panel_of(m, benchmarks, split) for m in group.members]
    for title_of, some in by_series(group.members, titles).items():
        panel = _panel(group, some, names, legend, title_of)
        tailed = tailed or any(trace["mode"] == "lines" for trace in panel.traces)
        panels.append(panel)
        if not benchmarks and some[0].estimate.unit == "s":
            title_of_rates = title_of.replace("latency", "bandwidth")
            panels.append(_bandwidth(group, some, names, legend, title_of_rates))
    tails = " Dotted lines are what 99% of the repetitions stay within, dashed ones 99.9%."
    return Chart(
        title=title,
        says=says + (tails if tailed else "") + _all_of_them(group),
        panels=tuple(panels),
        columns=("case", "median", "99% stay within", "99.9% stay within", "bandwidth"),
        rows=tuple(map(_row, group.members)),
        legend=tuple(legend) if legend != [""] else (),
        notes=_left_out(len(set(names.values()))),
        across=2,
    )


def _all_of_them(group: Group) -> str:
    """What all cases share, which no legend says."""
    variants = {m.variant for m in group.members}
    same = {
        n: v
        for n, v in group.members[0].case.parameters.items()
        if n != SIZE and v != "" and group.values(n) == [v]
    }
    words = [*(variants if len(variants) == 1 else ()), *(_place(n, v) for n, v in same.items())]
    return f" All with {', '.join(filter(None, words))}." if any(words) else ""


def _lines(group: Group, variants: bool) -> int:
    return len({_series_of(group, m, variants) for m in group.members})


def _panel_of(m: Measured, benchmarks: bool, split: bool) -> str:
    single = not benchmarks and m.estimate.unit == "s"
    what = "latency" if single else m.what.replace("_", " ")
    return ", ".join(filter(None, [what, m.variant if split else ""]))


def _series_of(group: Group, m: Measured, variants: bool) -> str:
    """Variant, place, hosts and ranks, without the words that all share."""
    words = [
        _place(n, m.case.parameters[n])
        for n in group.varied
        if n != SIZE and m.case.parameters.get(n) not in {None, ""}
    ]
    several = variants and len({x.variant for x in group.members}) > 1
    return ", ".join(filter(None, [m.variant if several else "", *words]))


def _place(name: str, value: object) -> str:
    words = {"socket": "within a socket", "sockets": "between sockets", "nodes": "between nodes"}
    if name == "place":
        return words.get(str(value), str(value))
    if name == "hosts":
        return str(value)
    return f"{value} {name}" if name == "ranks" else f"{name} {value}"


def _left_out(count: int) -> tuple[str, ...]:
    if count <= SERIES:
        return ()
    return (f"The chart shows {SERIES} of {count} lines; the table has all of them.",)


def _panel(
    group: Group,
    members: Sequence[Measured],
    names: dict[int, str],
    legend: Sequence[str],
    title: str,
) -> Panel:
    """Medians with their tails; each benchmark has its own prefix and axis."""
    own = replace(group.part(members), unit=members[0].estimate.unit)
    by = own.scale
    traces: list[Plot] = []
    reached = []
    for name, some in _drawn(members, names, legend):
        ordered = sorted(some, key=_at)
        tails = {m.index: [(words, tail(m, share)) for share, words, _ in _TAILS] for m in ordered}
        reached += [m.estimate.value for m in ordered]
        for i, (_, _, dash) in enumerate(_TAILS):
            far = [(m, value) for m in ordered if (value := tails[m.index][i][1])]
            reached += [value for _, value in far]
            traces += [_thin(far, by, legend.index(name), dash)] if far else []
        traces.append(
            _line(
                name,
                legend.index(name),
                ordered,
                [m.estimate.value * by.factor for m in ordered],
                [_in_words(m, tails[m.index]) for m in ordered],
            )
        )
    y = decades(reached, by, own.unit) | {"title": {"text": label(_axis_title(own))}}
    y["range"] = reaching(min(reached), max(reached), by)
    return Panel(traces, {"xaxis": _axis(group), "yaxis": y, "height": 340}, title)


def _drawn(
    members: Sequence[Measured], names: dict[int, str], legend: Sequence[str]
) -> list[tuple[str, list[Measured]]]:
    series = by_series(members, [names[m.index] for m in members])
    return [(name, some) for name, some in series.items() if name in legend]


def _axis_title(own: Group) -> str:
    return {"s": "latency", "B/s": "bandwidth", "op/s": "messages a second"}[own.unit]


def _line(
    name: str, series: int, ordered: Sequence[Measured], y: Sequence[float], said: Sequence[str]
) -> Plot:
    """Through the members; of many sizes the marks are small."""
    text = [
        bars.hover(name, parameter(SIZE, m.case.parameters[SIZE]), words)
        for m, words in zip(ordered, said, strict=True)
    ]
    line = bars.line(name, series, list(map(_at, ordered)), y, text)
    if len(ordered) > _SMALL_FROM:
        line["marker"]["size"] = 5
    return line


def _thin(far: Sequence[tuple[Measured, float]], by: Scale, series: int, dash: str) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [_at(m) for m, _ in far],
        "y": [value * by.factor for _, value in far],
        "line": {"color": colour(series), "width": 1.1, "dash": dash},
        "hoverinfo": "skip",
    }


def _bandwidth(
    group: Group,
    members: Sequence[Measured],
    names: dict[int, str],
    legend: Sequence[str],
    title: str,
) -> Panel:
    rates = {m.index: rate for m in members if (rate := _rate(m))}
    by = scale(max(rates.values(), default=1.0), "B/s")
    traces = []
    for name, some in _drawn([m for m in members if m.index in rates], names, legend):
        ordered = sorted(some, key=_at)
        traces.append(
            _line(
                name,
                legend.index(name),
                ordered,
                [rates[m.index] * by.factor for m in ordered],
                [figure(rates[m.index], "B/s") for m in ordered],
            )
        )
    y: Plot = {"title": {"text": "bandwidth"}}
    if rates:
        y |= decades(list(rates.values()), by, "B/s")
        y["range"] = reaching(min(rates.values()), max(rates.values()), by)
    return Panel(traces, {"xaxis": _axis(group), "yaxis": y, "height": 340}, title)


def _rate(m: Measured) -> float | None:
    """Bytes of one message over the time it takes; None of an empty one."""
    size = int(m.case.parameters[SIZE])
    if m.estimate.unit != "s" or not size:
        return None
    return size / m.estimate.value


def _at(m: Measured) -> float:
    """Where on the log axis: an empty message half as far as one of a byte."""
    return max(float(m.case.parameters[SIZE]), 0.5)


def _axis(group: Group) -> Plot:
    """Ticks at sizes that were measured, evenly over the axis."""
    sizes = sorted({_at(m): m.case.parameters[SIZE] for m in group.members}.items())
    step = (sizes[-1][0] / sizes[0][0]) ** (1 / _MOST_TICKS) * 0.99
    shown: list[tuple[float, object]] = []
    for at, size in sizes:
        if not shown or at >= shown[-1][0] * step:
            shown.append((at, size))
    return {
        "type": "log",
        "title": {"text": "bytes of a message"},
        "tickvals": [at for at, _ in shown],
        "ticktext": [label(parameter(SIZE, int(str(size)))) for _, size in shown],
        "range": reaching(sizes[0][0], sizes[-1][0], Scale(1.0, "")),
    }


def _in_words(m: Measured, tails: Sequence[tuple[str, float | None]]) -> str:
    e = m.estimate
    words = [figure(e.value, e.unit, e.ends)]
    words += [f"{name} within {figure(value, e.unit)}" for name, value in tails if value]
    return ", ".join(words)


def _row(m: Measured) -> tuple[str, ...]:
    e = m.estimate
    tails = [tail(m, share) for share, _, _ in _TAILS]
    rate = _rate(m)
    return (
        m.case.name,
        figure(e.value, e.unit, e.ends),
        *("–" if value is None else figure(value, e.unit) for value in tails),
        "–" if rate is None else figure(rate, "B/s"),
    )
