"""A metric's words and a store → its trends on one machine, and what had to be left out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from stend.comparing.asked import Asked, none_of
from stend.comparing.history import PastCase, history
from stend.comparing.in_order import in_order
from stend.comparing.trend import Trend, trends
from stend.errors import UnknownName, UsageError
from stend.record import Record, Run
from stend.store import Filter, Past, Store

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
            f"No stored run of {chosen or 'an unknown host'} has that with this label and since "
            "then; `stend runs` lists what there is."
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
            raise UnknownName(f"No stored run of {host} has it; there are runs of {_told(counts)}.")
        return host
    if not counts:
        raise UnknownName("No run that can be read has it; `stend runs` lists what there is.")
    if here in counts:
        return here
    if len(counts) > 1:
        raise UsageError(
            f"Several machines have it and this one, {here}, has not: {_told(counts)}. Choose "
            "one with --host."
        )
    return next(iter(counts))


def _told(counts: Mapping[str | None, int]) -> str:
    return ", ".join(f"{name or UNKNOWN} ({count})" for name, count in counts.items())
