"""How far the runs under way are: told by what measures, read by who watches."""

from contextlib import suppress

from sqlalchemy import delete, insert, literal, select

from stend.errors import StoreError
from stend.printable import printable
from stend.record import Record
from stend.store import moments
from stend.store.finding import NEWEST_FIRST
from stend.store.opening import Database
from stend.store.tables import progress, runs

_MOST = 100
"""Runs under way that are told of."""


class UnderWay(Record, frozen=True, kw_only=True):
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

    def under_way(self) -> list[UnderWay]:
        """The newest runs that have not ended, newest first; one that was killed is among them."""
        chosen = (
            select(runs.c.id, runs.c.label, runs.c.host, runs.c.started)
            .add_columns(progress.c.at, progress.c.share, progress.c.doing)
            .outerjoin(progress, progress.c.run == runs.c.number)
            .where(runs.c.finished.is_(None))
            .order_by(*NEWEST_FIRST)
            .limit(_MOST)
        )
        with self._database.reading() as connection:
            found = connection.execute(chosen).all()
        return [
            UnderWay(
                id=row.id,
                label=row.label,
                host=row.host,
                started=row.started,
                heard=None if row.at is None else moments.shown(row.at),
                share=row.share or 0.0,
                doing=row.doing or "",
            )
            for row in found
        ]
