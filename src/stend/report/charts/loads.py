"""Charts of storage: what it reaches, how latencies spread, saturation, published figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, log10

import numpy as np

from stend.comparing import Estimate
from stend.comparing.publications import WORKLOADS, StorageFigure, in_full, storage
from stend.record import CaseRecord
from stend.record.loads import Histogram
from stend.report.charts import load_course
from stend.report.charts.bars import Bar, hover, traces
from stend.report.charts.chart import (
    SERIES,
    Chart,
    Panel,
    Plot,
    bars,
    colour,
    column,
    decades,
    label,
    marker,
)
from stend.report.charts.load_time import COLUMNS, enough
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import Scale, figure, scale, share_in_words
from stend.report.workloads import (
    figures_of,
    in_words,
    is_storage,
    outstanding,
    published_load,
    under_way,
    was_loaded,
    workload_name,
)
from stend.storage.fio.results import merged, percentiles
from stend.storage.fio.workload import alters

_TOLD = (50.0, 90.0, 99.0, 99.9, 99.99)
_DASHES = ("solid", "dash", "dot", "dashdot")


def draw_nines(members: Sequence[Measured]) -> Chart | None:
    """One chart of all workloads that have histograms, points of a curve last; None without any."""
    ordered = sorted(members, key=lambda m: "load" in m.case.parameters)
    found = [(m, whole) for m in ordered if (whole := _whole(m)) is not None][:SERIES]
    if not found:
        return None
    names = [_name(m) for m, _ in found]
    most = max(sum(whole.counts) for _, whole in found)
    ns = [whole.ns[i] / 1e9 for _, whole in found for i in (0, -1) if whole.ns[i] > 0]
    by = scale(float(np.median(ns)), "s")
    layout: Plot = {
        "xaxis": _nines(most),
        "yaxis": decades(ns, by, "s") | {"title": {"text": "latency"}},
        "height": 380,
    }
    traces = [
        _nines_line(whole, name, i, by.factor, by.unit)
        for i, ((_, whole), name) in enumerate(zip(found, names, strict=True))
    ]
    left = len(members) - len(found)
    return Chart(
        title="storage: how the latencies spread",
        says="Latency of the slowest operations: at 99%, one in a hundred took longer. Each "
        "line is of all operations of all rounds together, bins added, and ends where "
        "one operation is left.",
        panels=(Panel(traces, layout),),
        columns=("workload", "operations", *(f"p{p:g}" for p in _TOLD)),
        rows=tuple(_nines_row(name, whole) for (_, whole), name in zip(found, names, strict=True)),
        legend=tuple(names),
        notes=(f"{left} more workloads are not in this chart.",) if left else (),
        across=1,
    )


def _name(m: Measured) -> str:
    return f"{workload_name(m.case.benchmark, m.case.parameters)}, {under_way(m.case.parameters)}"


def _whole(m: Measured) -> Histogram | None:
    """All that was measured, in all directions and rounds, without what came before."""
    runs = [s.load.runs[-1] for s in m.case.samples if s.load is not None and s.load.runs]
    whole = merged(f.histogram for run in runs for f in run.flows if f.histogram)
    return whole if whole is not None and len(whole.ns) and whole.ns[-1] > 0 else None


def _nines(most: int) -> Plot:
    """An axis on which each nine takes the same room."""
    nines = range(max(1, ceil(log10(max(most, 10)))) + 1)
    names = ["0%", *(f"{100 - 100 / 10**n:.10g}%" for n in nines[1:])]
    return {
        "title": {"text": "part of the operations that took no longer"},
        "tickvals": list(nines),
        "ticktext": names,
        "range": [0, nines[-1]],
    }


def _nines_line(whole: Histogram, name: str, i: int, factor: float, unit: str) -> Plot:
    """Each bin at the part of the operations that lies below its end."""
    counts = np.asarray(whole.counts, dtype=np.float64)
    rest = counts.sum() - np.cumsum(counts)
    beyond = np.append(counts.sum(), rest)[:-1]
    x = -np.log10(beyond / counts.sum())
    every = max(1, -(-len(x) // COLUMNS))
    shown = np.unique(np.append(np.arange(0, len(x), every), len(x) - 1))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": column(x[shown]),
        "y": column(np.asarray(whole.ns, dtype=np.float64)[shown] / 1e9 * factor),
        "line": {"color": colour(i), "width": 2, "dash": _DASHES[i % len(_DASHES)], "shape": "hv"},
        "hovertemplate": f"{label(name)}: %{{y:.4g}} {label(unit)}<extra></extra>",
    }


def _nines_row(name: str, whole: Histogram) -> tuple[str, ...]:
    operations = sum(whole.counts)
    cells = [
        figure(value, "s") if enough(operations, p) else "–"
        for p, value in zip(_TOLD, percentiles(whole, _TOLD), strict=True)
    ]
    return (name, f"{operations:,}".replace(",", "\u202f"), *cells)


_LEAST = 3
"""Points that make a curve."""
_WAITS = ("mean latency", "p99 latency")
_MAXIMUM = 2
"""The series of the maximum."""


def draw_curves(members: Sequence[Measured]) -> list[Chart]:
    """For each workload a chart of its loads and one of its depths, where it has enough of them."""
    charts = [_saturation(some) for some in _alike(members, "load") if _many(some, "load")]
    unloaded = [m for m in members if "load" not in m.case.parameters]
    return [*charts, *(_depths(some) for some in _alike(unloaded, "depth") if _many(some, "depth"))]


def _alike(members: Sequence[Measured], along: str) -> list[list[Measured]]:
    """Those that differ in nothing else."""
    found: dict[str, list[Measured]] = {}
    for m in members:
        rest = {n: v for n, v in m.case.parameters.items() if n != along}
        found.setdefault(f"{m.case.benchmark} {sorted(rest.items())}", []).append(m)
    return [[m for m in some if _has_waits(m)] for some in found.values()]


def _has_waits(m: Measured) -> bool:
    found = figures_of(m.case)
    return all(name in found and found[name][1].value > 0 for name in _WAITS)


def _many(members: Sequence[Measured], along: str) -> bool:
    return len({m.case.parameters[along] for m in members if along in m.case.parameters}) >= _LEAST


def _wait(m: Measured, name: str) -> Estimate:
    return figures_of(m.case)[name][1]


def _saturation(members: Sequence[Measured]) -> Chart:
    """Latency over IOPS; the maximum is what was reached without a limit."""
    at = sorted(members, key=lambda m: m.estimate.value)
    limited = [m for m in at if "load" in m.case.parameters]
    free = [m for m in at if "load" not in m.case.parameters]
    by = scale(at[-1].estimate.value, "IOPS")
    waits = [_wait(m, name).value for m in at for name in _WAITS]
    of_waits = scale(sorted(waits)[len(waits) // 2], "s")
    traces = [
        _line(some, name, i, of_waits, lambda m: m.estimate.value * by.factor, _load)
        | {"mode": "lines+markers" if some is limited else "markers"}
        for some in (limited, free)
        for i, name in enumerate(_WAITS)
    ]
    traces += [_maximum(m, by, waits, of_waits) for m in free]
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}, "rangemode": "tozero"},
        "yaxis": decades(waits, of_waits, "s") | {"title": {"text": "latency"}},
        "height": 380,
    }
    case = at[0].case
    rest = {name: value for name, value in case.parameters.items() if name != "load"}
    return Chart(
        title=f"{workload_name(case.benchmark, rest)}: latency under load",
        says="Latency of an operation at this rate of requests. Where the curve bends "
        "upward the storage is saturated: more load only adds waiting. The latency "
        "axis is logarithmic; the dashed line is the maximum.",
        panels=(Panel(traces, layout),),
        columns=("load", "IOPS", *_WAITS),
        rows=tuple(_curves_row(m, _load(m)) for m in [*limited, *free]),
        legend=(*_WAITS, "maximum") if free else _WAITS,
        across=1,
    )


def _depths(members: Sequence[Measured]) -> Chart:
    """IOPS and latency over the requests that each job keeps under way."""
    at = sorted(members, key=lambda m: float(m.case.parameters["depth"]))
    by = scale(max(m.estimate.value for m in at), "IOPS")
    waits = [_wait(m, name).value for m in at for name in _WAITS]
    of_waits = scale(sorted(waits)[len(waits) // 2], "s")
    depths = [int(m.case.parameters["depth"]) for m in at]
    axis: Plot = {"type": "log", "title": {"text": "depth"}, "tickvals": depths,
                  "ticktext": [str(d) for d in depths]}  # fmt: skip
    operations = _reached(at, by) | {"line": {"color": colour(_MAXIMUM), "width": 2}}
    panels = (
        Panel([operations], {"xaxis": axis, "height": 320, "yaxis": {
            "rangemode": "tozero", "title": {"text": label(by.unit)}}}, "operations a second"),
        Panel(
            [_line(at, name, i, of_waits, _depth, lambda m: f"depth {_depth(m):g}")
             for i, name in enumerate(_WAITS)],
            {"xaxis": axis, "height": 320,
             "yaxis": decades(waits, of_waits, "s") | {"title": {"text": "latency"}}},
            "latency",
        ),
    )  # fmt: skip
    jobs = at[0].case.parameters.get("jobs", 1)
    return Chart(
        title=f"{workload_name(at[0].case.benchmark, at[0].case.parameters)}: by depth",
        says="How more requests in flight raise the operations per second and the latency, "
        f"with {jobs} job{'s' if jobs != 1 else ''}. The latency axis is logarithmic.",
        panels=panels,
        columns=("depth", "IOPS", *_WAITS),
        rows=tuple(_curves_row(m, str(m.case.parameters["depth"])) for m in at),
        legend=(*_WAITS, "IOPS"),
        across=2,
    )


def _depth(m: Measured) -> float:
    return float(m.case.parameters["depth"])


def _load(m: Measured) -> str:
    return f"{m.case.parameters['load']}%" if "load" in m.case.parameters else "no limit"


def _line(
    members: Sequence[Measured],
    name: str,
    series: int,
    by: Scale,
    at: Callable[[Measured], float],
    where: Callable[[Measured], str],
) -> Plot:
    found = [_wait(m, name) for m in members]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [at(m) for m in members],
        "y": [e.value * by.factor for e in found],
        "error_y": _whiskers(found, by, series),
        "marker": marker(series, 7),
        "line": {"color": colour(series), "width": 2},
        "text": [
            hover(name, f"{where(m)}, {figure(m.estimate.value, 'IOPS')}", figure(e.value, "s"))
            for m, e in zip(members, found, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _reached(members: Sequence[Measured], by: Scale) -> Plot:
    found = [m.estimate for m in members]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [_depth(m) for m in members],
        "y": [e.value * by.factor for e in found],
        "error_y": _whiskers(found, by, _MAXIMUM),
        "marker": marker(_MAXIMUM, 7),
        "text": [
            hover("", f"depth {_depth(m):g}", figure(m.estimate.value, "IOPS")) for m in members
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _whiskers(found: Sequence[Estimate], by: Scale, series: int) -> Plot:
    """To the ends of the intervals, at most half of the figure, as a log axis needs."""
    low: list[float | None] = []
    high: list[float | None] = []
    for e in found:
        most = abs(e.value) / 2
        low.append(None if e.ends is None else min(e.value - e.ends[0], most) * by.factor)
        high.append(None if e.ends is None else min(e.ends[1] - e.value, most) * by.factor)
    return bars(low, high, series)


def _maximum(m: Measured, by: Scale, waits: Sequence[float], of_waits: Scale) -> Plot:
    """An upright line at what was reached without a limit."""
    x = m.estimate.value * by.factor
    return {
        "type": "scatter",
        "mode": "lines+text",
        "x": [x, x],
        "y": [min(waits) * of_waits.factor, max(waits) * of_waits.factor],
        "text": ["", f"maximum {label(figure(m.estimate.value, 'IOPS'))} "],
        "textposition": "middle left",
        "textfont": {"color": "--soft", "size": 11.5},
        "line": {"color": colour(_MAXIMUM), "width": 1.4, "dash": "dash"},
        "hoverinfo": "skip",
    }


def _curves_row(m: Measured, where: str) -> tuple[str, ...]:
    waits = (_wait(m, name) for name in _WAITS)
    iops = figure(m.estimate.value, "IOPS", m.estimate.ends)
    return (where, iops, *(figure(e.value, "s", e.ends) for e in waits))


_PUBLISHED_AS = {(f"storage.{way}", block): name for name, (way, block) in WORKLOADS.items()}
_ABOUT = (
    "Vostok, Elbrus-8C: Aerodisk Vostok 2-E12, 2 × Elbrus-8C, 12 SAS SSDs, 8 LUNs in RAID-10, "
    "loaded over 16G Fibre Channel.",
    "Under Linux 4.19 by the method of 2020 (the profile `aerodisk-2020`), under 5.4 by that of "
    "2021 (`aerodisk-2021`).",
    "Engine N2, Xeon E5-2603 v4: Aerodisk Engine N2 with that processor.",
    "The published CPU is that of the storage system.",
)
_LATENCY = "mean latency"
_FIGURES: tuple[tuple[str, str, str, Callable[[StorageFigure], float | None]], ...] = (
    ("IOPS", "operations a second", "IOPS", lambda f: f.iops),
    ("bandwidth", "bandwidth", "B/s", lambda f: f.bandwidth),
    (_LATENCY, "latency", "s", lambda f: f.latency),
    ("CPU", "CPU", "share", lambda f: f.cpu),
)
Loads = Mapping[str, int | None]
"""Requests under way in the measured case of each published workload."""
_HERE, _PUBLISHED = 0, 1
_ROW = 22
"""Pixels of a line."""
_ROOM = 1.6
"""Beside the longest bar, for its figure."""


def draw_published(members: Sequence[Measured]) -> Chart | None:
    """A panel a figure; None where no workload is one of the published tests'."""
    own = [m for m in members if _kind(m) is not None]
    best = {_kind(m): m for m in sorted(own, key=lambda m: m.estimate.value)}
    shown = [best[kind] for kind in _PUBLISHED_AS.values() if kind in best]
    if not shown:
        return None
    published = [f for f in storage() if f.workload in best]
    loads = {str(_kind(m)): outstanding(m.case.parameters) for m in shown}
    panels = [_panel(shown, published, loads, *what) for what in _FIGURES]
    return Chart(
        title="storage: the workloads, compared with published ones",
        says="What each workload reached, compared with storage systems of the literature "
        f"({'; '.join(dict.fromkeys(f.cited for f in published))}), where that gives a "
        "figure. A workload with several cases is shown by the one with most "
        "operations a second. The published ones are single runs without an interval, "
        "under the settings of the profile `aerodisk-2021` or `aerodisk-2020`; only "
        "the same settings compare. A published latency is shown only if the same "
        "number of requests was in flight.",
        panels=tuple(panel for panel in panels if panel is not None),
        columns=("workload", "system", "in flight", "IOPS", "bandwidth", "latency", "CPU"),
        rows=(*map(_row, shown), *(_published_row(f, loads[f.workload]) for f in published)),
        legend=("this machine", "published"),
        notes=_ABOUT,
        across=2,
    )


