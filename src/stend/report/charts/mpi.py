"""Charts of MPI: curves by message size with tails, histograms, pairs of hosts, barriers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stend.record.text import natural
from stend.report.charts import dots, heat, histogram, messages
from stend.report.charts.chart import Chart
from stend.report.charts.group import Group, by_series
from stend.report.matrices import hosts
from stend.report.measured_case import Limits, Measured

FAMILY = "mpi"
_UNITS = {"s", "B/s", "op/s"}
_PINGPONG = ("pingpong",)
_ONE_SIDED = ("put", "get")
_STREAMS = ("bidirectional", "message_rate")
_COLLECTIVES = ("bcast", "allreduce", "alltoall", "gather")


def takes(m: Measured) -> bool:
    """Whether it is one of the benchmarks of messages."""
    drawn = m.case.metric.unit in _UNITS and 0 < m.estimate.value < float("inf")
    return m.case.benchmark.startswith(f"{FAMILY}.") and drawn


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Two ranks first, then all of them; each case is in the table behind one of the curves."""
    whole = Group(FAMILY, "s", tuple(members), limits)
    left = {m.index: m for m in members}
    charts: list[Chart | None] = []
    for title, says, names in (
        ("mpi: ping-pong by message size", _HALF, _PINGPONG),
        ("mpi: one-sided communication by message size", _SIDED, _ONE_SIDED),
        ("mpi: both directions and many messages by size", _MANY, _STREAMS),
        ("mpi: collective operations by message size", _ALL, _COLLECTIVES),
    ):
        mine = [m for name in names for m in _along(members, name)]
        if mine:
            charts.append(messages.draw(whole.part(mine), title, says))
            left = {i: m for i, m in left.items() if m not in mine}
        if names is _PINGPONG:
            pingpongs = [m for m in members if m.what in _PINGPONG]
            charts += [messages.draw_shares(pingpongs), _pairs(pingpongs)]
    charts += [_of_one_size(group) for group in _by_unit(whole, list(left.values()))]
    return [chart for chart in charts if chart]


def _along(members: Sequence[Measured], name: str) -> list[Measured]:
    """The cases of a benchmark, where they are of several sizes."""
    mine = [m for m in members if m.what == name and messages.has_size(m)]
    return mine if len({m.case.parameters[messages.SIZE] for m in mine}) > 1 else []


_HALF = (
    "Half of a message's round trip; lower is better. The bandwidth is the message's bytes over "
    "that time."
)
_SIDED = "Time until a put or a get is complete; lower is better."
_MANY = "Bytes moved by both directions together, and messages per second; higher is better."
_ALL = "Time of the slowest rank; lower is better."


def _by_unit(whole: Group, members: Sequence[Measured]) -> list[Group]:
    found = by_series(members, [m.estimate.unit for m in members])
    return [replace(whole.part(some), unit=unit) for unit, some in found.items()]


def _of_one_size(group: Group) -> Chart:
    """A row each; of one case its histogram."""
    return histogram.draw(group) if histogram.takes(group) else dots.by_case(group)


def _pairs(members: Sequence[Measured]) -> Chart | None:
    """Each host with each other; None where there are no three."""
    found = hosts(members)
    if not found:
        return None
    pairs = {
        (a, b)
        for x in found
        for i, j in np.argwhere(np.isfinite(x.values)).tolist()
        for a, b in [sorted((x.rows[i], x.columns[j]), key=natural)]
        if a != b
    }
    return Chart(
        title="mpi: ping-pong between every two hosts",
        says="Half of a round trip of the smallest message and of the largest; a row or "
        "column that differs from the rest points to one host.",
        panels=tuple(heat.panel(x, x.title) for x in found),
        columns=("hosts", *(f"{x.title}, {x.scale.unit}" for x in found)),
        rows=tuple(
            (f"{a} and {b}", *(x.between(a, b) for x in found))
            for a, b in sorted(pairs, key=lambda pair: [natural(name) for name in pair])
        ),
        across=2,
    )
