"""Chart of NUMA: the machine as a graph, and heat maps of node × memory."""

from collections.abc import Sequence

import numpy as np

from stend.report.charts import heat, nodes
from stend.report.charts.chart import Chart
from stend.report.matrices import COPY, LATENCY, Matrix
from stend.report.matrices import nodes as of_nodes
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import figure


def takes(m: Measured) -> bool:
    """Whether it is a cell of one of the matrices."""
    whole = all(type(m.case.parameters.get(n)) is int for n in ("node", "memory"))
    return m.case.benchmark in {COPY, LATENCY} and whole and 0 < m.estimate.value < float("inf")


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """One chart; of one node there is nothing to map, the graph has all its figures.

    Of several variants the graph has the fastest copies, of several sizes the largest latency.
    """
    found = of_nodes(members)
    by_median = sorted(found, key=lambda x: float(np.median(x.known)))
    copies = next((x for x in reversed(by_median) if x.unit != "s"), None)
    latencies = next((x for x in reversed(by_median) if x.unit == "s"), None)
    maps = [heat.panel(x, x.title) for x in found if len(x.known) > 1]
    return [
        Chart(
            title="numa: memory by node",
            says=_says(found),
            panels=(nodes.panel(limits.machine, copies, latencies), *maps),
            columns=("case", "figure", "5% to 95%"),
            rows=tuple(map(_row, members)),
            listing=nodes.listing(limits.machine, copies, latencies),
            notes=tuple(filter(None, map(_remote, found))),
            across=2,
        )
    ]


def _says(found: Sequence[Matrix]) -> str:
    said = "A thread is bound to the CPUs of one node and works with the memory of another. "
    if any(len(x.known) > 1 for x in found):
        return said + (
            "Rows of the maps are the thread's node; what is copied goes from the row's memory "
            "to the column's, what is loaded comes from the column's. The diagonal is each node "
            "with its own memory."
        )
    return said + "This machine has one node, so all of its memory is equally near."


def _row(m: Measured) -> tuple[str, ...]:
    e = m.estimate
    low, high = (figure(x, e.unit) for x in e.spread)
    return m.case.name, figure(e.value, e.unit, e.ends), f"{low} – {high}"


def _remote(matrix: Matrix) -> str:
    """What another node's memory costs against a node's own."""
    ratios = sorted(
        matrix.values[i, j] / matrix.values[i, matrix.columns.index(row)]
        for i, row in enumerate(matrix.rows)
        if row in matrix.columns
        for j, column in enumerate(matrix.columns)
        if column != row
    )
    ratios = [r for r in ratios if r == r]
    if not ratios:
        return ""
    ends = dict.fromkeys(f"{r:.2f}" for r in (ratios[0], ratios[-1]))
    title = matrix.title[:1].upper() + matrix.title[1:]
    return f"{title}: to another node {' to '.join(ends)} times that within a node."