def _kind(m: Measured) -> str | None:
    block = m.case.parameters.get("block")
    if not isinstance(block, int) or alters(m.case.parameters):
        return None
    return _PUBLISHED_AS.get((m.case.benchmark, block))


def _panel(
    shown: Sequence[Measured],
    published: Sequence[StorageFigure],
    loads: Loads,
    metric: str,
    title: str,
    unit: str,
    of: Callable[[StorageFigure], float | None],
) -> Panel | None:
    """Horizontal bars, the first workload on top; a name where only one side has the figure too.

    None where one side has no such figure of any workload.
    """
    comparable = [f for f in published if _compares(f, loads[f.workload], metric)]
    bars = list(_bars(shown, comparable, metric, of))[::-1]
    if {series for _, _, series in bars} != {_HERE, _PUBLISHED}:
        return None
    values = sorted(value for _, value, _ in bars)
    by = scale(values[len(values) // 2], unit)
    drawn = [Bar(value * by.factor, _in_words(value, unit), one) for _, value, one in bars]
    found = traces(drawn, (_HERE, _PUBLISHED))
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}} | _extent(values[-1] * by.factor, unit),
        "yaxis": {
            "tickvals": list(range(len(bars))),
            "ticktext": [name for name, _, _ in bars],
            "automargin": True,
            "ticks": "",
        },
        "barmode": "overlay",
        "height": 90 + _ROW * len(bars),
    }
    return Panel(found, layout, title)


