"""Backups: a file that is itself a store, and its way back into an empty store.

Left out is what means nothing later: visits of browsers, how far runs under way are, and files
that are still being sent.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, func, insert, select, text

from stend.errors import BadValue, NoSpace, OutputError, StoreError
from stend.record.files import built_whole
from stend.record.text import printable
from stend.store import audit, tables
from stend.store.faults import in_sentences
from stend.store.opening import Database, new_file, open_unchanged

_LEFT_OUT = (tables.version, tables.visits, tables.progress, tables.uploads, tables.parts)
COPIED = tuple(table for table in tables.metadata.sorted_tables if table not in _LEFT_OUT)
"""Those that others refer to come before them."""

_AT_ONCE = 20
"""Rows that are in memory together: one of samples, or of a removed run, can have megabytes."""

Told = Callable[[int, int], None]
"""Takes how many steps are done, of how many."""


def untold(done: int, steps: int) -> None:
    """Take it for nobody."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows of the tables there were."""

    runs: int
    removed: int
    """That can be put back."""
    tokens: int

    @property
    def said(self) -> str:
        """`14 runs, 1 removed run and 3 tokens`."""
        removed = f", {_counted(self.removed, 'removed run')}" if self.removed else ""
        return f"{_counted(self.runs, 'run')}{removed} and {_counted(self.tokens, 'token')}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def write(store: Database, path: Path, told: Told) -> Copied:
    """Write a file that is a store of what this one holds at one moment, or none.

    Raises:
        BadValue: there is such a file.
        OutputError: it can't be written.
        StoreError: the store can't be read, or there is none.
    """
    if store.path is not None and not store.path.exists():
        raise StoreError(f"There is no store {store.name} to back up; name one with --store.")
    with built_whole(path) as part, store.reading() as source:
        try:
            with closing(new_file(part)) as file, file.writing() as target:
                return _copied(Side(store, source), Side(file, target), told)
        except NoSpace as error:
            raise OutputError(
                f"No space is left for {printable(str(path))}; nothing was written."
            ) from error


def restore(store: Database, path: Path, told: Told, by: str | None = None) -> Copied:
    """Put all that a backup holds into a store that holds nothing, or leave it so.

    That it was done, and `by` whom, is in the audit log behind what the backup has of it.

    Raises:
        BadValue: there is no such file.
        StoreError: the backup is damaged, or none; or the store is not empty.
    """
    if not os.path.exists(path):  # noqa: PTH110 - Path raises for names that are too long
        raise BadValue(f"There is no backup {printable(str(path))}.")
    with closing(open_unchanged(path)) as file, file.reading() as source:
        _refuse_damaged(source, path)
        with store.writing() as target:
            _lock(target)
            _refuse_filled(target, store.name)
            done = _copied(Side(file, source), Side(store, target), told)
            _count_on(target)
            audit.note(target, by, "", "store restore", path.name, done.said)
    return done


@dataclass(frozen=True, slots=True)
class Side:
    """A store that rows come from or go to."""

    database: Database
    connection: Connection

    def rows(self, table: Table) -> Iterator[Sequence[RowMapping]]:
        """All rows in the order of their keys, some at a time."""
        chosen = select(table).order_by(*table.primary_key)
        with in_sentences(self.database.name, self.database.path, self.database.secret):
            found = self.connection.execute(chosen.execution_options(yield_per=_AT_ONCE))
            yield from found.mappings().partitions()

    def counts(self) -> dict[Table, int]:
        """How many rows each table has."""
        return {t: self.connection.scalars(_count(t)).one() for t in COPIED}


def _copied(source: Side, target: Side, told: Told) -> Copied:
    """Copy all, then read both and hold them against each other."""
    counts = source.counts()
    done, steps = 0, 2 * sum(counts.values())
    for table in COPIED:
        for some in source.rows(table):
            target.connection.execute(insert(table), [dict(row) for row in some])
            done += len(some)
            told(done, steps)
    for table in COPIED:
        both = zip_longest(_each(source, table), _each(target, table))
        for number, (one, other) in enumerate(both, 1):
            if one != other:
                raise StoreError(
                    f"Row {number} of {table.name} is not in {target.database.name} as it is in "
                    f"{source.database.name}, so nothing was copied."
                )
            if number % _AT_ONCE == 0:
                told(done + number, steps)
        done += counts[table]
    told(steps, steps)
    return Copied(counts[tables.runs], counts[tables.trash], counts[tables.tokens])


def _each(side: Side, table: Table) -> Iterator[RowMapping]:
    return chain.from_iterable(side.rows(table))


def _count(table: Table) -> Any:
    return select(func.count()).select_from(table)


def _refuse_damaged(connection: Connection, path: Path) -> None:
    """SQLite takes a last page that was cut short for one that ends in zeros."""
    fault: str = connection.scalars(text("PRAGMA integrity_check(1)")).one()
    if path.stat().st_size % connection.scalars(text("PRAGMA page_size")).one():
        fault = "its last page is not whole"
    if fault != "ok":
        raise StoreError(
            f"The backup {printable(str(path))} is damaged ({printable(fault)}), so nothing was "
            "restored. Take an earlier one, or save what is left with `sqlite3 COPY .recover`."
        )


def _lock(connection: Connection) -> None:
    """Nobody else writes until all is there; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in COPIED)
        connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _refuse_filled(connection: Connection, name: str) -> None:
    for table in COPIED:
        if connection.scalar(_count(table)):
            raise StoreError(
                f"The store {name} is not empty ({table.name} has rows), and a backup is restored "
                "whole into an empty one; nothing was changed. Give another with --store, or "
                "bring single runs over with `stend export` and `stend import`."
            )


def _count_on(connection: Connection) -> None:
    """New rows get numbers after those that are there; SQLite sees to it by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in COPIED:
        if "number" in table.c and (last := connection.scalar(select(func.max(table.c.number)))):
            sequence = func.pg_get_serial_sequence(table.name, "number")
            connection.execute(select(func.setval(sequence, last)))
