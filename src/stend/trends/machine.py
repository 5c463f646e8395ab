"""The trends of one machine: a metric, its headline figures, and changes of its facts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from stend.comparing.differences import Difference
from stend.comparing.fleet_figures import MEASURED, across, by_machine, headlines, newest_figures
from stend.comparing.history import PastCase, history, in_order
from stend.comparing.selection import Asked, none_of
from stend.errors import UnknownName, UsageError
from stend.record import Record, Run
from stend.store import Filter, Past, Store
from stend.trends.trend import Trend, trends
from stend.trends.two_days import split_differences

UNKNOWN = "unknown"
"""A machine that did not tell its name, as it is shown and chosen."""


class Followed(Record, frozen=True, kw_only=True):
    """The trends of a metric on one machine."""

    metric: str
    """As it was asked for."""
    host: str | None
    others: dict[str, int] = {}
    """Other machines that have it: how many runs each."""
    runs: int
    """Of this machine that were looked at."""
    stored: int
    """Of this machine that have it, whatever their label and time."""
    trends: tuple[Trend, ...]
    doubts: tuple[str, ...] = ()
    """Runs that were left out or whose time is doubtful, a sentence each."""


def follow(
    store: Store,
    metric: Asked,
    *,
    here: str,
    host: str | None = None,
    label: str | None = None,
    since: datetime | None = None,
    limit: int | None = None,
    now: datetime,
) -> Followed:
    """Follow a metric over the stored runs of a machine.

    Args:
        store: where the runs are.
        metric: what is asked for.
        here: the name of this machine, which is meant where it has runs and `host` is None.
        host: the machine.
        label: only runs of this label.
        since: only runs that began then or later.
        limit: at most so many runs, the newest.
        now: against which clocks that run ahead are noticed.

    Raises:
        UnknownName: nothing that is stored is called so, or of that machine.
        UsageError: several machines have it, and neither is this one.
    """
    having = _cases(store, metric)
    counts = store.hosts(having)
    chosen = _chosen(counts, host, here)
    found = history(store, replace(having, hosts=[chosen], label=label, since=since, limit=limit))
    if not found.runs and not found.damaged:
        raise UnknownName(
            f"No stored run of {chosen or 'an unknown host'} has this metric with this label and "
            "since this date; `stend runs` lists the stored runs."
        )
    runs, doubts = in_order(found.runs, now)
    taken = _taken(metric, runs)
    if taken and not any(some for _, some in taken):
        raise none_of(metric, store.kinds(having.benchmarks or ()).values())
    damaged = [
        f"The run {id[:8]} is damaged in the store and left out; `stend show {id[:8]}` says more."
        for id in found.damaged
    ]
    return Followed(
        metric=" ".join([metric.benchmark, *metric.words]),
        host=chosen,
        others={name or UNKNOWN: n for name, n in counts.items() if name != chosen},
        runs=len(runs),
        stored=max(counts[chosen], len(runs)),
        trends=trends(taken),
        doubts=(*damaged, *doubts),
    )


def machines_that_have(store: Store, metric: Asked) -> dict[str | None, int]:
    """How many stored runs each machine has of a metric.

    Raises:
        UnknownName: nothing that is stored is called so.
    """
    return store.hosts(_cases(store, metric))


def _taken(
    metric: Asked, runs: Sequence[Past[tuple[PastCase, ...]]]
) -> list[tuple[Run, list[PastCase]]]:
    """What the words mean of each run's figures."""
    figures = [(past.run, [one for case in past.cases for one in case]) for past in runs]
    return [(run, [one for one in some if metric.takes(one.case)]) for run, some in figures]


def _cases(store: Store, metric: Asked) -> Filter:
    """The cases that are meant: only those are read."""
    benchmarks = metric.of(store.benchmarks())
    kinds = store.kinds(benchmarks)
    taken = [text for text, kind in kinds.items() if metric.takes_any_of(kind)]
    if kinds and not taken:
        raise none_of(metric, kinds.values())
    return Filter(benchmarks, taken)


def _chosen(counts: Mapping[str | None, int], host: str | None, here: str) -> str | None:
    if host is not None:
        if host == UNKNOWN and host not in counts and None in counts:
            return None
        if host not in counts:
            raise UnknownName(
                f"No stored run of {host} has this metric; there are runs of "
                f"{_machine_list(counts)}."
            )
        return host
    if not counts:
        raise UnknownName("No readable run has this metric; `stend runs` lists the stored runs.")
    if here in counts:
        return here
    if len(counts) > 1:
        raise UsageError(
            f"Several machines have this metric, but this one, {here}, does not: "
            f"{_machine_list(counts)}. Choose one with --host."
        )
    return next(iter(counts))


def _machine_list(counts: Mapping[str | None, int]) -> str:
    return ", ".join(f"{name or UNKNOWN} ({count})" for name, count in counts.items())


class FactsChanged(Record, frozen=True, kw_only=True):
    """Two runs in a row between which facts of a machine changed."""

    after: str
    """When the run before it began."""
    before: str
    """When the run began that has the new ones."""
    run: str
    """Its id."""
    facts: tuple[Difference, ...]


def facts_changed(runs: Sequence[Run]) -> tuple[FactsChanged, ...]:
    """What changed between any two in a row, newest first; the runs are in the order of time."""
    found = [
        FactsChanged(after=a.started, before=b.started, run=b.id, facts=facts)
        for a, b in pairwise(runs)
        if (
            facts := tuple(one for one in split_differences(a, b)[0] if one.what not in _OF_THE_RUN)
        )
    ]
    return tuple(found[::-1])


_OF_THE_RUN = {"size"}
"""What was chosen for a run says nothing of its machine."""


def headline_trends(store: Store, host: str | None, limit: int, now: datetime) -> tuple[Trend, ...]:
    """The trends of one figure a family over a machine's newest runs.

    Whichever of its runs measured them last.
    """
    of_it = Filter(hosts=[host], sizes=MEASURED, finished=True)
    rows = headlines(across(by_machine(newest_figures(store, of_it).runs)))
    if not rows:
        return ()
    benchmarks = [row.benchmark for row in rows]
    like = {(row.variant, *sorted(row.parameters.items())) for row in rows}
    kinds = [
        text
        for text, kind in store.kinds(benchmarks).items()
        if (kind.variant, *sorted(kind.parameters.items())) in like
    ]
    cases = Filter(benchmarks, kinds, [host], sizes=MEASURED, limit=limit, finished=True)
    runs, _ = in_order(history(store, cases).runs, now)
    names = {row.name for row in rows}
    return tuple(
        one
        for one in trends([(past.run, [f for of in past.cases for f in of]) for past in runs])
        if one.name in names
    )
