"""Matrices of cases: CPUs, NUMA nodes, hosts.

Whatever was not measured is NaN. Opposite cells are two measurements, and both are kept.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from statistics import median

import numpy as np

from stend.comparing.estimate import Values
from stend.comparing.outliers import pair_of
from stend.record import Machine, Sample
from stend.record.text import natural
from stend.report.measured_case import Measured
from stend.report.quantities import Scale, number, parameter, scale

CORES = "cores.latency"
COPY, LATENCY = "numa.copy", "numa.latency"
PINGPONG = "mpi.pingpong"
_TO_CPU = re.compile(r"to CPU (\d+) s")

Home = tuple[str, int]
"""What CPUs lie in together, a "node" or "socket", and its number."""
Span = tuple[str, int, int]
"""A name for the lines from one to another, both included."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """One figure for each pair."""

    title: str
    unit: str
    things: str
    """What the lines are: "CPU", "node", "host"."""
    ends: tuple[str, str]
    """What a row and what a column is: "from CPU", "to CPU"."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Values
    """Rows × columns in `unit`; NaN where there is no figure."""
    spans: tuple[Span, ...] = ()
    """Rows (and columns) that lie together: those of one node, or of one socket."""
    cores: tuple[tuple[int, int], ...] = ()
    """Cells, by row and column, of two hardware threads of one core."""

    @property
    def known(self) -> Values:
        """All figures there are, as one row."""
        found: Values = self.values[np.isfinite(self.values)]
        return found

    @property
    def scale(self) -> Scale:
        """One prefix for all of it."""
        return scale(float(np.median(self.known)), self.unit)

    def between(self, row: str, column: str) -> str:
        """The figure of a pair by its names."""
        at = self.at(row, column)
        return self.cell(*at) if at else "–"

    def at(self, row: str, column: str) -> tuple[int, int] | None:
        """Where a pair stands; None where there is no such line."""
        rows, columns = self._places
        return (rows[row], columns[column]) if row in rows and column in columns else None

    @cached_property
    def _places(self) -> tuple[dict[str, int], dict[str, int]]:
        """Of rows and columns by their names: a fleet has a thousand of each."""
        return (
            {name: i for i, name in enumerate(self.rows)},
            {name: i for i, name in enumerate(self.columns)},
        )

    def cell(self, row: int, column: int) -> str:
        """One figure without its unit; a dash where there is none."""
        value = float(self.values[row, column])
        return number(value, self.scale) if np.isfinite(value) else "–"


def matrices(measured: Sequence[Measured], machine: Machine) -> list[Matrix]:
    """All of a run: cores, nodes, and hosts by pairs."""
    return [*cores(measured, machine), *nodes(measured), *hosts(measured)]


def cores(measured: Sequence[Measured], machine: Machine) -> list[Matrix]:
    """Latency from each CPU to each other, a matrix for each variant; CPUs of a node together."""
    found: dict[str, dict[int, dict[int, float]]] = {}
    for m in measured:
        cpu = m.case.parameters.get("cpu")
        if m.case.benchmark == CORES and type(cpu) is int and (row := to_cpus(m.case.samples)):
            found.setdefault(m.variant, {})[cpu] = row
    return [_cores(rows, variant, machine) for variant, rows in found.items()]


def to_cpus(samples: Sequence[Sample]) -> dict[int, float]:
    """The other CPU → seconds: the median over processes of the medians within them."""
    found: dict[int, list[float]] = {}
    for sample in samples:
        columns = {int(hit[1]): c for n, c in sample.also.items() if (hit := _TO_CPU.fullmatch(n))}
        if columns and len(sample.ticks):
            middles = np.median(np.array(list(columns.values())), axis=1)
            for cpu, middle in zip(columns, middles.tolist(), strict=True):
                found.setdefault(cpu, []).append(middle)
    known = {cpu: [x for x in medians if isfinite(x)] for cpu, medians in found.items()}
    return {cpu: median(medians) for cpu, medians in known.items() if medians}


def _cores(rows: dict[int, dict[int, float]], variant: str, machine: Machine) -> Matrix:
    cpus = sorted({*rows, *(cpu for row in rows.values() for cpu in row)})
    homes, core_of = _homes(machine), _cores_by_cpu(machine)
    nowhere: Home = ("", 1 << 32)
    cpus.sort(key=lambda cpu: (homes.get(cpu, nowhere)[1], core_of.get(cpu, ()), cpu))
    values = np.full((len(cpus), len(cpus)), np.nan)
    at = {cpu: i for i, cpu in enumerate(cpus)}
    for cpu, row in rows.items():
        values[at[cpu], [at[other] for other in row]] = list(row.values())
    names = tuple(f"CPU {cpu}" for cpu in cpus)
    return Matrix(
        ", ".join(filter(None, ["latency between cores", variant])),
        "s",
        "CPU",
        ("from CPU", "to CPU"),
        names,
        names,
        values,
        _spans([homes.get(cpu) for cpu in cpus]),
        tuple(
            (at[cpu], at[other])
            for cpu in cpus
            for other in core_of.get(cpu, ())
            if other in at and other != cpu
        ),
    )


