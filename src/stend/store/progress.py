"""Progress of active runs: written by what measures, read by who watches."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, literal, select

from stend.errors import StoreError
from stend.record import CaseRecord, Record
from stend.record.text import printable
from stend.store import moments
from stend.store.lookup import NEWEST_FIRST
from stend.store.opening import Database
from stend.store.tables import cases, progress, runs, samples

SILENT = 60 * moments.MINUTE
"""After which a run without an end is taken for one that was killed; cases take minutes."""
_MOST = 100
"""Runs under way that are told of."""


class ActiveRun(Record, frozen=True, kw_only=True):
    """A run that has begun and not ended."""

    id: str
    label: str
    host: str | None
    started: str
    heard: str | None
    """When it last told; None where it never did, as with an older stend."""
    share: float
    """How much of it is done."""
    doing: str
    """What is measured now."""
    killed: bool = False
    """Whether nothing was heard of it for so long that it is taken for killed."""


class Cursor(NamedTuple):
    """How far somebody has read a run that grows: the last case and sample that they saw."""

    case: int = 0
    sample: int = 0

    def farthest(self, others: Iterable["Cursor"]) -> "Cursor":
        """As far as the farthest of it and the others, in cases and in samples."""
        return Cursor(*(max(reached) for reached in zip(self, *others, strict=True)))


class RunUpdate(NamedTuple):
    """What came since a place."""

    cases: tuple[CaseRecord, ...]
    """Each with all its samples, those last that came last."""
    place: Cursor
    """To go on from."""


def fresh(connection: Connection, run_id: str, after: Cursor, limit: int) -> dict[int, Cursor]:
    """The newest cases of a run of which something came since, by number, in the order of news."""
    of_run = cases.c.run == select(runs.c.number).where(runs.c.id == run_id).scalar_subquery()
    measured = (
        select(samples.c.case, func.max(samples.c.number))
        .join(cases, samples.c.case == cases.c.number)
        .where(of_run, samples.c.number > after.sample)
        .group_by(samples.c.case)
        .order_by(func.max(samples.c.number).desc())
        .limit(limit)
    )
    begun = select(cases.c.number).where(of_run, cases.c.number > after.case)
    found = dict.fromkeys(connection.scalars(begun.order_by(cases.c.number)), after.sample)
    found |= {row[0]: row[1] for row in connection.execute(measured)}
    newest = sorted(found, key=lambda number: (found[number], number))[-limit:]
    return {number: Cursor(number, found[number]) for number in newest}


class Progress:
    """Of the runs in one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tell(self, run_id: str, share: float, doing: str) -> None:
        """Say how far a run is. Where that can't be kept the run goes on all the same."""
        said = literal(moments.now()), literal(share), literal(printable(doing))
        of = select(runs.c.number, *said).where(runs.c.id == run_id, runs.c.finished.is_(None))
        with suppress(StoreError), self._database.writing() as connection:
            there = select(runs.c.number).where(runs.c.id == run_id)
            connection.execute(delete(progress).where(progress.c.run.in_(there)))
            columns = ["run", "at", "share", "doing"]
            connection.execute(insert(progress).from_select(columns, of))

    def under_way(self) -> list[ActiveRun]:
        """The newest runs that have not ended, newest first; one that was killed is among them."""
        chosen = (
            select(runs.c.id, runs.c.label, runs.c.host, runs.c.started, runs.c.began)
            .add_columns(progress.c.at, progress.c.share, progress.c.doing)
            .outerjoin(progress, progress.c.run == runs.c.number)
            .where(runs.c.finished.is_(None))
            .order_by(*NEWEST_FIRST)
            .limit(_MOST)
        )
        with self._database.reading() as connection:
            found = connection.execute(chosen).all()
        return [
            ActiveRun(
                id=row.id,
                label=row.label,
                host=row.host,
                started=row.started,
                heard=None if row.at is None else moments.shown(row.at),
                share=row.share or 0.0,
                doing=row.doing or "",
                killed=moments.now() - (row.at or row.began) >= SILENT,
            )
            for row in found
        ]
