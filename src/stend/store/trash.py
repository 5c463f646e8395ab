"""The trash: removed runs, packed, put back or deleted for good.

The rows are kept as they are, so a run comes back with whatever it had, and a damaged one can be
removed like any other. What was derived from its cases is made again.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, tuple_

from stend.errors import Conflict, Damaged, UnknownName
from stend.record import Record
from stend.record.text import LAST, minute, printable
from stend.store import audit, moments, opening
from stend.store.codec import text_of
from stend.store.lookup import meant, number_of
from stend.store.names import one_of
from stend.store.opening import Database, Turn
from stend.store.progress import SILENT
from stend.store.rows import locked
from stend.store.tables import cases, progress, runs, samples, searched, trash


class Removed(Record, frozen=True, kw_only=True):
    """A run that can be put back."""

    id: str
    label: str
    host: str | None
    started: str
    removed: str
    """When."""
    by: str
    """Who removed it."""
    sender: str | None = None
    """Whose token had sent it."""


@dataclass(frozen=True, slots=True)
class Removals:
    """A page of them, what was removed last first."""

    runs: tuple[Removed, ...]
    next: str | None
    """What to give as `after` for the page that follows; None: this is the last."""


class _Rows(msgspec.Struct):
    """The rows of a run, by the names of their columns."""

    run: dict[str, Any]
    searched: list[dict[str, Any]]
    cases: list[dict[str, Any]]
    samples: list[dict[str, Any]]


class Trash:
    """What was removed from a store and can be put back.

    Its verbs take by whom and from which address it is done, for the audit log.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, name: str, by: str, address: str = "") -> str:
        """Move the run that `name` means, as in `Store.load`, here, and give its id.

        Raises:
            UnknownName: no run has this name, or several do.
            Conflict: it may be being measured now.
        """
        with self._database.writing() as connection:
            opening.take(connection, Turn.TRASH)
            number = locked(connection, number_of(connection, name))
            row = connection.execute(select(runs).where(runs.c.number == number)).one()
            run_id = text_of(row.id)
            if _may_be_measured(connection, row):
                raise Conflict(
                    f"The run {run_id} has not ended, and was active within the last hour: it is "
                    "being measured, or was killed. Wait, or remove it for good with `stend "
                    f"remove --for-good {run_id[:8]}`."
                )
            there = {name: getattr(row, name) for name in _SHARED}
            packed = _packed(connection, number)
            connection.execute(
                insert(trash).values(**there, removed=moments.now(), by=printable(by), rows=packed)
            )
            connection.execute(delete(runs).where(runs.c.number == number))
            audit.note(connection, by, address, "run remove", run_id, there["label"])
        return run_id

    def id_of(self, name: str) -> str:
        """The id of the removed run that `name` means: its id or its beginning, its label, or last.

        last is the run that was removed last, last~1 the one before.

        Raises:
            UnknownName: no removed run has this name, or several do.
        """
        with self._database.reading() as connection:
            return _found(connection, name)[1]

    def restore(self, name: str, by: str | None = None, address: str = "") -> str:
        """Put the removed run that `name` means, as in `id_of`, back, and give its id.

        Raises:
            UnknownName: no removed run has this name, or several do.
            StoreError: it is damaged.
        """
        with self._database.writing() as connection:
            opening.take(connection, Turn.TRASH)
            number, run_id = _found(connection, name)
            found = select(trash.c.rows).where(trash.c.number == number)
            packed: bytes = connection.execute(found).scalar_one()
            _put_back(connection, self._unpacked(packed, run_id))
            connection.execute(delete(trash).where(trash.c.number == number))
            audit.note(connection, by, address, "run restore", run_id)
        return run_id

    def empty(
        self, names: Sequence[str] | None = None, by: str | None = None, address: str = ""
    ) -> int:
        """Forget removed runs for good, named as in `id_of`, or all; gives how many.

        Raises:
            UnknownName: no removed run has one of the names; then none is forgotten.
        """
        with self._database.writing() as connection:
            opening.take(connection, Turn.TRASH)
            found = (
                {(n, text_of(i)) for n, i in connection.execute(select(trash.c.number, trash.c.id))}
                if names is None
                else {_found(connection, name) for name in names}
            )
            for number, run_id in found:
                connection.execute(delete(trash).where(trash.c.number == number))
                audit.note(connection, by, address, "run forget", run_id)
        return len(found)

    def list(self) -> tuple[Removed, ...]:
        """What can be put back, what was removed last first."""
        with self._database.reading() as connection:
            return tuple(map(_removed, connection.execute(_LISTED)))

    def listing(self, limit: int, after: str | None = None) -> Removals:
        """A page of that, which follows the one that gave `after`.

        Raises:
            BadValue: no page gave that.
        """
        found = _LISTED.limit(limit + 1)
        if after:
            found = found.where(tuple_(trash.c.removed, trash.c.number) < moments.read_place(after))
        with self._database.reading() as connection:
            rows = connection.execute(found).all()
        more = len(rows) > limit
        end = moments.place_text(rows[limit - 1].removed, rows[limit - 1].number) if more else None
        return Removals(tuple(map(_removed, rows[:limit])), end)

    def known(self, ids: Sequence[str]) -> tuple[Removed, ...]:
        """Those of the whole ids that removed runs have, what was removed last first."""
        these = one_of(trash.c.id, map(printable, ids))
        with self._database.reading() as connection:
            return tuple(map(_removed, connection.execute(_LISTED.where(these))))

    def _unpacked(self, packed: bytes, run_id: str) -> _Rows:
        try:
            return msgspec.msgpack.decode(zlib.decompress(packed), type=_Rows)
        except (ValueError, TypeError, zlib.error) as error:
            raise Damaged(
                f"The removed run {run_id} is damaged, so it can't be put back. Take it from a "
                "backup or a run file."
            ) from error


