"""The run that a name means."""

import re
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Table, func, select

from stend.errors import UnknownName
from stend.record.text import LAST, printable
from stend.store.codec import text_of
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

    Of several runs with one label it is the newest.

    Raises:
        UnknownName: no run has this name, or several do.
    """
    if not name:
        raise UnknownName("An empty name names no run; `stend runs` lists them.")
    name = printable(name)  # as labels are stored
    back = LAST.fullmatch(name)
    if back:
        return _last(connection, int(back[1] or 0))
    found = meant(connection, runs, name, *NEWEST_FIRST)
    if found is None:
        raise UnknownName(
            f"No stored run is called '{name}'; `stend runs` lists them. A run's name is its id "
            "or at least its first 4 digits, its label, last, or last~1."
        )
    return found[0]


def meant(
    connection: Connection, of: Table, name: str, *order: ColumnElement[int]
) -> tuple[int, str] | None:
    """The number and the id of the run, in a table that has both, that an id or a label means.

    A whole id means that run whatever another's label is: those come from elsewhere, too.

    Raises:
        UnknownName: there are several, as one of them is labelled as another's id begins.
    """
    columns, digits = select(of.c.number, of.c.id), name.lower()
    if whole := connection.execute(columns.where(of.c.id == digits)).first():
        return int(whole.number), text_of(whole.id)
    labelled = columns.where(of.c.label == name).order_by(*order).limit(1)
    found = {text_of(row.id): int(row.number) for row in connection.execute(labelled)}
    if PREFIX.fullmatch(digits):
        begins = columns.where(of.c.id.startswith(digits)).limit(2)
        found |= {text_of(row.id): int(row.number) for row in connection.execute(begins)}
    if len(found) > 1:
        one, other = sorted(found)[:2]
        raise UnknownName(
            f"'{name}' may be the run {one} or {other}, by its id or its label; give more digits "
            "of the id."
        )
    return next(((number, run_id) for run_id, number in found.items()), None)


def _last(connection: Connection, back: int) -> int:
    newest = select(runs.c.number).order_by(*NEWEST_FIRST).limit(1).offset(back)
    found: int | None = connection.scalar(newest)
    if found is None:
        count = connection.scalar(select(func.count()).select_from(runs))
        if not count:
            raise UnknownName(
                "The store has no run yet, so there is no last one; run `stend run` first."
            )
        raise UnknownName(
            f"There is no last~{back}: the store has {count} run{'s' * (count != 1)}; "
            "`stend runs` lists them."
        )
    return found
