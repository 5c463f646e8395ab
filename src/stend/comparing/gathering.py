"""A store and what to choose by → the newest run of each machine, with its medians."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from stend.comparing.fleet import is_of_pairs
from stend.comparing.history import history
from stend.comparing.side_by_side import Looked
from stend.store import Filter, Newest, Store

MEASURED = ("quick", "full")
"""Sizes of runs that have figures: a check has none."""
_MOST_BACK = 3
"""Runs of pairs in a row behind which a machine's own run is looked for."""


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


def gathered(store: Store, wanted: Wanted, now: datetime) -> tuple[list[Looked], list[str]]:
    """The runs, and the ids of those that are damaged.

    Each machine's newest that has ended. Runs of pairs of machines come with a session's, and
    stand for no machine.
    """
    chosen = _filter(wanted, now)
    if wanted.group is not None:
        found = history(store, chosen)
        return list(found.runs), list(found.damaged)
    return _newest(store, chosen)


def newest(store: Store, wanted: Wanted, now: datetime) -> list[Newest]:
    """Which runs these would be if none were of pairs, and no session was asked for."""
    return store.newest(_filter(wanted, now))


def _filter(wanted: Wanted, now: datetime) -> Filter:
    return Filter(
        label=wanted.label,
        group=wanted.group,
        sizes=MEASURED if wanted.size is None else (wanted.size,),
        since=None if wanted.days is None else now - timedelta(days=wanted.days),
        finished=True,
    )


def _newest(store: Store, chosen: Filter) -> tuple[list[Looked], list[str]]:
    taken: list[Looked] = []
    damaged: list[str] = []
    for _ in range(_MOST_BACK):
        ids = [one.id for one in store.newest(chosen)]
        some = looked_at(store, ids)
        damaged += some[1]
        taken += [one for one in some[0] if not is_of_pairs(one)]
        of_pairs = [one.run for one in some[0] if is_of_pairs(one)]
        if not of_pairs:
            break
        earliest = max(datetime.fromisoformat(run.started) for run in of_pairs)
        chosen = replace(chosen, hosts=[run.machine.host for run in of_pairs], before=earliest)
    return taken, damaged


def looked_at(store: Store, ids: Sequence[str]) -> tuple[list[Looked], list[str]]:
    """These runs with their medians, and those of them that are damaged."""
    if not ids:
        return [], []
    found = history(store, Filter(ids=ids))
    return list(found.runs), list(found.damaged)
