"""Chart of core-to-core latency: a heat map, and a histogram of pairs."""

from collections.abc import Sequence

import numpy as np

from stend.comparing.estimate import Values
from stend.report.charts import heat
from stend.report.charts.chart import Chart, Panel, Plot, colour, column, label
from stend.report.matrices import CORES, Matrix, cores, to_cpus
from stend.report.measured_case import Limits, Measured
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
        title=f"{members[0].case.family}: {matrix.title}",
        says="How long a write of one core takes to reach another: half a round trip of a cache "
        "line that two cores exchange by compare-and-swap; lower is better. Rows are the cores "
        "that were measured, and opposite cells are two measurements, each begun from the other "
        f"end.{_odd(matrix)}",
        panels=tuple(panels),
        columns=("case", "median of the row", "nearest", "farthest", *_others(matrix)),
        rows=tuple(_row(m, matrix) for m in members),
        legend=tuple(_by_place(matrix)) if len(panels) > 1 and len(_by_place(matrix)) > 1 else (),
        notes=tuple(_notes(matrix)),
        across=1 if len(matrix.rows) > _WIDE else 2,
    )


def _others(matrix: Matrix) -> tuple[str, ...]:
    """The columns of the matrix that the table has: of few CPUs all."""
    return matrix.columns if len(matrix.columns) <= _MOST_IN_WORDS else ()


def _odd(matrix: Matrix) -> str:
    top = heat.clipped(matrix)
    return "" if top is None else f" All values above {figure(top, matrix.unit)} share one colour."


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
    if len(by_place := _by_place(matrix)) > 1:
        medians = [
            f"{figure(float(np.median(values)), 's')} {place}" for place, values in by_place.items()
        ]
        said.append(f"The median pair takes {', '.join(medians)}.")
    blank = [name for name, row in zip(matrix.rows, matrix.values, strict=True)
             if not np.isfinite(row).any()]  # fmt: skip
    if blank:
        said.append(
            f"{len(blank)} of {len(matrix.rows)} rows were not measured in this run and are "
            "blank; `stend run cores --full` measures all."
        )
    return said


def _by_place(matrix: Matrix) -> dict[str, Values]:
    """Pairs of one core, of one node or socket, and between those; only places that there are."""
    home = np.zeros(len(matrix.rows))
    for i, (_, begin, end) in enumerate(matrix.spans):
        home[begin : end + 1] = i
    same = home[:, None] == home[None, :]
    core = np.zeros_like(same)
    core[tuple(zip(*matrix.cores, strict=True)) or ([], [])] = True
    known = np.isfinite(matrix.values)
    what = next((name.partition(" ")[0] for name, _, _ in matrix.spans if name), "machine")
    cells = {
        "within a core": known & core,
        f"within a {what}": known & same & ~core,
        f"between {what}s": known & ~same,
    }
    return {place: matrix.values[those] for place, those in cells.items() if those.any()}


def _spread(matrix: Matrix) -> Panel:
    """A histogram of all pairs, a colour for each kind of place."""
    by = matrix.scale
    low, high = float(matrix.known.min()), float(matrix.known.max())
    low, high = (low, high) if high > low else (0.9 * low, 1.1 * high)
    edges = np.linspace(low, high, min(_BINS, max(12, len(matrix.known))) + 1)
    traces = []
    for i, (place, values) in enumerate(_by_place(matrix).items()):
        counts, _ = np.histogram(values, bins=edges)
        traces.append(_bars(place, counts, edges * by.factor, i))
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
