"""Each rank's own times of one case of messages → their histograms as lines over one another."""

import re

import numpy as np

from stend.comparing.values import Values
from stend.record import CaseRecord
from stend.report.charts.chart import Panel, Plot, colour, column, label
from stend.report.quantities import scale

_RANK = re.compile(r"rank (\d+) s")
_BINS = 48
MOST = 12
"""Ranks that are drawn: the first, the last and such as lie evenly between."""
_WIDE = 3.0
"""Times that differ by more than this factor are drawn on a log axis."""


def times(case: CaseRecord) -> dict[int, Values]:
    """Rank → its positive times, of all processes; empty where the case has none."""
    found: dict[int, list[Values]] = {}
    for sample in case.samples:
        for name, values in sample.also.items():
            if hit := _RANK.fullmatch(name):
                found.setdefault(int(hit[1]), []).append(np.asarray(values, dtype=np.float64))
    whole = {rank: np.concatenate(parts) for rank, parts in sorted(found.items())}
    known = {rank: x[np.isfinite(x) & (x > 0)] for rank, x in whole.items()}
    return {rank: x for rank, x in known.items() if len(x)}


def panel(case: CaseRecord) -> Panel | None:
    """The share of its repetitions that each rank spent so long in; None without ranks."""
    ranks = times(case)
    if not ranks:
        return None
    shown = _evenly(list(ranks))
    together = np.concatenate([ranks[r] for r in shown])
    by = scale(float(np.median(together)), "s")
    low, high = float(together.min()) * 0.999, float(np.quantile(together, 0.999)) * 1.001
    high = max(high, low * 1.002)
    wide = high > _WIDE * low
    edges = (np.geomspace if wide else np.linspace)(low, high, _BINS + 1)
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}, "type": "log" if wide else "linear"},
        "yaxis": {"title": {"text": "share of its repetitions"}, "tickformat": ".0%",
                  "rangemode": "tozero"},
        "height": 260,
    }  # fmt: skip
    traces = [_steps(r, ranks[r], edges, by.factor, i) for i, r in enumerate(shown)]
    return Panel(traces, layout, f"Each rank's own time, {_which(len(shown), len(ranks))}")


def _which(shown: int, there: int) -> str:
    return f"a line a rank ({shown} of {there})" if shown < there else "a line a rank"


def _evenly(ranks: list[int]) -> list[int]:
    if len(ranks) <= MOST:
        return ranks
    return [ranks[i * (len(ranks) - 1) // (MOST - 1)] for i in range(MOST)]


def _steps(rank: int, values: Values, edges: Values, factor: float, series: int) -> Plot:
    counts, _ = np.histogram(values, bins=edges)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": column(edges * factor),
        "y": column(np.append(counts, 0) / len(values)),
        "line": {"color": colour(series), "width": 1.5, "shape": "hv"},
        "hovertemplate": f"rank {rank}: %{{y:.1%}} at %{{x:.4r}}<extra></extra>",
    }
