"""Chart of the ranks of one case: each rank's histogram as a line."""

import re

import numpy as np

from stend.comparing.estimate import Values
from stend.record import CaseRecord
from stend.report.charts import histogram
from stend.report.charts.chart import Panel, Plot, colour, column, label
from stend.report.quantities import scale

_RANK = re.compile(r"rank (\d+) s")
_BINS = 48
MOST = 12
"""Ranks that are drawn: the first, the last and such as lie evenly between."""


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
    together = np.sort(np.concatenate([ranks[r] for r in shown]))
    by = scale(float(np.median(together)), "s")
    low, high = histogram.span(together)
    edges = np.linspace(low, max(high, low * 1.002), _BINS + 1)
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}},
        "yaxis": {"title": {"text": "share of its repetitions"}, "tickformat": ".0%",
                  "rangemode": "tozero"},
        "height": 240,
        "meta": {"whole": True},
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
