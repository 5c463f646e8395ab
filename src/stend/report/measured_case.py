"""A case with its figure and its tails, and the limits of a run.

What a figure's share of a limit is, `comparing.limits` says; the curve adds where the caches end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stend.comparing import Estimate
from stend.comparing import limits as bounds
from stend.comparing.estimate import Values, values_of
from stend.record import Cache, CaseRecord, Machine
from stend.report.memory_levels import Level, levels, name_of, of_data


@dataclass(frozen=True)
class Measured:
    """A case with its figure; `index` is its place in the run."""

    index: int
    case: CaseRecord
    estimate: Estimate

    @property
    def what(self) -> str:
        """The last word of the benchmark's name: "triad"."""
        return self.case.benchmark.rpartition(".")[2]

    @property
    def variant(self) -> str:
        """The variant with the side, where there are any."""
        return " ".join(filter(None, [self.case.variant, self.case.side]))


LATENCY = "memory.latency"


@dataclass(frozen=True)
class Limits(bounds.Limits):
    """What bounds the cases of one run."""

    levels: tuple[Level, ...] = ()
    """Of the memory, as the latency curve and the OS tell them; empty without a curve."""

    @property
    def capacities(self) -> list[tuple[Cache, float]]:
        """Each cache of data and the bytes of it that can be used, the smallest level first."""
        seen = {level.name: level.bytes for level in self.levels}
        return [(c, seen.get(name_of(c)) or c.bytes) for c in of_data(self.machine.caches)]

    @property
    def caches(self) -> float | None:
        """Bytes of all last-level caches, or what the curve shows of them; None: unknown."""
        known = super().caches
        last = next((x for x in reversed(self.levels) if x.reported), None)
        if known and last and last.seen and last.said:
            return min(known, last.seen[1])
        return known


NONE = Limits()


def limits(machine: Machine, measured: Sequence[Measured]) -> Limits:
    """What the figures of a run say of its machine's limits."""
    curve = latency_curve(measured)
    sizes = [float(m.case.parameters["size"]) for m in curve]
    found = levels(sizes, [m.estimate.value for m in curve], machine.caches)
    return Limits(machine, bounds.best_peaks(measured), _with_intervals(found, curve))


def _with_intervals(found: Sequence[Level], curve: Sequence[Measured]) -> tuple[Level, ...]:
    """A level is known no better than its sizes are: their intervals count, too."""
    ends = {m.estimate.value: m.estimate.ends or (m.estimate.value,) * 2 for m in curve}
    return tuple(_widened(x, ends) if x.latency else x for x in found)


def _widened(level: Level, ends: Mapping[float, tuple[float, float]]) -> Level:
    assert level.latency is not None
    low, high = level.span or (level.latency, level.latency)
    own = [both for value, both in ends.items() if low <= value <= high]
    span = min([low, *(x for x, _ in own)]), max([high, *(x for _, x in own)])
    return level if span[0] == span[1] else replace(level, span=span)


def latency_curve(measured: Sequence[Measured]) -> list[Measured]:
    """Latency by size, each size once: with huge pages where they were measured as often.

    Normal pages let the TLB and the placement of pages blur the ends of the caches.
    """
    curves: dict[str, dict[float, Measured]] = {}
    for m in measured:
        size = m.case.parameters.get("size")
        if m.case.benchmark == LATENCY and type(size) is int and size > 0:
            curves.setdefault(str(m.case.parameters.get("pages")), {}).setdefault(size, m)
    best = max(curves.values(), key=len, default={})
    huge = curves.get("huge", {})
    chosen = huge if len(huge) == len(best) else best
    return [m for _, m in sorted(chosen.items())]


P99, P999 = 0.01, 0.001
"""The share of the repetitions that is worse."""
_BEYOND = 1.0
"""So many repetitions have to lie beyond a quantile, or it is only the worst of them."""


def repetitions(m: Measured) -> Values:
    """All finite values of all processes."""
    values = np.concatenate([values_of(m.case, s) for s in m.case.samples])
    finite: Values = values[np.isfinite(values)]
    return finite


def tail(m: Measured, share: float) -> float | None:
    """What that share of the repetitions is worse than; None of too few repetitions."""
    values = repetitions(m)
    if len(values) * share < _BEYOND:
        return None
    worse = share if m.case.metric.better == "higher" else 1 - share
    return float(np.quantile(values, worse))