_SHARED = "id", "label", "host", "started", "digest", "sender"
_LAST_FIRST = trash.c.removed.desc(), trash.c.number.desc()
_LISTED = select(*(column for column in trash.c if column.name != "rows")).order_by(*_LAST_FIRST)


def _removed(row: Row[Any]) -> Removed:
    return Removed(
        id=text_of(row.id),
        label=text_of(row.label),
        host=row.host and text_of(row.host),
        started=text_of(row.started),
        removed=moments.shown(row.removed),
        by=text_of(row.by),
        sender=row.sender and text_of(row.sender),
    )


def refuse_removed(connection: Connection, run_id: str) -> None:
    """Keep a run away that was removed.

    Raises:
        Conflict: it can be put back; the sentence says when and by whom it was removed, and how.
    """
    row = connection.execute(
        select(trash.c.removed, trash.c.by).where(trash.c.id == run_id)
    ).first()
    if row is not None:
        when = minute(moments.shown(row.removed))
        raise Conflict(
            f"The run {run_id} was removed on {when} UTC by {text_of(row.by)}, so nothing was "
            f"changed. Put it back with `stend remove --undo {run_id[:8]}`."
        )


def _may_be_measured(connection: Connection, run: Row[Any]) -> bool:
    """A run that was sent came whole."""
    if run.finished is not None or run.digest is not None:
        return False
    heard = connection.scalar(select(progress.c.at).where(progress.c.run == run.number))
    return bool(moments.now() - (heard or run.began) < SILENT)


def _packed(connection: Connection, number: int) -> bytes:
    def rows(table: Any, condition: ColumnElement[bool], *order: Any) -> Any:
        found = connection.execute(select(table).where(condition).order_by(*order))
        return [dict(row._mapping) for row in found]

    [run] = rows(runs, runs.c.number == number)
    of_case = samples.c.case.in_(select(cases.c.number).where(cases.c.run == number))
    whole = _Rows(
        run=run,
        searched=rows(searched, searched.c.run == number),
        cases=rows(cases, cases.c.run == number, cases.c.number),
        samples=rows(samples, of_case, samples.c.number),
    )
    return zlib.compress(msgspec.msgpack.encode(whole), level=1)


def _put_back(connection: Connection, rows: _Rows) -> None:
    """Under new numbers: the old ones may be others' in a store that came from a backup."""
    del rows.run["number"]
    run = connection.execute(insert(runs).values(**rows.run).returning(runs.c.number)).scalar_one()
    for row in rows.searched:
        connection.execute(insert(searched).values(row | {"run": run}))
    case_of = {}
    for row in rows.cases:
        old = row.pop("number")
        stored = insert(cases).values(row | {"run": run}).returning(cases.c.number)
        case_of[old] = connection.execute(stored).scalar_one()
    for row in rows.samples:
        del row["number"]
        connection.execute(insert(samples).values(row | {"case": case_of[row["case"]]}))


def _found(connection: Connection, name: str) -> tuple[int, str]:
    """The number and the id of the removed run that a name means."""
    name = printable(name)
    last = LAST.fullmatch(name)
    if last:
        removed = select(trash.c.number, trash.c.id).order_by(*_LAST_FIRST)
        row = connection.execute(removed.offset(int(last[1] or 0)).limit(1)).first()
        found = row and (int(row.number), text_of(row.id))
    else:
        found = meant(connection, trash, name, *_LAST_FIRST)
    if found is None:
        raise UnknownName(
            f"No removed run is called '{name}'; `stend runs --removed` lists them. Its name is "
            "its id or at least its first 4 digits, its label, or last, as in `stend show`."
        )
    return found