def _homes(machine: Machine) -> dict[int, Home]:
    """The node that each CPU belongs to; of a machine of one node, the socket."""
    if len([node for node in machine.numa if node.cpus]) > 1:
        return {cpu: ("node", node.index) for node in machine.numa for cpu in node.cpus}
    sockets = enumerate(machine.sockets)
    return {cpu: ("socket", i) for i, cores in sockets for core in cores for cpu in core}


def _cores_by_cpu(machine: Machine) -> dict[int, tuple[int, ...]]:
    """The hardware threads that each CPU shares its core with, and itself."""
    return {cpu: core for cores in machine.sockets for core in cores for cpu in core}


def _spans(homes: Sequence[Home | None]) -> tuple[Span, ...]:
    """Where each node or socket begins and ends; nothing where there is but one."""
    ends = [i for i, home in enumerate(homes) if i + 1 == len(homes) or homes[i + 1] != home]
    begins = [0, *(end + 1 for end in ends)]
    if len(ends) < 2:
        return ()
    return tuple(
        (" ".join(map(str, homes[end] or ())), begin, end)
        for begin, end in zip(begins, ends, strict=False)
    )


def nodes(measured: Iterable[Measured]) -> list[Matrix]:
    """Copying and latency from the CPUs of each node to the memory of each."""
    found: dict[tuple[str, str, str], list[tuple[int, int, Measured]]] = {}
    for m in measured:
        node, memory = (m.case.parameters.get(n) for n in ("node", "memory"))
        if m.case.benchmark in {COPY, LATENCY} and type(node) is int and type(memory) is int:
            key = (m.case.benchmark, _condition(m, "node", "memory", "block"), m.case.metric.unit)
            found.setdefault(key, []).append((node, memory, m))
    return [_nodes(*key, cells) for key, cells in found.items()]


def _nodes(
    benchmark: str, beside: str, unit: str, cells: Sequence[tuple[int, int, Measured]]
) -> Matrix:
    rows, columns = sorted({n for n, _, _ in cells}), sorted({n for _, n, _ in cells})
    values = np.full((len(rows), len(columns)), np.nan)
    row, column = ({n: i for i, n in enumerate(lines)} for lines in (rows, columns))
    for node, memory, m in cells:
        values[row[node], column[memory]] = m.estimate.value
    kind = "bandwidth of copying" if benchmark == COPY else "latency of memory"
    return Matrix(
        ", ".join(filter(None, [kind, beside])),
        unit,
        "node",
        ("CPUs of node", "memory of node"),
        tuple(f"node {n}" for n in rows),
        tuple(f"node {n}" for n in columns),
        values,
    )


def hosts(measured: Iterable[Measured]) -> list[Matrix]:
    """Ping-pong between every two hosts, for the smallest and the largest message."""
    found: dict[tuple[str, str], dict[int, dict[tuple[str, str], float]]] = {}
    for m in measured:
        pair, size = pair_of(m.case), m.case.parameters.get("bytes")
        if m.case.benchmark == PINGPONG and pair and type(size) is int:
            key = (_condition(m, "bytes", "hosts", "place", "ranks"), m.case.metric.unit)
            cells = found.setdefault(key, {}).setdefault(size, {})
            cells[pair] = m.estimate.value
    return [
        _hosts(beside, unit, size, sizes[size])
        for (beside, unit), sizes in found.items()
        for size in dict.fromkeys([min(sizes), max(sizes)])
        if len(sizes[size]) > 1
    ]


def _hosts(beside: str, unit: str, size: int, cells: dict[tuple[str, str], float]) -> Matrix:
    names = sorted({name for pair in cells for name in pair}, key=natural)
    values = np.full((len(names), len(names)), np.nan)
    at = {name: i for i, name in enumerate(names)}
    for (a, b), value in cells.items():
        values[at[a], at[b]] = value
        if (b, a) not in cells:  # half a round trip is the same from either end
            values[at[b], at[a]] = value
    return Matrix(
        ", ".join(filter(None, [f"ping-pong of {parameter('bytes', size)}", beside])),
        unit,
        "host",
        ("host", "host"),
        tuple(names),
        tuple(names),
        values,
    )


def _condition(m: Measured, *leaving: str) -> str:
    words = [
        f"{n} {parameter(n, v)}" for n, v in m.case.parameters.items() if n not in leaving and v
    ]
    return ", ".join([*words, *filter(None, [m.variant])])
