"""Chart of NUMA: the machine as a graph of nodes, and heat maps of node × memory."""

from collections.abc import Sequence
from itertools import combinations
from math import cos, isfinite, pi, sin

import numpy as np

from stend.record import Machine, NumaNode
from stend.report.charts import heat
from stend.report.charts.chart import Chart, Listing, Panel, Plot, label
from stend.report.matrices import COPY, LATENCY, Matrix
from stend.report.matrices import nodes as of_nodes
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import binary, figure


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
            panels=(panel(limits.machine, copies, latencies), *maps),
            columns=("case", "figure", "5% to 95%"),
            rows=tuple(map(_row, members)),
            listing=listing(limits.machine, copies, latencies),
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


_IN_WORDS = 4
"""Nodes up to which edges have their words, and boxes all of theirs."""
_THIN, _THICK = 1.0, 7.0
_NEAR = 0.5
"""From here on between the worst and the best link one is drawn as a near one."""
_WIDEST = 760
_ASIDE = 0.3
"""Where on a diagonal of a square its words stand: in the middle the two meet."""
_ALIKE = 1.05
"""Both ways are told apart from this ratio on."""


def panel(machine: Machine, copies: Matrix | None, latencies: Matrix | None) -> Panel:
    """The nodes on a ring, in their order."""
    indices = _indices(copies, latencies)
    places = dict(zip(indices, _ring(len(indices)), strict=True))
    facts = {node.index: node for node in machine.numa}
    few = len(indices) <= _IN_WORDS
    shown = copies or latencies
    edges = [
        _Edge(i, j, facts, copies, latencies)
        for i, j in combinations(indices, 2)
        if few or _value(shown, i, j) or _value(shown, j, i)
    ]
    edges.sort(key=lambda e: e.speed)
    speeds = [e.speed for e in edges if e.speed]
    annotations = [e.annotation(places) for e in edges] if few else []
    for i in indices:
        words = _in_box(i, facts.get(i), copies, latencies) if few else f"<b>{i}</b>"
        annotations.append(_box(places[i], words))
    highest = 1.3 * max(0.4, *(y for _, y in places.values()))
    layout: Plot = {
        "xaxis": {"visible": False, "range": [-1.45, 1.45], "fixedrange": True},
        "yaxis": {"visible": False, "range": [-highest, highest], "fixedrange": True},
        "height": {1: 130, 2: 150, 3: 320, 4: 320}.get(len(indices), 420),
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "annotations": annotations,
        "meta": {"widest": _WIDEST, "whole": True},
    }
    traces = [e.line(places, speeds) for e in edges] + [_hovers(edges, places)]
    return Panel(traces, layout, "" if len(indices) == 1 else _title(copies, latencies))


def _title(copies: Matrix | None, latencies: Matrix | None) -> str:
    shown = copies or latencies
    return f"{shown.title} between the nodes" if shown else ""


def listing(machine: Machine, copies: Matrix | None, latencies: Matrix | None) -> Listing:
    """Each node with what is known and was measured of it."""
    facts = {node.index: node for node in machine.numa}
    rows = []
    for i in _indices(copies, latencies):
        node = facts.get(i)
        rows.append(
            (
                f"node {i}",
                ranges(node.cpus) if node and node.cpus else "–",
                binary(node.bytes) if node and node.bytes else "–",
                _between(copies, i, i),
                _between(latencies, i, i),
                " ".join(map(str, node.distances)) if node and node.distances else "–",
            )
        )
    columns = ("", "CPUs", "memory", "copies within", "latency within", "distances to all nodes")
    return Listing(
        "The nodes; distances are the firmware's, 10 is a node's own memory", columns, tuple(rows)
    )


def ranges(numbers: Sequence[int]) -> str:
    """`0–15, 32` of many CPUs."""
    ends: list[list[int]] = []
    for n in sorted(numbers):
        if ends and n == ends[-1][-1] + 1:
            ends[-1][1:] = [n]
        else:
            ends.append([n])
    return ", ".join("–".join(map(str, end)) for end in ends)


