"""Histogram of the repetitions of one case, for benchmarks with a single case, and of its ranks."""

import re

import numpy as np

from stend.comparing import Estimate
from stend.comparing.estimate import Values, values_of
from stend.record import CaseRecord
from stend.report.charts.chart import Chart, Panel, Plot, colour, column, label
from stend.report.charts.group import Group
from stend.report.quantities import Scale, scale

_BINS = (12, 60)
_ALIKE = 1e-12
"""Of a value: numbers that differ by less leave no room for bins between them."""


def takes(group: Group) -> bool:
    """Whether there is one case, so nothing to set it beside."""
    return len(group.members) == 1


def draw(group: Group) -> Chart:
    """How its repetitions spread about the median."""
    (only,) = group.members
    values = np.concatenate([values_of(only.case, s) for s in only.case.samples])
    ordered = np.sort(values[np.isfinite(values)]) * group.scale.factor
    modes = " Dashed lines are the two modes." if only.estimate.modes else ""
    return Chart(
        title=f"{only.case.name}: {group.metric}",
        says=f"How the repetitions spread; the line is their median.{modes}",
        panels=(panel(ordered, only.estimate, group.scale, title=""),),
        columns=("case", group.metric),
        rows=group.rows(),
        detail=True,
    )


def span(ordered: Values) -> tuple[float, float]:
    """What a histogram covers: all but far outliers, which would leave one bin for the rest.

    Two modes of at least 5% each are always within it.
    """
    low, high = np.quantile(ordered, [0.05, 0.95])
    reach = max(high - low, abs(high) * 1e-6)
    return float(max(ordered[0], low - reach)), float(min(ordered[-1], high + reach))


def panel(
    ordered: Values, estimate: Estimate, by: Scale, title: str = "Histogram (line: the median)"
) -> Panel:
    """Bars over scaled values in ascending order, with the median and the modes."""
    low, high = span(ordered)
    if high - low <= _ALIKE * abs(high):
        low, high = low - abs(low or 1) * 1e-3, high + abs(high or 1) * 1e-3
    counts, edges = np.histogram(ordered, bins=_bins(ordered, low, high), range=(low, high))
    width = float(edges[1] - edges[0])
    trace: Plot = {
        "type": "bar",
        "x": column(edges[:-1] + width / 2),
        "y": column(counts),
        "width": width,
        "marker": {"color": colour(0), "line": {"width": 0}},
        "hovertemplate": "%{x:.5g}: %{y:,} repetitions<extra></extra>",
    }
    lines = [_upright(estimate.value * by.factor, "--ink", "solid")]
    lines += [_upright(m.value * by.factor, "--s1", "dash") for m in estimate.modes]
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}, "range": [low - width, high + width]},
        "yaxis": {"title": {"text": "repetitions"}, "rangemode": "tozero"},
        "bargap": 0,
        "shapes": lines,
        "height": 260,
    }
    return Panel([trace], layout, title)


def _bins(values: Values, low: float, high: float) -> int:
    """Freedman and Diaconis 1981, or √n where two modes widen the quartiles; bounded."""
    quarter = float(np.subtract(*np.quantile(values, [0.75, 0.25])))
    width = 2 * quarter / len(values) ** (1 / 3)
    wanted = max((high - low) / width if width > 0 else 0.0, len(values) ** 0.5)
    return int(min(max(wanted, _BINS[0]), _BINS[1]))


def _upright(x: float, colour: str, dash: str) -> Plot:
    return {
        "type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper",
        "line": {"color": colour, "width": 1.5, "dash": dash},
    }  # fmt: skip


_RANK = re.compile(r"rank (\d+) s")
_RANK_BINS = 48
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


def rank_panel(case: CaseRecord) -> Panel | None:
    """The share of its repetitions that each rank spent so long in; None without ranks."""
    ranks = times(case)
    if not ranks:
        return None
    shown = _evenly(list(ranks))
    together = np.sort(np.concatenate([ranks[r] for r in shown]))
    by = scale(float(np.median(together)), "s")
    low, high = span(together)
    edges = np.linspace(low, max(high, low * 1.002), _RANK_BINS + 1)
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
