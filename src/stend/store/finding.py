"""Which runs are stored: a filter or a name in, summaries or a number out; reads no samples."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from stend.errors import UnknownName
from stend.printable import printable
from stend.record import Record
from stend.store.tables import cases, runs

_LAST = re.compile(r"last(?:~(\d{1,9}))?", re.ASCII)
_PREFIX = re.compile(r"[0-9a-f]{4,32}")


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


def summaries(
    connection: Connection,
    limit: int | None,
    label: str | None,
    host: str | None,
    group: str | None,
) -> list[Summary]:
    """Sum up the newest runs with this label, of this host and this group, at most `limit`."""
    chosen = select(runs.c.number).order_by(*NEWEST_FIRST).limit(limit)
    if label is not None:
        chosen = chosen.where(runs.c.label == printable(label))
    if host is not None:
        chosen = chosen.where(runs.c.host == printable(host))
    if group is not None:
        chosen = chosen.where(runs.c.group == group)
    statuses = _statuses(connection, chosen)
    heads = select(*_HEADS).where(runs.c.number.in_(chosen)).order_by(*NEWEST_FIRST)
    return [_summary(row, statuses.get(row.number, {})) for row in connection.execute(heads)]


def microseconds(time: str) -> int:
    """Microseconds since 1970: times of day sort as numbers whether or not they have fractions."""
    since = datetime.fromisoformat(time) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)


class _Head(msgspec.Struct):
    """What is wanted of a run's record."""

    command: tuple[str, ...] = ()


NEWEST_FIRST = runs.c.began.desc(), runs.c.number.desc()
_HEADS = [column for column in runs.c if column.name != "columns"]


def _statuses(connection: Connection, chosen: Select[tuple[int]]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    counted = (
        select(cases.c.run, cases.c.status, func.count())
        .where(cases.c.run.in_(chosen))
        .group_by(cases.c.run, cases.c.status)
    )
    for number, status, count in connection.execute(counted):
        found.setdefault(number, {})[_text(status)] = count
    return found


def _summary(row: Row[Any], statuses: dict[str, int]) -> Summary:
    return Summary(
        id=_text(row.id),
        label=_text(row.label),
        group=_text(row.group),
        host=row.host and _text(row.host),
        started=_text(row.started),
        finished=row.finished and _text(row.finished),
        stend=_text(row.stend),
        size=_text(row.size),
        command=_command(row.record),
        cases=sum(statuses.values()),
        statuses=statuses,
    )


def _text(stored: Any) -> str:
    """A column's text; SQLite hands out bytes where damage changed their kind."""
    return str(stored, errors="backslashreplace") if isinstance(stored, bytes) else str(stored)


def _command(record: str) -> tuple[str, ...]:
    """A damaged record has none here; loading the run says what is wrong with it."""
    try:
        return msgspec.json.decode(record, type=_Head).command
    except (TypeError, ValueError, RecursionError):
        return ()


def number_of(connection: Connection, name: str) -> int:
    """Find the run that a name means: last or last~N, an id, a label, the beginning of an id.

    An id comes before a label, so that no label of an imported run can hide a run. Of several
    runs with one label it is the newest.

    Raises:
        UnknownName: no run has this name, or several ids begin so.
    """
    if not name:
        raise UnknownName("An empty name names no run; `stend runs` lists them.")
    name = printable(name)  # as labels are stored
    back = _LAST.fullmatch(name)
    if back:
        return _last(connection, int(back[1] or 0))
    digits = name.lower()
    found = _first(connection, runs.c.id == digits) or _first(connection, runs.c.label == name)
    if found is None and _PREFIX.fullmatch(digits):
        found = _beginning(connection, digits)
    if found is None:
        raise UnknownName(
            f"No stored run is called '{name}'; `stend runs` lists them. A run's name "
            "is its id or at least 4 digits of its beginning, its label, last, or last~1."
        )
    return found


def _last(connection: Connection, back: int) -> int:
    newest = select(runs.c.number).order_by(*NEWEST_FIRST).limit(1).offset(back)
    found: int | None = connection.scalar(newest)
    if found is None:
        count = connection.scalar(select(func.count()).select_from(runs))
        if not count:
            raise UnknownName("The store has no run yet, so no last one; `stend run` makes one.")
        raise UnknownName(
            f"There is no last~{back}: the store has {count} run{'s' * (count != 1)}; "
            "`stend runs` lists them."
        )
    return found


def _first(connection: Connection, condition: ColumnElement[bool]) -> int | None:
    newest = select(runs.c.number).where(condition).order_by(*NEWEST_FIRST).limit(1)
    found: int | None = connection.scalar(newest)
    return found


def _beginning(connection: Connection, digits: str) -> int | None:
    found = connection.execute(
        select(runs.c.number, runs.c.id).where(runs.c.id.startswith(digits)).limit(2)
    ).all()
    if len(found) > 1:
        raise UnknownName(
            f"Several runs begin with {digits}, such as {found[0].id} and {found[1].id}; "
            "give more digits."
        )
    return int(found[0].number) if found else None
