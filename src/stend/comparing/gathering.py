"""A store and what to choose by → each machine's newest figures, with the runs they are of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from stend.comparing.fleet import host_of
from stend.comparing.history import PastCase, history
from stend.comparing.side_by_side import Looked, pair_of
from stend.record import NO_ATTEMPT, Run
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