def _extent(longest: float, unit: str) -> Plot:
    """From 0 on, with room for the words behind bars; a share's axis has no mark above 100%."""
    if unit == "share":
        return {"range": [0, 130], "tickvals": [0, 25, 50, 75, 100]}
    return {"range": [0, _ROOM * longest]}


def _bars(
    shown: Sequence[Measured],
    published: Sequence[StorageFigure],
    metric: str,
    of: Callable[[StorageFigure], float | None],
) -> Iterator[tuple[str, float, int]]:
    for m in shown:
        found = figures_of(m.case).get(metric)
        if found is not None:
            name = workload_name(m.case.benchmark, {"block": m.case.parameters["block"]})
            yield f"<b>{label(name)}</b>", found[1].value, _HERE
            for f in published:
                value = of(f)
                if f.workload == _kind(m) and value is not None:
                    yield label(_system(f)), value, _PUBLISHED


def _compares(f: StorageFigure, load: int | None, metric: str) -> bool:
    """A latency grows with the requests under way: only one of as many says anything."""
    return metric != _LATENCY or (load is not None and f.outstanding == load)


def _system(f: StorageFigure) -> str:
    return in_full(f.system) + (f", Linux {f.kernel}" if f.kernel else "")


def _in_words(value: float, unit: str) -> str:
    return share_in_words(value) if unit == "share" else figure(value, unit)


