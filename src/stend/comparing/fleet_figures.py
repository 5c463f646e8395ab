"""Each machine's newest figures, compared over all machines of a store, and who stands apart.

What this gives is a picture, figures beside their median; who surely stands apart says
`outliers_among`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import exp, inf, log
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

from stend.comparing.history import PastCase, history
from stend.comparing.metrics import FIGURE
from stend.comparing.outliers import Fleet, Looked, host_of, is_of_pairs, outliers_among, pair_of
from stend.record import NO_ATTEMPT, Metric, Record, Run, Scalar, family_of
from stend.record.text import natural
from stend.store import Filter, Store

MEASURED = ("quick", "full")
"""Sizes of runs that have figures: a check has none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs stand for the machines."""

    days: int | None = 30
    """Only those of so many days before now."""
    label: str | None = None
    group: str | None = None
    """Only those of this session on several machines."""
    size: str | None = None
    """"quick" or "full"; None: either."""


class Gathered(NamedTuple):
    """What stands for the machines."""

    runs: list[Looked]
    """One a machine: its newest run, with its newest figures of all its runs."""
    damaged: list[str]
    """Ids of runs that can't be read."""
    earlier: Mapping[str, Mapping[tuple[str, str], Run]] = {}
    """By host, then by a figure's key and side: the run that it is of, where it is not the newest
    of its machine."""


def gathered(store: Store, wanted: Wanted, now: datetime) -> Gathered:
    """Of each machine the newest figures, or the figures of one session.

    Runs of pairs of machines come with a session's, and stand for no machine.
    """
    chosen = _filter(wanted, now)
    if wanted.group is not None:
        found = history(store, chosen)
        return Gathered(list(found.runs), list(found.damaged))
    return newest_figures(store, chosen)


def fingerprint(store: Store, wanted: Wanted, now: datetime) -> str:
    """What changes whenever that may be otherwise, but for a session's."""
    return store.fingerprint(_filter(wanted, now))


def _filter(wanted: Wanted, now: datetime) -> Filter:
    return Filter(
        label=wanted.label,
        group=wanted.group,
        sizes=MEASURED if wanted.size is None else (wanted.size,),
        since=None if wanted.days is None else now - timedelta(days=wanted.days),
        finished=True,
    )


def newest_figures(store: Store, chosen: Filter) -> Gathered:
    """Each machine's last attempt at each case, which a later run of other cases does not hide.

    One that failed counts: what a machine could do before, it can't any more.
    """
    runs, damaged = looked_at(store, store.newest_of_each_case(chosen))
    of: dict[str | None, list[Looked]] = {}
    for one in reversed(runs):  # the newest first
        of.setdefault(one.run.machine.host, []).append(one)
    joined = [found for some in of.values() if (found := _joined(some))]
    earlier = {host_of(one.run): of_others for one, of_others in joined if of_others}
    return Gathered([one for one, _ in joined], damaged, earlier)


def _joined(runs: Iterable[Looked]) -> tuple[Looked, dict[tuple[str, str], Run]] | None:
    """One machine's runs as one, and which cases are not of its newest; None of pairs alone."""
    found: dict[tuple[str, str], tuple[Looked, tuple[PastCase, ...]]] = {}
    for one in runs:
        for figures in one.cases:
            case = figures[0].case
            known = found.get((case.key, case.side))
            if pair_of(case) is None and (known is None or _is_surpassed(known[1], figures)):
                found[case.key, case.side] = one, figures
    if not found:
        return None
    newest = max((one for one, _ in found.values()), key=_age)
    others: dict[tuple[str, str], Run] = {
        (figure.case.key, figure.case.side): one.run
        for one, figures in found.values()
        for figure in figures
        if one is not newest
    }
    return replace(newest, cases=tuple(figures for _, figures in found.values())), others


def _age(one: Looked) -> tuple[datetime, int]:
    return datetime.fromisoformat(one.run.started), one.number


def _is_surpassed(later: tuple[PastCase, ...], earlier: tuple[PastCase, ...]) -> bool:
    """Whether only the earlier one was tried."""
    return later[0].case.status in NO_ATTEMPT and earlier[0].case.status not in NO_ATTEMPT


def looked_at(store: Store, ids: Sequence[str]) -> tuple[list[Looked], list[str]]:
    """These runs with their medians, in the order of time, and those of them that are damaged."""
    if not ids:
        return [], []
    found = history(store, Filter(ids=ids))
    return list(found.runs), list(found.damaged)


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
            host: run.id
            for host, one in members.items()
            if (run := earlier.get(host, {}).get((one.case.key, one.case.side)))
        },
    )


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


class Shown(Record, frozen=True, kw_only=True):
    """A run that figures are of."""

    host: str | None
    run: str
    label: str
    started: str


class Picture(Record, frozen=True, kw_only=True):
    """A fleet."""

    machines: dict[str, Shown]
    """By host, in the order of their names: the newest run of each."""
    earlier: dict[str, Shown] = {}
    """By their ids further runs, which have the newest figures of what that does not have."""
    figures: tuple[Across, ...]
    fleet: Fleet
    said: tuple[str, ...]
    """Who stands apart, a sentence each."""
    damaged: tuple[str, ...] = ()
    """Ids of runs that can't be read."""


def picture(store: Store, wanted: Wanted, now: datetime) -> Picture:
    """Set the machines' newest figures side by side.

    Raises:
        UsageError: two runs of one session measured the same machine.
    """
    found = gathered(store, wanted, now)
    machines = by_machine(found.runs)
    fleet = outliers_among(found.runs)
    earlier = {run.id: run for of in found.earlier.values() for run in of.values()}
    return Picture(
        machines={host: _shown(of.run) for host, of in machines.items()},
        earlier={id: _shown(run) for id, run in earlier.items()},
        figures=across(machines, found.earlier),
        fleet=fleet,
        said=tuple(one.said for one in fleet.apart),
        damaged=tuple(found.damaged),
    )


def _shown(run: Run) -> Shown:
    return Shown(host=run.machine.host, run=run.id, label=run.label, started=run.started)
