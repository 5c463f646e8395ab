"""One benchmark's cases over many stored runs, filtered, in the order of time.

What is wanted of a case is made of all its samples, and a thousand runs have many. So it is kept
beside them under the name of its making, and made anew where that is missing or another.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy import Row as Found

from stend.record import CaseRecord, Run
from stend.record.text import printable
from stend.store.lookup import NEWEST_FIRST, microseconds
from stend.store.names import UNNAMED, UNTOLD, Kind, kind_said, one_of
from stend.store.tables import cases, derived, runs

T = TypeVar("T")

AT_ONCE = 500
"""Cases that are read or kept together: a database takes so many parameters and no more."""
_MOST_KINDS = 5_000
"""Of which cases are chosen by their kind: for more, all of the benchmark are read."""


@dataclass(frozen=True, slots=True)
class Derivation(Generic[T]):
    """What is to be known of each case."""

    name: str
    """Changes whenever `make` gives something else for the same case."""
    kind: type[T]
    """What `make` gives: msgspec writes it as JSON and reads it back."""
    make: Callable[[CaseRecord], T]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which runs and cases are wanted; None: all."""

    benchmarks: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    """Keys of `Store.kinds`. A case whose kind only its record tells comes with any."""
    hosts: Sequence[str | None] | None = None
    label: str | None = None
    group: str | None = None
    sizes: Sequence[str] | None = None
    since: datetime | None = None
    """The earliest beginning, with its zone."""
    before: datetime | None = None
    """What they began before, with its zone."""
    finished: bool = False
    """Only runs that have ended."""
    limit: int | None = None
    """At most so many runs, the newest that have any of these cases."""
    ids: Sequence[str] | None = None
    """Of the runs."""

    def cases(self) -> list[ColumnElement[bool]]:
        """What a case must be."""
        must: list[ColumnElement[bool]] = []
        if self.benchmarks is not None:
            must.append(cases.c.benchmark.in_(self.benchmarks))
        if self.kinds is not None and len(self.kinds) < _MOST_KINDS:
            must.append(cases.c.kind.in_([*self.kinds, UNNAMED, UNTOLD]))
        return must

    def runs(self) -> Select[tuple[int]]:
        """The numbers of the runs, newest first."""
        chosen = select(runs.c.number).order_by(*NEWEST_FIRST).limit(self.limit)
        return chosen.where(*self.of_runs())

    def of_runs(self) -> list[ColumnElement[bool]]:
        """What a run must be."""
        must: list[ColumnElement[bool]] = []
        if of_cases := self.cases():
            must.append(runs.c.number.in_(select(cases.c.run).where(*of_cases)))
        if self.ids is not None:
            must.append(one_of(runs.c.id, self.ids))
        if self.hosts is not None:
            named = [printable(host) for host in self.hosts if host is not None]
            of_these = one_of(runs.c.host, named)
            must.append(of_these | runs.c.host.is_(None) if None in self.hosts else of_these)
        if self.label is not None:
            must.append(runs.c.label == printable(self.label))
        if self.group is not None:
            must.append(runs.c.group == printable(self.group))
        if self.sizes is not None:
            must.append(runs.c.size.in_(self.sizes))
        if self.since is not None:
            must.append(runs.c.began >= microseconds(self.since.isoformat()))
        if self.before is not None:
            must.append(runs.c.began < microseconds(self.before.isoformat()))
        if self.finished:
            must.append(runs.c.finished.is_not(None))
        return must


@dataclass(frozen=True, slots=True)
class Past(Generic[T]):
    """One run of a series."""

    run: Run
    """Without its cases."""
    cases: tuple[T, ...]
    """What was derived from each, in the order in which they were measured."""
    number: int
    """Grows in the order in which runs were stored."""


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """The runs in the order of time, and the ids of those that are damaged."""

    runs: tuple[Past[T], ...]
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A case of the series: its number, its run's, and what is kept of it."""

    number: int
    run: int
    run_id: str
    finished: bool
    kept: bytes | None


