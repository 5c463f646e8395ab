"""Records as rows, and the SQL that puts the rows into their tables."""

from hashlib import blake2b
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from stend.errors import UnknownName, Unsound
from stend.record import CaseRecord, Record, Run, Sample
from stend.record.invariants import validate
from stend.record.text import tidied
from stend.store.codec import pack, text_of
from stend.store.lookup import microseconds
from stend.store.names import kind_of, words_of
from stend.store.tables import cases, runs, samples, searched

T = TypeVar("T", bound=Record)

_AT_ONCE = 100
"""Cases whose rows are held in memory together."""


def sound(record: T) -> T:
    """The record with every string printable.

    Raises:
        Unsound: it breaks a rule; the sentence says where.
    """
    record = tidied(record)
    try:
        validate(record)
    except msgspec.ValidationError as error:
        raise Unsound(f"This {type(record).__name__} can't be stored: {error}.") from error
    return record


def add_run(
    connection: Connection, run: Run, digest: str | None = None, sender: str | None = None
) -> int | None:
    """Store a run with the cases it has, and give its number; None, where its id is there already.

    Who adds the same id at the same time waits here until the first has ended.
    """
    row = run_row(run) | {"digest": digest, "sender": sender}
    try:
        with connection.begin_nested():
            added = insert(runs).values(**row).returning(runs.c.number)
            number = connection.execute(added).scalar_one()
    except IntegrityError:
        return None
    connection.execute(insert(searched).values(run=number, text=words_of(run)))
    for first in range(0, len(run.cases), _AT_ONCE):
        some = run.cases[first : first + _AT_ONCE]
        connection.execute(
            insert(cases), [{"run": number, **case_row(case, case.samples)} for case in some]
        )
    return int(number)


def update_run(connection: Connection, number: int, run: Run) -> None:
    """Store what has become of a run; its cases stay as they are."""
    connection.execute(update(runs).where(runs.c.number == number).values(**run_row(run)))
    found = update(searched).where(searched.c.run == number)
    connection.execute(found.values(text=words_of(run)))


def run_row(run: Run) -> dict[str, object]:
    """What the table of runs has of it."""
    text, blob = pack(msgspec.structs.replace(run, cases=()))
    return {
        "id": run.id,
        "label": run.label,
        "group": run.group,
        "host": run.machine.host,
        "began": microseconds(run.started),
        "started": run.started,
        "finished": run.finished,
        "stend": run.stend,
        "size": run.size,
        "record": text,
        "columns": blob,
    }


def case_row(case: CaseRecord, samples: tuple[Sample, ...]) -> dict[str, object]:
    """What the table of cases has of it, with these of its samples."""
    text, blob = pack(msgspec.structs.replace(case, samples=samples))
    return {
        "benchmark": case.benchmark,
        "kind": kind_of(case),
        "status": case.status.value,
        "record": text,
        "columns": blob,
    }


def insert_samples(connection: Connection, number: int, new: tuple[Sample, ...]) -> None:
    """Store samples of the case of this number, in a row each."""
    for sample in new:
        text, blob = pack(sample)
        connection.execute(insert(samples).values(case=number, record=text, columns=blob))


def existing(connection: Connection, run_id: str) -> int:
    """The number of the run of this whole id.

    Raises:
        UnknownName: there is none.
    """
    number: int | None = connection.scalar(select(runs.c.number).where(runs.c.id == run_id))
    if number is None:
        raise UnknownName(f"The store has no run {run_id}: it was never begun, or was removed.")
    return number


def id_with(connection: Connection, number: int) -> str:
    """The id of the run of this number."""
    return text_of(connection.scalars(select(runs.c.id).where(runs.c.number == number)).one())


def state_of(connection: Connection, number: int) -> bytes:
    """A digest of the run of this number, but for its cases."""
    head = select(runs.c.record, runs.c.columns).where(runs.c.number == number)
    text, blob = connection.execute(head).one()
    return blake2b(f"{number} {text}".encode() + blob, digest_size=16).digest()


def digest_of(connection: Connection, number: int) -> str | None:
    """Of the file in which the run came; None where it was measured or imported here."""
    return connection.scalar(select(runs.c.digest).where(runs.c.number == number))


def locked(connection: Connection, number: int) -> int:
    """The number of a run that nobody else changes until the transaction ends.

    Raises:
        UnknownName: it was removed meanwhile.
    """
    row = select(runs.c.number).where(runs.c.number == number)
    if connection.scalar(row.with_for_update()) is None:
        raise UnknownName("The run was removed meanwhile; `stend runs` lists those that are there.")
    return number
