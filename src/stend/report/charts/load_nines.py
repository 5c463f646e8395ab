"""How the latencies of storage spread: a line a workload, up to as many nines as were measured."""

from collections.abc import Sequence
from math import ceil, log10

import numpy as np

from stend.record.loads import Histogram
from stend.report.charts.chart import SERIES, Chart, Panel, Plot, colour, column, decades, label
from stend.report.charts.load_time import COLUMNS, enough
from stend.report.measured import Measured
from stend.report.quantities import figure, scale
from stend.report.workloads import under_way, workload_name
from stend.storage.fio.results import merged, percentiles

_TOLD = (50.0, 90.0, 99.0, 99.9, 99.99)
_DASHES = ("solid", "dash", "dot", "dashdot")


def draw(members: Sequence[Measured]) -> Chart | None:
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
        _line(whole, name, i, by.factor, by.unit)
        for i, ((_, whole), name) in enumerate(zip(found, names, strict=True))
    ]
    left = len(members) - len(found)
    return Chart(
        title="storage: how the latencies spread",
        says="How long the slowest part of all operations took: at 99% one in a hundred took "
        "longer. Each line is of all operations of all rounds together, bins added, and ends where "
        "one operation is left.",
        panels=(Panel(traces, layout),),
        columns=("workload", "operations", *(f"p{p:g}" for p in _TOLD)),
        rows=tuple(_row(name, whole) for (_, whole), name in zip(found, names, strict=True)),
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


def _line(whole: Histogram, name: str, i: int, factor: float, unit: str) -> Plot:
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


def _row(name: str, whole: Histogram) -> tuple[str, ...]:
    operations = sum(whole.counts)
    told = [
        figure(value, "s") if enough(operations, p) else "–"
        for p, value in zip(_TOLD, percentiles(whole, _TOLD), strict=True)
    ]
    return (name, f"{operations:,}".replace(",", "\u202f"), *told)