class _Edge:
    """Two nodes and what is known to lie between them."""

    def __init__(
        self,
        i: int,
        j: int,
        facts: dict[int, NumaNode],
        copies: Matrix | None,
        latencies: Matrix | None,
    ) -> None:
        self.i, self.j = i, j
        shown = copies or latencies
        ways = [v for v in (_value(shown, i, j), _value(shown, j, i)) if v]
        self.speed = max((v if copies else 1 / v for v in ways), default=0.0)
        """What it can do, the more the better; 0 where nothing was measured."""
        distance = _distance(facts, i, j)
        far = [] if distance is None else [f"distance {distance}"]
        self.words = [*_both_ways(shown, i, j), *far]
        self.more = [
            f"{a} → {b}: {', '.join(_between(x, a, b) for x in (copies, latencies) if x)}"
            for a, b in ((i, j), (j, i))
        ] + far

    def line(self, places: "Places", speeds: Sequence[float]) -> Plot:
        """The thicker the faster it is among all of the machine's links."""
        slowest, fastest = min(speeds, default=0.0), max(speeds, default=0.0)
        alike = fastest <= _ALIKE * slowest
        share = 0.0 if alike else max(0.0, (self.speed - slowest) / (fastest - slowest))
        (x0, y0), (x1, y1) = places[self.i], places[self.j]
        return {
            "type": "scatter",
            "mode": "lines",
            "x": [x0, x1],
            "y": [y0, y1],
            "line": {
                "color": "--s0" if share >= _NEAR else "--line",
                "width": 2.0 if alike else _THIN + (_THICK - _THIN) * share,
            },
            "hoverinfo": "skip",
        }

    def middle(self, places: "Places") -> tuple[float, float]:
        """Where its words are."""
        (x0, y0), (x1, y1) = places[self.i], places[self.j]
        crosses = len(places) > 3 and x0 != x1 and y0 != y1
        share = _ASIDE if crosses else 0.5
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0)

    def annotation(self, places: "Places") -> Plot:
        """Its words on the line."""
        x, y = self.middle(places)
        return {
            "x": x, "y": y, "showarrow": False, "text": "<br>".join(map(label, self.words)),
            "font": {"size": 11, "color": "--soft"}, "bgcolor": "--card", "borderpad": 2,
        }  # fmt: skip


Places = dict[int, tuple[float, float]]


def _hovers(edges: Sequence[_Edge], places: Places) -> Plot:
    """Points on the edges that a pointer finds."""
    at = [e.middle(places) for e in edges]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _ in at],
        "y": [y for _, y in at],
        "marker": {"color": "--line", "size": 9 if len(places) > _IN_WORDS else 1},
        "text": ["<br>".join(map(label, e.more)) for e in edges],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _ring(count: int) -> list[tuple[float, float]]:
    """One in the middle, two side by side, four in a square; more in a circle from the left."""
    if count <= 4:
        rows = ((0.0,), (-1.0, 1.0), (-1.0, 1.0, 0.0), (-0.95, 0.95, -0.95, 0.95))[count - 1]
        return [(x, 0.0 if count < 3 else 1.0 if i < 2 else -1.0) for i, x in enumerate(rows)]
    angles = [pi - 2 * pi * i / count for i in range(count)]
    return [(1.2 * cos(a), sin(a)) for a in angles]


def _box(place: tuple[float, float], text: str) -> Plot:
    x, y = place
    return {
        "x": x, "y": y, "showarrow": False, "text": text, "align": "center", "borderpad": 6,
        "font": {"size": 12, "color": "--ink"}, "bgcolor": "--paper", "bordercolor": "--quiet",
        "borderwidth": 1.5,
    }  # fmt: skip


def _in_box(
    index: int, node: NumaNode | None, copies: Matrix | None, latencies: Matrix | None
) -> str:
    lines = [f"<b>node {index}</b>"]
    if node:
        cpus = f"CPUs {ranges(node.cpus)}" if node.cpus else "no CPUs"
        lines.append(label(cpus if len(cpus) < 24 else f"{len(node.cpus)} CPUs"))
        lines += [label(binary(node.bytes))] if node.bytes else []
    inside = [_between(x, index, index) for x in (copies, latencies) if x]
    inside = [words for words in inside if words != "–"]
    return "<br>".join([*lines, *([label(", ".join(inside))] if inside else [])])


def _indices(*found: Matrix | None) -> list[int]:
    names = {name for x in found if x for name in (*x.rows, *x.columns)}
    return sorted(int(name.removeprefix("node ")) for name in names)


def _value(matrix: Matrix | None, i: int, j: int) -> float | None:
    at = matrix.at(f"node {i}", f"node {j}") if matrix else None
    if matrix is None or at is None:
        return None
    value = float(matrix.values[at])
    return value if isfinite(value) else None


def _between(matrix: Matrix | None, i: int, j: int) -> str:
    value = _value(matrix, i, j)
    return "–" if value is None or matrix is None else figure(value, matrix.unit)


def _both_ways(matrix: Matrix | None, i: int, j: int) -> list[str]:
    """One figure where both ways are about the same."""
    there, back = _value(matrix, i, j), _value(matrix, j, i)
    if there and back and max(there, back) <= _ALIKE * min(there, back) and matrix:
        return [figure((there + back) / 2, matrix.unit)]
    ways = ((i, j), (j, i))
    return [f"{a} → {b}: {_between(matrix, a, b)}" for a, b in ways if _value(matrix, a, b)]


def _distance(facts: dict[int, NumaNode], i: int, j: int) -> int | None:
    """As the firmware has it: the rows are in the order of all nodes' numbers."""
    row = facts[i].distances if i in facts else ()
    order = sorted(facts)
    return row[order.index(j)] if j in facts and len(row) == len(order) else None
