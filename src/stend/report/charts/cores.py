"""Latency between cores → a heat map, and how many pairs are how far apart."""

from collections.abc import Sequence

import numpy as np

from stend.comparing.values import Values
from stend.report.charts import heat
from stend.report.charts.chart import Chart, Panel, Plot, colour, column, label
from stend.report.charts.group import family_of
from stend.report.limits import Limits
from stend.report.matrices import CORES, Matrix, cores, to_cpus
from stend.report.measured import Measured
from stend.report.quantities import figure

_MOST_IN_WORDS = 32
"""CPUs up to which the table behind the chart has the whole matrix."""
_LEAST_PAIRS = 6
"""To show how they spread."""
_BINS = 60
_WIDE = 64
"""From so many CPUs on the map has the whole width of the page."""


def takes(m: Measured) -> bool:
    """Whether it is a row of the matrix."""
    whole = type(m.case.parameters.get("cpu")) is int
    return m.case.benchmark == CORES and whole and bool(to_cpus(m.case.samples))


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """One chart for each variant."""
    by_variant: dict[str, list[Measured]] = {}
    for m in members:
        by_variant.setdefault(m.variant, []).append(m)
    return [
        _chart(matrix, mine)
        for mine in by_variant.values()
        for matrix in cores(mine, limits.machine)
    ]


def _chart(matrix: Matrix, members: Sequence[Measured]) -> Chart:
    panels = [heat.panel(matrix, "" if len(matrix.known) < _LEAST_PAIRS else "each pair")]
    if len(matrix.known) >= _LEAST_PAIRS:
        panels.append(_spread(matrix))
    return Chart(
        title=f"{family_of(members[0])}: {matrix.title}",
        says="How long a write of one core takes to reach another: half a round trip of a cache "
        "line that two cores exchange by compare-and-swap; lower is better. Rows are the cores "
        "that were measured, and opposite cells are two measurements, each begun from the other "
        f"end.{_odd(matrix)}",
        panels=tuple(panels),
        columns=("case", "median of the row", "nearest", "farthest", *_others(matrix)),
        rows=tuple(_row(m, matrix) for m in members),
        legend=("within a node", "between nodes") if len(panels) > 1 and matrix.spans else (),
        notes=tuple(_notes(matrix)),
        across=1 if len(matrix.rows) > _WIDE else 2,
    )


def _others(matrix: Matrix) -> tuple[str, ...]:
    """The columns of the matrix that the table has: of few CPUs all."""
    return matrix.columns if len(matrix.columns) <= _MOST_IN_WORDS else ()


def _odd(matrix: Matrix) -> str:
    top = heat.clipped(matrix)
    return "" if top is None else f" All beyond {figure(top, matrix.unit)} share one colour."


def _row(m: Measured, matrix: Matrix) -> tuple[str, ...]:
    row = matrix.values[matrix.rows.index(f"CPU {m.case.parameters['cpu']}")]
    known = np.isfinite(row)
    near, far = np.where(known, row, np.inf).argmin(), np.where(known, row, -np.inf).argmax()
    cells = dict(zip(matrix.columns, row.tolist(), strict=True))
    return (
        m.case.name,
        figure(m.estimate.value, m.estimate.unit, m.estimate.ends),
        *(f"{figure(float(row[at]), 's')} to {matrix.columns[at]}" for at in (near, far)),
        *(figure(x, "s") if np.isfinite(x := cells[name]) else "–" for name in _others(matrix)),
    )


def _notes(matrix: Matrix) -> list[str]:
    """How far apart cores are within a node and between nodes."""
    said = []
    inside, outside = _by_place(matrix)
    if len(inside) and len(outside):
        said.append(
            f"Within a node the median pair takes {figure(float(np.median(inside)), 's')}, "
            f"between nodes {figure(float(np.median(outside)), 's')}."
        )
    blank = [name for name, row in zip(matrix.rows, matrix.values, strict=True)
             if not np.isfinite(row).any()]  # fmt: skip
    if blank:
        said.append(
            f"{len(blank)} of {len(matrix.rows)} rows were not measured in this run and are "
            "blank; `stend run cores --full` measures all."
        )
    return said


def _by_place(matrix: Matrix) -> tuple[Values, Values]:
    """Pairs within a node, or all where there is but one; and pairs between nodes."""
    home = np.zeros(len(matrix.rows))
    for i, (_, begin, end) in enumerate(matrix.spans):
        home[begin : end + 1] = i
    same = home[:, None] == home[None, :]
    known = np.isfinite(matrix.values)
    return matrix.values[known & same], matrix.values[known & ~same]


def _spread(matrix: Matrix) -> Panel:
    """A histogram of all pairs; those between nodes in a colour of their own."""
    by = matrix.scale
    low, high = float(matrix.known.min()), float(matrix.known.max())
    low, high = (low, high) if high > low else (0.9 * low, 1.1 * high)
    edges = np.linspace(low, high, min(_BINS, max(12, len(matrix.known))) + 1)
    traces = []
    for i, (name, values) in enumerate(
        zip(("within a node", "between nodes"), _by_place(matrix), strict=True)
    ):
        if len(values):
            counts, _ = np.histogram(values, bins=edges)
            traces.append(_bars(name if matrix.spans else "", counts, edges * by.factor, i))
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}},
        "yaxis": {"title": {"text": "pairs, each way counted"}, "rangemode": "tozero"},
        "barmode": "stack",
        "bargap": 0,
    }
    return Panel(traces, layout, "how the pairs spread")


def _bars(name: str, counts: Values, edges: Values, series: int) -> Plot:
    return {
        "type": "bar",
        "name": name,
        "x": column((edges[:-1] + edges[1:]) / 2),
        "y": column(counts),
        "width": float(edges[1] - edges[0]),
        "marker": {"color": colour(series), "line": {"width": 0}},
        "hovertemplate": f"%{{x:.3r}}: %{{y:,}} {name}<extra></extra>",
    }
