"""Ping-pong of 1 KB and of 128 MB, within a node and between nodes → four histograms in one.

As in Golenkov et al. 2015, figure 4: what a message costs is not one time, and the shapes say
what disturbs it. Both axes are logarithmic, so that the four, and rare long times, are seen.
"""

from collections.abc import Sequence

import numpy as np

from stend.comparing.estimate import Values
from stend.report.charts.chart import Chart, Panel, Plot, colour, column, decades, label, reaching
from stend.report.charts.group import by_series
from stend.report.measured import Measured
from stend.report.quantities import Scale, figure
from stend.report.tails import repetitions

_SIZES = {1000: "1 KB", 1024: "1 KB", 128_000_000: "128 MB", 128 << 20: "128 MB"}
_WITHIN, _BETWEEN = "within a node", "between nodes"
_PLACES = {"socket": _WITHIN, "sockets": _WITHIN, "nodes": _BETWEEN}
NAMES = tuple(f"{size}, {place}" for size in ("1 KB", "128 MB") for place in (_WITHIN, _BETWEEN))
_BINS_A_DECADE = 40


def draw(members: Sequence[Measured]) -> Chart | None:
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
        panels.append(_panel(times, names, variant))
        rows += [_row(name, firsts[name], x) for name, x in times.items()]
    return Chart(
        title="mpi: how the times of a message spread",
        says="The share of the messages that took so long, of 1 KB and of 128 MB, within a node "
        "and between nodes, as in Golenkov et al. 2015, figure 4; both axes are logarithmic. A "
        "second hump, or bars far to the right, is what a mean would hide." + _pair(mine),
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
    return f" Between nodes are {there[0]}, one of {len(there)} pairs." if len(there) > 1 else ""


def _name(m: Measured) -> str:
    size = m.case.parameters.get("bytes")
    known = _SIZES.get(size, "") if type(size) is int else ""
    return f"{known}, {_PLACES.get(str(m.case.parameters.get('place')), '')}"


def _row(name: str, m: Measured, times: Values) -> tuple[str, ...]:
    low, middle, high = (float(x) for x in np.quantile(times, [0.05, 0.5, 0.95]))
    return (
        ", ".join(filter(None, [name, m.variant])),
        f"{len(times):,}",
        figure(middle, "s"),
        f"{figure(low, 's')} – {figure(high, 's')}",
        figure(float(times.max()), "s"),
        m.case.name,
    )


def _panel(times: dict[str, Values], names: Sequence[str], variant: str) -> Panel:
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
