"""A fleet's runs → each figure beside the same figure of all its machines.

What this gives is a picture, figures beside their median; who surely stands apart says
`outliers_among`.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, log
from statistics import median
from types import MappingProxyType

from stend.comparing.fleet import host_of, is_of_pairs
from stend.comparing.history import PastCase
from stend.comparing.several import FIGURE
from stend.comparing.side_by_side import Looked, pair_of
from stend.printable import natural
from stend.record import Metric, Record, Run, Scalar, family_of

_HEADLINES = {
    "cores": "cores.latency",
    "gost": "gost.kuznyechik",
    "linpack": "linpack.lu",
    "memory": "memory.latency",
    "peak": "peak.float64",
    "storage": "storage.randread",
    "stream": "stream.triad",
    "threads": "threads.mutex.lock_unlock",
    "unet": "unet.float32",
}
"""The benchmark that people ask for first of a family; of another family it is any."""


class Across(Record, frozen=True, kw_only=True):
    """One figure of several machines."""

    name: str
    benchmark: str
    parameters: dict[str, Scalar]
    variant: str | None
    metric: Metric
    middle: float
    """The median over the machines."""
    values: dict[str, float]
    """By host."""
    runs: dict[str, str] = {}
    """By host the id of the run that measured it, where it is not the machine's newest."""

    @property
    def family(self) -> str:
        """The family of its benchmark."""
        return family_of(self.benchmark)

    def speed(self, host: str) -> float | None:
        """How many times as good as the median it is there; None where that can't be said."""
        value = self.values.get(host)
        return None if value is None else speed(self.metric, self.middle, value)


def speed(metric: Metric, a: float, b: float) -> float | None:
    """How many times as good as `a` the figure `b` is; None where one of them is 0 or less."""
    if not (0 < a < inf and 0 < b < inf):
        return None
    return b / a if metric.better == "higher" else a / b


def by_machine(runs: Iterable[Looked]) -> dict[str, Looked]:
    """The machines' own runs, by host, in the order of their names."""
    found = {host_of(one.run): one for one in runs if not is_of_pairs(one)}
    return {host: found[host] for host in sorted(found, key=natural)}


def across(
    machines: Mapping[str, Looked],
    earlier: Mapping[str, Mapping[tuple[str, str], Run]] = MappingProxyType({}),
) -> tuple[Across, ...]:
    """Every figure that some machine measured by itself; families and benchmarks in their order.

    `earlier` is as in `Gathered`.

    What was called the same and did other work, or reports in another unit, is another figure.
    """
    found: dict[tuple[object, ...], dict[str, PastCase]] = {}
    for host, run in machines.items():
        for one in figures_of(run):
            found.setdefault(kind_of(one), {})[host] = one
    rows = [_across(members, earlier) for members in found.values()]
    return tuple(sorted(rows, key=lambda row: natural(row.benchmark)))


def figures_of(run: Looked) -> list[PastCase]:
    """Those of a run that count and are of its machine alone."""
    return [
        one
        for figures in run.cases
        for one in figures
        if one.value is not None and pair_of(one.case) is None
    ]


def kind_of(one: PastCase) -> tuple[object, ...]:
    """What two runs have in common when they measured the same."""
    case = one.case
    return case.key, case.side, case.metric, case.work


def _across(
    members: Mapping[str, PastCase], earlier: Mapping[str, Mapping[tuple[str, str], Run]]
) -> Across:
    case = next(iter(members.values())).case
    values = {host: one.value for host, one in members.items() if one.value is not None}
    return Across(
        name=f"{case.side} {case.name}".lstrip(),
        benchmark=case.benchmark,
        parameters=case.parameters,
        variant=case.variant,
        metric=case.metric,
        middle=median(values.values()),
        values=values,
        runs={
            host: run.id for host, one in members.items() if (run := _run_of(earlier, host, one))
        },
    )


def _run_of(
    earlier: Mapping[str, Mapping[tuple[str, str], Run]], host: str, one: PastCase
) -> Run | None:
    return earlier.get(host, {}).get((one.case.key, one.case.side))


def mean_speed(speeds: Iterable[tuple[str, float | None]]) -> float | None:
    """The geometric mean over pairs of a benchmark and a speed; None without any.

    Each benchmark has the same weight, its figures equal ones within it: see families.py.
    """
    of: dict[str, list[float]] = {}
    for benchmark, one in speeds:
        if one is not None:
            of.setdefault(benchmark, []).append(log(one))
    means = [sum(some) / len(some) for some in of.values()]
    return exp(sum(means) / len(means)) if means else None


def headlines(rows: Sequence[Across]) -> tuple[Across, ...]:
    """One figure a family: of its first benchmark the one that most machines have.

    Of several alike that on the most threads, else the best.
    """
    families: dict[str, list[Across]] = {}
    for row in rows:
        families.setdefault(row.family, []).append(row)
    return tuple(max(_first(name, of), key=_asked_for) for name, of in families.items())


def _first(family: str, rows: Sequence[Across]) -> Sequence[Across]:
    plain = [row for row in rows if FIGURE not in row.parameters]
    return [row for row in plain if row.benchmark == _HEADLINES.get(family)] or plain or rows


def _asked_for(row: Across) -> tuple[int, float, float]:
    threads = row.parameters.get("threads")
    better = row.middle if row.metric.better == "higher" else -row.middle
    return len(row.values), float(threads) if isinstance(threads, int) else 0.0, better
