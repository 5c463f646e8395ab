"""Stored runs as pages of summaries, with their number and the place to go on.

No samples are read. What is asked for is compared with what is stored as it is, so no character
has a meaning but in patterns of benchmarks, which are matched here and not by the database.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    UnaryExpression,
    false,
    func,
    or_,
    select,
    true,
    tuple_,
)

from stend.record import Record
from stend.record.text import printable
from stend.store import moments
from stend.store.codec import text_of
from stend.store.lookup import NEWEST_FIRST, OLDEST_FIRST, PREFIX
from stend.store.names import command_in, one_of, words_in
from stend.store.tables import cases, runs, searched

_MOST_CHOICES = 500
"""Labels, hosts or families that a menu can show."""
_MOST_NAMES = 5_000
"""Benchmarks that are looked through; stend has some hundreds, and files from elsewhere any."""


class Summary(Record, frozen=True, kw_only=True):
    """What is known of a stored run without reading its cases."""

    id: str
    label: str
    group: str = ""
    host: str | None
    started: str
    finished: str | None
    stend: str
    size: str
    command: tuple[str, ...]
    cases: int
    statuses: dict[str, int]
    """Status → how many cases ended so."""
    sender: str | None = None
    """Whose token sent it; None of a run that was stored otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which runs are wanted: those for which all of this holds; None: any."""

    label: str | None = None
    host: str | None = None
    nameless: bool = False
    """Of a machine that told no name."""
    group: str | None = None
    size: str | None = None
    statuses: Sequence[str] | None = None
    """Any of its cases ended in one of these ways."""
    finished: bool | None = None
    benchmark: str | None = None
    """Any of its cases is of this benchmark, this family, or what `stream.*` matches."""
    since: datetime | None = None
    """The earliest beginning, with its zone."""
    until: datetime | None = None
    """What it began before, with its zone."""
    search: str = ""
    """Words. Each is part of its label, its host, its command or the name of one of its
    benchmarks, in capitals or not, or four digits or more of its id's beginning."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the runs that a query wants, newest first."""

    runs: tuple[Summary, ...]
    total: int
    """How many the query wants on all pages."""
    next: str | None
    """What to give as `after` for the page that follows; None: this is the last."""
    previous: str | None
    """What to give as `before` for the page before; None: this is the first."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a query can be narrowed by, at most 500 of each, sorted."""

    labels: tuple[str, ...]
    hosts: tuple[str, ...]
    benchmarks: tuple[str, ...]
    families: tuple[str, ...]


def listing(
    connection: Connection, query: Query, limit: int, after: str | None, before: str | None
) -> Listing:
    """At most `limit` runs that follow the place `after`, or that the place `before` follows.

    A place is that of the last or the first run that a listing has, which gave it: runs that came
    or went since move nothing. Where less than a page is before, it is the first page, a whole one.

    Raises:
        BadValue: there is no such place, or the search has too many words.
    """
    wanted = conditions(connection, query)
    total = connection.scalar(select(func.count()).select_from(runs).where(*wanted)) or 0
    place = tuple_(runs.c.began, runs.c.number)
    if before:
        rows = _rows(
            connection, [*wanted, place > moments.read_place(before)], limit + 1, OLDEST_FIRST
        )
        if len(rows) > limit:
            shown = rows[:limit][::-1]
            return Listing(
                _summed_up(connection, shown), total, _place(shown[-1]), _place(shown[0])
            )
    here = [*wanted, place < moments.read_place(after)] if after and not before else wanted
    rows = _rows(connection, here, limit + 1)
    shown = rows[:limit]
    following = _place(shown[-1]) if shown and len(rows) > limit else None
    preceding = _place(shown[0]) if shown and after and not before else None
    return Listing(_summed_up(connection, shown), total, following, preceding)


def newest(connection: Connection, query: Query, limit: int | None) -> tuple[Summary, ...]:
    """The newest runs that the query wants, at most `limit`."""
    return _summed_up(connection, _rows(connection, conditions(connection, query), limit))


def choices(connection: Connection) -> Choices:
    """What stored runs have; of a run that is under way, what it has until now."""
    names = benchmarks(connection)
    families = sorted({name.partition(".")[0] for name in names})
    return Choices(
        labels=_distinct(connection, runs.c.label),
        hosts=_distinct(connection, runs.c.host),
        benchmarks=tuple(names[:_MOST_CHOICES]),
        families=tuple(families[:_MOST_CHOICES]),
    )


def benchmarks(connection: Connection) -> list[str]:
    """The benchmarks that some run has, at most 5,000 of them.

    Each is looked up after the one before: a few steps in an index of many cases.
    """
    least = func.min(cases.c.benchmark)
    names = select(least.label("name")).where(cases.c.benchmark != "").cte(recursive=True)
    following = select(least).where(cases.c.benchmark > names.c.name).scalar_subquery()
    names = names.union_all(select(following).where(names.c.name.is_not(None)))
    found = connection.scalars(
        select(names.c.name).where(names.c.name.is_not(None)).limit(_MOST_NAMES)
    )
    return sorted(map(text_of, found))