def rows(connection: Connection, wanted: Filter, name: str) -> list[Row]:
    """The cases in the order in which they were measured, with what is kept under that name.

    It is read as bytes: a database that hands out texts stumbles over one that is damaged.
    """
    found = (
        select(cases.c.number, cases.c.run, runs.c.id, runs.c.finished)
        .add_columns(*(cast(c, LargeBinary) for c in (derived.c.seal, derived.c.record)))
        .join(runs, cases.c.run == runs.c.number)
        .outerjoin(derived, (derived.c.case == cases.c.number) & (derived.c.made == name))
        .where(cases.c.run.in_(wanted.runs()), *wanted.cases())
        .order_by(cases.c.number)
    )
    return [_row(row, name) for row in connection.execute(found)]


def _row(found: Found[Any], name: str) -> Row:
    """What was altered, or is of another case, is not kept of this one."""
    number, run, run_id, finished, seal, kept = tuple(found)
    if kept is not None and seal != _seal(name, run_id, number, kept):
        kept = None
    return Row(number, run, run_id, finished is not None, kept)


def _seal(name: str, run_id: str, number: int, record: bytes) -> bytes:
    return blake2b(f"{name} {run_id} {number} ".encode() + record, digest_size=16).digest()


def decoded(rows: Sequence[Row], kind: type[T]) -> dict[int, T]:
    """What is kept, by the case's number; what can't be read is left out, to be made again."""
    found = {}
    for row in rows:
        if row.kept is not None:
            with suppress(ValueError, RecursionError):
                found[row.number] = msgspec.json.decode(row.kept, type=kind)
    return found


def joined(
    heads: Mapping[int, Run], rows: Sequence[Row], found: Mapping[int, T]
) -> tuple[Past[T], ...]:
    """Each run with what was found of its cases."""
    of_run: dict[int, list[T]] = {}
    for row in rows:
        if row.number in found:
            of_run.setdefault(row.run, []).append(found[row.number])
    return tuple(Past(run, tuple(of_run.get(number, ())), number) for number, run in heads.items())


def in_parts(made: Mapping[Row, T]) -> Iterator[dict[Row, T]]:
    """So few at once that others who write need not wait long."""
    rows = list(made)
    for first in range(0, len(rows), AT_ONCE):
        yield {row: made[row] for row in rows[first : first + AT_ONCE]}


def keep(connection: Connection, name: str, made: Mapping[Row, object]) -> None:
    """Keep what was made of cases; one that was removed meanwhile is left out."""
    connection.execute(delete(derived).where(derived.c.case.in_([row.number for row in made])))
    for row, record in made.items():
        text = msgspec.json.encode(record)
        seal = _seal(name, row.run_id, row.number, text)
        kept = select(cases.c.number, literal(name), literal(seal), literal(text))
        there = kept.where(cases.c.number == row.number)
        connection.execute(insert(derived).from_select(["case", "made", "seal", "record"], there))


def keep_of_new(
    connection: Connection, name: str, run_id: str, number: int, made: Sequence[object]
) -> None:
    """Keep what was made of the cases, in their order, of a run that was just added."""
    added = select(cases.c.number).where(cases.c.run == number).order_by(cases.c.number)
    texts = zip(connection.scalars(added).all(), map(msgspec.json.encode, made), strict=True)
    new = [
        {"case": case, "made": name, "seal": _seal(name, run_id, case, text), "record": text}
        for case, text in texts
    ]
    if new:
        connection.execute(insert(derived), new)


def kinds(connection: Connection, benchmarks: Sequence[str]) -> dict[str, Kind]:
    """The kinds of cases that some run has, by what to choose them by."""
    found = select(cases.c.kind).where(cases.c.benchmark.in_(benchmarks)).distinct()
    texts = connection.scalars(found.order_by(cases.c.kind))
    return {text: kind for text in texts if (kind := kind_said(text)) is not None}


def hosts(connection: Connection, wanted: Filter) -> dict[str | None, int]:
    """How many runs each host has."""
    counted = (
        select(runs.c.host, func.count().label("runs"))
        .where(runs.c.number.in_(wanted.runs()))
        .group_by(runs.c.host)
        .order_by(runs.c.host)
    )
    return {row.host: row.runs for row in connection.execute(counted)}
