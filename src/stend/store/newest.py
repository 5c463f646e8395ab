"""The newest runs of each machine, and of each case of it; reads no samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from sqlalchemy import Connection, case, func, select

from stend.record import NO_ATTEMPT
from stend.store.names import one_of
from stend.store.tables import cases, runs
from stend.store.time_series import Filter

_EVER = 1 << 61
"""Microseconds: what began before all times that a run can have."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest run of one kind of a machine."""

    id: str
    host: str | None
    label: str
    size: str
    began: int
    """Microseconds since 1970."""
    runs: int
    """How many of that kind there are."""


def newest_of_each(connection: Connection, wanted: Filter, by_kind: bool) -> list[Newest]:
    """The newest run that is wanted of each machine; or of each machine, label and size.

    In the order of names, a machine that told none last.
    """
    kind = [runs.c.host, runs.c.label, runs.c.size] if by_kind else [runs.c.host]
    newest_first = [runs.c.began.desc(), runs.c.number.desc()]
    ranked = (
        select(
            runs.c.number,
            func.row_number().over(partition_by=kind, order_by=newest_first).label("rank"),
            func.count().over(partition_by=kind).label("runs"),
        )
        .where(*wanted.of_runs())
        .subquery()
    )
    found = (
        select(runs.c.id, runs.c.host, runs.c.label, runs.c.size, runs.c.began, ranked.c.runs)
        .join(ranked, ranked.c.number == runs.c.number)
        .where(ranked.c.rank == 1)
        .order_by(runs.c.host.is_(None), runs.c.host, *newest_first)
    )
    return [Newest(*row) for row in connection.execute(found)]


def newest_of_each_case(connection: Connection, wanted: Filter) -> list[str]:
    """The ids of the runs in which some machine tried some case for the last time.

    Where it was never tried, but skipped or interrupted, those in which it was so. Of what began at
    one moment on one machine there may be more.
    """
    # Whether a case was tried is looked up by its number: the index of kinds has all else, and the
    # rows of cases are wide (14 ms instead of 60 for 100 machines, 100 cases and two days).
    untried = cases.c.number.in_(select(cases.c.number).where(cases.c.status.in_(NO_ATTEMPT)))
    when = func.max(case((untried, runs.c.began - _EVER), else_=runs.c.began)).label("when")
    of_each = (
        select(runs.c.host, when)
        .join(cases, cases.c.run == runs.c.number)
        .where(*wanted.of_runs())
        .group_by(runs.c.host, cases.c.benchmark, cases.c.kind)
        .subquery()
    )
    began = case((of_each.c.when < -_EVER // 2, of_each.c.when + _EVER), else_=of_each.c.when)
    last = select(of_each.c.host, began.label("began")).distinct().subquery()
    of_these = runs.c.host.is_not_distinct_from(last.c.host) & (runs.c.began == last.c.began)
    found = select(runs.c.id).join(last, of_these).where(*wanted.of_runs())
    return list(connection.scalars(found.order_by(runs.c.began.desc(), runs.c.number.desc())))


def fingerprint(connection: Connection, wanted: Filter) -> str:
    """What changes whenever other runs are wanted, or one has another label."""
    found = select(runs.c.id, runs.c.label).where(*wanted.of_runs()).order_by(runs.c.number)
    digest = blake2b(digest_size=16)
    for id, label in connection.execute(found):
        digest.update(f"{id} {len(label)} {label}".encode(errors="surrogatepass"))
    return digest.hexdigest()


def statuses(connection: Connection, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """How many cases of each run ended how, by its id."""
    counted = (
        select(runs.c.id, cases.c.status, func.count())
        .join(runs, cases.c.run == runs.c.number)
        .where(one_of(runs.c.id, ids))
        .group_by(runs.c.id, cases.c.status)
    )
    found: dict[str, dict[str, int]] = {}
    for run, status, count in connection.execute(counted):
        found.setdefault(run, {})[status] = count
    return found