def _row(m: Measured) -> tuple[str, ...]:
    found = figures_of(m.case)
    cells = (in_words(*found[name]) if name in found else "–" for name, *_ in _FIGURES)
    name = workload_name(m.case.benchmark, m.case.parameters)
    return (name, "this machine", under_way(m.case.parameters), *cells)


def _published_row(f: StorageFigure, load: int | None) -> tuple[str, ...]:
    cells = (
        "–"
        if not _compares(f, load, metric) or (value := of(f)) is None
        else _in_words(value, unit)
        for metric, _, unit, of in _FIGURES
    )
    return (f"published: {f.workload}", _system(f), published_load(f), *cells)


def takes(m: Measured) -> bool:
    """Whether it is a workload of storage."""
    return is_storage(m.case)


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """All charts of storage; what was loaded in part is a point of a curve and has no course."""
    courses = (load_course.draw(m.case) for m in members if "load" not in m.case.parameters)
    found = [
        draw_published(members),
        draw_nines(members),
        *draw_curves(members),
        *courses,
    ]
    return [chart for chart in found if chart is not None]


def ended_badly(cases: Sequence[CaseRecord]) -> list[Chart]:
    """The course of each workload that has no result: it shows when what went wrong."""
    found = (load_course.draw(c) for c in cases if was_loaded(c) and not c.has_figure)
    return [chart for chart in found if chart is not None]
