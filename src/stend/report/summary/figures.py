"""What a summary is made of: findings, and a run's figures with their names, ratios and links."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from stend.comparing import CONFIDENCE
from stend.comparing.limits import threads_of
from stend.record import Run
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import figure, parameter
from stend.statistics import Ratio, unpaired

Key = tuple[object, ...]


@dataclass(frozen=True)
class Figures:
    """One run, its measured cases and what bounds them."""

    run: Run
    measured: tuple[Measured, ...]
    limits: Limits

    def of(self, *benchmarks: str) -> list[Measured]:
        """The cases of these benchmarks whose figure is a positive number."""
        return [
            m
            for m in self.measured
            if m.case.benchmark in benchmarks and 0 < m.estimate.value < float("inf")
        ]

    def name(self, m: Measured) -> str:
        """The benchmark with what tells the case apart from the run's others of it."""
        varied = self._varied[m.case.benchmark]
        words = [f"{n} {parameter(n, v)}" for n, v in m.case.parameters.items() if n in varied]
        words += [m.variant] if "" in varied else []
        return m.case.benchmark + (f" ({', '.join(words)})" if words else "")

    @cached_property
    def _varied(self) -> dict[str, set[str]]:
        """Benchmark → the parameters that take several values in the run; "" is the variant."""
        seen: dict[str, dict[str, set[object]]] = {}
        for m in self.measured:
            values = seen.setdefault(m.case.benchmark, {})
            for name, value in (*m.case.parameters.items(), ("", m.variant)):
                values.setdefault(name, set()).add(value)
        return {
            benchmark: {name for name, found in values.items() if len(found) > 1}
            for benchmark, values in seen.items()
        }


def shown(m: Measured) -> str:
    """The figure with its interval."""
    return figure(m.estimate.value, m.estimate.unit, m.estimate.ends)


def over_processes(m: Measured) -> tuple[float, float] | None:
    """The ends of an interval that holds for another process too; None where there is none."""
    interval = m.estimate.interval
    if interval is None or interval.over != "processes":
        return None
    return interval.low, interval.high


def times(a: Measured, b: Measured) -> Ratio:
    """How many times A's figure B's is, at the confidence of comparisons.

    The two were not interleaved, so a drift between them is in it.
    """
    return unpaired(
        list(a.estimate.medians.values()), list(b.estimate.medians.values()), CONFIDENCE
    )


def better(members: Iterable[Measured]) -> Measured | None:
    """The best in the direction of the metric."""
    return max(members, key=goodness, default=None)


def goodness(m: Measured) -> float:
    """The figure, turned so that more is better."""
    return m.estimate.value if m.case.metric.better == "higher" else -m.estimate.value


def on_most_threads(members: Iterable[Measured]) -> list[Measured]:
    """Those on the most threads that any of them has."""
    found = list(members)
    most = max((threads_of(m.case) for m in found), default=0)
    return [m for m in found if threads_of(m.case) == most]


def alike(
    members: Iterable[Measured], key: Callable[[Measured], Key]
) -> Iterator[Sequence[Measured]]:
    """The cases in groups of the same key, those with company only."""
    found: dict[Key, list[Measured]] = {}
    for m in members:
        found.setdefault(key(m), []).append(m)
    return (group for group in found.values() if len(group) > 1)


def but_for(m: Measured, *names: str, variant: bool = True) -> Key:
    """What a case shares with those that differ from it in these parameters alone."""
    rest = tuple((n, str(v)) for n, v in m.case.parameters.items() if n not in names)
    return m.case.benchmark, rest, m.case.side, m.case.variant if variant else None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that stands out."""

    said: str
    """A sentence."""
    case: int
    """The place in the run of the case it is told by."""
    size: float
    """How far it is beyond what is usual, as a ratio: of several findings of one rule the
    largest is told first."""


Rule = Callable[[Figures], Iterator[Finding]]
