"""One core, or one link between memory nodes, that is unlike all its fellows."""

from collections.abc import Callable, Iterator, Sequence
from math import exp, log

from stend.report.matrices import COPY, LATENCY
from stend.report.measured import Measured
from stend.report.summary.figures import Figures, alike, but_for, shown
from stend.report.summary.finding import Finding
from stend.statistics import beside_others, holm

_LEVEL = 0.01
"""Of all fellows together: one machine in a hundred that is well is told to have one apart."""
_MATTERS = 1.1
"""Times: by less, cores of one processor differ from the day they are made."""
_FELLOWS = 4
"""With fewer nobody can say which one is wrong."""


def core_apart(figures: Figures) -> Iterator[Finding]:
    """Of cases that differ by their CPU alone, one stands apart by a tenth from the others.

    Of four at least, by the test of fleets at 1% with Holm's correction over all of them.
    """
    pinned = [m for m in figures.measured if type(m.case.parameters.get("cpu")) is int]
    for group in alike(pinned, lambda m: but_for(m, "cpu")):
        yield from _apart(group, lambda m: f"CPU {m.case.parameters['cpu']}", "CPUs")


def link_apart(figures: Figures) -> Iterator[Finding]:
    """Of the ways from a memory node to another one's memory, one stands apart: as with cores."""
    remote = [
        m
        for m in figures.of(COPY, LATENCY)
        if m.case.parameters.get("node") != m.case.parameters.get("memory")
    ]
    for group in alike(remote, lambda m: but_for(m, "node", "memory")):
        yield from _apart(group, _link, "links")


def _link(m: Measured) -> str:
    node, memory = (m.case.parameters.get(n) for n in ("node", "memory"))
    return f"The link from node {node} to the memory of node {memory}"


def _apart(
    group: Sequence[Measured], name: Callable[[Measured], str], things: str
) -> Iterator[Finding]:
    known = [m for m in group if all(x > 0 for x in m.estimate.medians.values())]
    if len(known) < _FELLOWS:
        return
    standings = beside_others([[*map(log, m.estimate.medians.values())] for m in known])
    sure = holm([s.p for s in standings])
    for m, standing, p in zip(known, standings, sure, strict=True):
        if p is None or p > _LEVEL or standing.shift is None:
            continue
        ratio = exp(standing.shift)
        away = max(ratio, 1 / ratio)
        if away >= _MATTERS:
            yield Finding(
                f"{name(m)} stands apart: {m.case.metric.name} {shown(m)}, {ratio:.2f} times "
                f"the median of the other {len(known) - 1} {things} ({m.case.benchmark}).",
                m.index,
                away,
            )
