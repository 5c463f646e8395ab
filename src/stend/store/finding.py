"""Which run a name means: a name in, a number out."""

import re
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, func, select

from stend.errors import UnknownName
from stend.label import LAST
from stend.printable import printable
from stend.store.tables import runs

PREFIX = re.compile(r"[0-9a-f]{4,32}")


def microseconds(time: str) -> int:
    """Microseconds since 1970: times of day sort as numbers whether or not they have fractions."""
    since = datetime.fromisoformat(time) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)


NEWEST_FIRST = runs.c.began.desc(), runs.c.number.desc()
OLDEST_FIRST = runs.c.began.asc(), runs.c.number.asc()


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
    back = LAST.fullmatch(name)
    if back:
        return _last(connection, int(back[1] or 0))
    digits = name.lower()
    found = _first(connection, runs.c.id == digits) or _first(connection, runs.c.label == name)
    if found is None and PREFIX.fullmatch(digits):
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