def conditions(connection: Connection, query: Query) -> list[ColumnElement[bool]]:
    """What has to hold for a run.

    Raises:
        BadValue: the search has too many words.
    """
    equal = {
        runs.c.label: query.label,
        runs.c.host: query.host,
        runs.c.group: query.group,
        runs.c.size: query.size,
    }
    must = [column == printable(value) for column, value in equal.items() if value is not None]
    if query.nameless:
        must.append(func.coalesce(runs.c.host, "") == "")
    if query.since is not None:
        must.append(runs.c.began >= moments.counted(query.since))
    if query.until is not None:
        must.append(runs.c.began < moments.counted(query.until))
    if query.finished is not None:
        ended = runs.c.finished
        must.append(ended.is_not(None) if query.finished else ended.is_(None))
    if query.statuses is not None:
        so = cases.c.status.in_([printable(s) for s in query.statuses])
        must.append(runs.c.number.in_(select(cases.c.run).where(so)))
    words = words_in(query.search)
    names = benchmarks(connection) if words or query.benchmark is not None else []
    if query.benchmark is not None:
        must.append(_has_any(runs.c.number, names, _matcher(query.benchmark)))
    if words:
        says = [_says(names, word) for word in words]
        must.append(_among(runs.c.number, select(searched.c.run).where(*says)))
    return must


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Whether it means a benchmark, as for `stend run`."""
    pattern = printable(pattern)
    return lambda name: fnmatchcase(name, pattern) or name.startswith(f"{pattern}.")


def _says(names: Sequence[str], word: str) -> ColumnElement[bool]:
    """Whether a run that is searched has the word."""
    run = searched.c.run
    in_a_name = _has_any(run, names, lambda name: word in name.casefold())
    found = [searched.c.text.contains(word, autoescape=True), in_a_name]
    if PREFIX.fullmatch(word):
        of = runs.alias()
        found.append(run.in_(select(of.c.number).where(of.c.id.startswith(word))))
    return or_(*found)


def _has_any(
    run: ColumnElement[int], names: Iterable[str], meant: Callable[[str], bool]
) -> ColumnElement[bool]:
    """Whether it has a case of any of these benchmarks that is meant, however many they are."""
    chosen = [name for name in names if meant(name)]
    if not chosen:
        return false()
    return _among(run, select(cases.c.run).where(one_of(cases.c.benchmark, chosen)))


def _among(run: ColumnElement[int], wanted: Select[tuple[int]]) -> ColumnElement[bool]:
    """Whether the run is one of many.

    `is true` has the set made once and each run looked up in it. Without it both databases take
    it for a small set and look up each of its runs: five times longer for 6,500 of 10,000.
    """
    return run.in_(wanted).is_(true())


_HEADS = [column for column in runs.c if column.name not in ("columns", "digest")]


def _rows(
    connection: Connection,
    wanted: Sequence[ColumnElement[bool]],
    limit: int | None,
    order: Sequence[UnaryExpression[Any]] = NEWEST_FIRST,
) -> Sequence[Row[Any]]:
    chosen = select(*_HEADS).where(*wanted).order_by(*order).limit(limit)
    return connection.execute(chosen).all()


def _summed_up(connection: Connection, rows: Sequence[Row[Any]]) -> tuple[Summary, ...]:
    statuses = _statuses(connection, [row.number for row in rows])
    return tuple(_summary(row, statuses.get(row.number, {})) for row in rows)


_AT_ONCE = 500
"""Runs whose cases are counted together: a database takes so many parameters and no more."""


def _statuses(connection: Connection, numbers: Sequence[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for first in range(0, len(numbers), _AT_ONCE):
        counted = (
            select(cases.c.run, cases.c.status, func.count())
            .where(cases.c.run.in_(numbers[first : first + _AT_ONCE]))
            .group_by(cases.c.run, cases.c.status)
        )
        for number, status, count in connection.execute(counted):
            found.setdefault(number, {})[text_of(status)] = count
    return found


def _summary(row: Row[Any], statuses: dict[str, int]) -> Summary:
    return Summary(
        id=text_of(row.id),
        label=text_of(row.label),
        group=text_of(row.group),
        host=row.host and text_of(row.host),
        started=text_of(row.started),
        finished=row.finished and text_of(row.finished),
        stend=text_of(row.stend),
        size=text_of(row.size),
        command=command_in(row.record),
        cases=sum(statuses.values()),
        statuses=statuses,
        sender=row.sender and text_of(row.sender),
    )


def _distinct(connection: Connection, column: ColumnElement[Any]) -> tuple[str, ...]:
    found = select(column).where(column != "").distinct().order_by(column).limit(_MOST_CHOICES)
    return tuple(map(text_of, connection.scalars(found)))


def _place(row: Row[Any]) -> str:
    return moments.place_text(row.began, row.number)
