"""A benchmark's cases over many stored runs: a filter in, runs in the order of time out.

What is wanted of a case is made of all its samples, and a thousand runs have many. So it is kept
beside them under the name of its making, and made anew where that is missing or another.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import msgspec
from sqlalchemy import Connection, Select, delete, distinct, func, insert, literal, select

from stend.printable import printable
from stend.record import CaseRecord, Run
from stend.store.finding import NEWEST_FIRST, microseconds
from stend.store.tables import cases, derived, runs

T = TypeVar("T")

AT_ONCE = 500
"""Cases that are read or kept together: a database takes so many parameters and no more."""


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
    hosts: Sequence[str | None] | None = None
    label: str | None = None
    since: datetime | None = None
    """The earliest beginning, with its zone."""
    limit: int | None = None
    """At most so many runs, the newest that have any of these benchmarks."""

    def runs(self) -> Select[tuple[int]]:
        """The numbers of the runs, newest first."""
        chosen = select(runs.c.number).order_by(*NEWEST_FIRST).limit(self.limit)
        if self.benchmarks is not None:
            having = select(cases.c.run).where(cases.c.benchmark.in_(self.benchmarks))
            chosen = chosen.where(runs.c.number.in_(having))
        if self.hosts is not None:
            named = [printable(host) for host in self.hosts if host is not None]
            of_these = runs.c.host.in_(named)
            chosen = chosen.where(of_these | runs.c.host.is_(None) if None in self.hosts
                                  else of_these)  # fmt: skip
        if self.label is not None:
            chosen = chosen.where(runs.c.label == printable(self.label))
        if self.since is not None:
            chosen = chosen.where(runs.c.began >= microseconds(self.since.isoformat()))
        return chosen


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
    finished: bool
    kept: str | None


def rows(connection: Connection, wanted: Filter, name: str) -> list[Row]:
    """The cases in the order in which they were measured, with what is kept under that name."""
    found = (
        select(cases.c.number, cases.c.run, runs.c.finished, derived.c.record)
        .join(runs, cases.c.run == runs.c.number)
        .outerjoin(derived, (derived.c.case == cases.c.number) & (derived.c.made == name))
        .where(cases.c.run.in_(wanted.runs()))
        .order_by(cases.c.number)
    )
    if wanted.benchmarks is not None:
        found = found.where(cases.c.benchmark.in_(wanted.benchmarks))
    return [Row(n, run, ended is not None, kept) for n, run, ended, kept in
            connection.execute(found)]  # fmt: skip


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


def in_parts(made: Mapping[int, T]) -> Iterator[dict[int, T]]:
    """So few at once that others who write need not wait long."""
    numbers = list(made)
    for first in range(0, len(numbers), AT_ONCE):
        yield {number: made[number] for number in numbers[first : first + AT_ONCE]}


def keep(connection: Connection, name: str, made: Mapping[int, object]) -> None:
    """Keep what was made of cases, by number; a case that was removed meanwhile is left out."""
    connection.execute(delete(derived).where(derived.c.case.in_(made)))
    for number, record in made.items():
        text = literal(msgspec.json.encode(record).decode())
        row = select(cases.c.number, literal(name), text).where(cases.c.number == number)
        connection.execute(insert(derived).from_select(["case", "made", "record"], row))


def benchmarks(connection: Connection) -> dict[str, dict[str | None, int]]:
    """All benchmarks that some run has, each with the number of runs by host."""
    counted = (
        select(cases.c.benchmark, runs.c.host, func.count(distinct(cases.c.run)))
        .join(runs, cases.c.run == runs.c.number)
        .where(cases.c.benchmark != "")
        .group_by(cases.c.benchmark, runs.c.host)
        .order_by(cases.c.benchmark, runs.c.host)
    )
    found: dict[str, dict[str | None, int]] = {}
    for name, host, count in connection.execute(counted):
        found.setdefault(name, {})[host] = count
    return found


def unnamed(connection: Connection) -> bool:
    """Whether an older stend added cases since the store was brought forward."""
    return (
        connection.scalar(select(cases.c.number).where(cases.c.benchmark == "").limit(1))
        is not None
    )
