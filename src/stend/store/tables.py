"""The store's tables, and the steps that bring an older store forward."""

from collections.abc import Callable

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    inspect,
    select,
    text,
    update,
)

from stend.errors import NewerStore, StoreError

metadata = MetaData()

# SQLite numbers rows by itself only in a column of its own type INTEGER, which has 64 bits there.
_Number = BigInteger().with_variant(Integer, "sqlite")

version = Table("stend_version", metadata, Column("version", Integer, nullable=False))

runs = Table(
    "stend_runs",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("label", Text, nullable=False, index=True),
    Column("group", Text, nullable=False, server_default="", index=True),
    Column("host", Text, index=True),
    Column("began", BigInteger, nullable=False, index=True),
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("stend", Text, nullable=False),
    Column("size", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("columns", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)

cases = Table(
    "stend_cases",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("run", _Number, ForeignKey(runs.c.number, ondelete="CASCADE"), nullable=False),
    Column("benchmark", Text, nullable=False, server_default=""),
    Column("status", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("columns", LargeBinary, nullable=False),
    Index("stend_cases_of_benchmark", "benchmark", "run", "number"),
    # Covers counting by status and reading in order, so that neither sorts or touches samples.
    Index("stend_cases_of_run", "run", "number", "status"),
    sqlite_autoincrement=True,
)

derived = Table(
    "stend_derived",
    metadata,
    Column("case", _Number, ForeignKey(cases.c.number, ondelete="CASCADE"), primary_key=True),
    Column("made", Text, nullable=False),
    Column("record", Text, nullable=False),
)
"""What was made of a case's samples: never the truth, and made again where it is missing."""

samples = Table(
    "stend_samples",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("case", _Number, ForeignKey(cases.c.number, ondelete="CASCADE"), nullable=False),
    Column("record", Text, nullable=False),
    Column("columns", LargeBinary, nullable=False),
    Index("stend_samples_of_case", "case", "number"),
    sqlite_autoincrement=True,
)


def _create(connection: Connection) -> None:
    metadata.create_all(connection)


def _add_samples(connection: Connection) -> None:
    samples.create(connection, checkfirst=True)


def _add_group(connection: Connection) -> None:
    """A new store has it from its first step."""
    if any(column["name"] == "group" for column in inspect(connection).get_columns(runs.name)):
        return
    kind = "ADD COLUMN \"group\" TEXT NOT NULL DEFAULT ''"
    connection.execute(text(f"ALTER TABLE {runs.name} {kind}"))
    for index in runs.indexes:
        index.create(connection, checkfirst=True)


def _add_benchmark(connection: Connection) -> None:
    """A new store has it from its first step."""
    derived.create(connection, checkfirst=True)
    if not any(c["name"] == "benchmark" for c in inspect(connection).get_columns(cases.name)):
        kind = "ADD COLUMN benchmark TEXT NOT NULL DEFAULT ''"
        connection.execute(text(f"ALTER TABLE {cases.name} {kind}"))
    for index in cases.indexes:
        index.create(connection, checkfirst=True)
    name_cases(connection)


class _Named(msgspec.Struct):
    """What is wanted of a case's record."""

    benchmark: str = ""


_AT_ONCE = 500
"""Cases whose records are held in memory together."""


def name_cases(connection: Connection) -> None:
    """Write the benchmark of cases that lack it; a damaged record stays without."""
    unnamed = select(cases.c.number, cases.c.record).where(cases.c.benchmark == "")
    last = 0
    while rows := connection.execute(
        unnamed.where(cases.c.number > last).order_by(cases.c.number).limit(_AT_ONCE)
    ).all():
        last = rows[-1].number
        found = [{"of": n, "name": name} for n, record in rows if (name := _benchmark(record))]
        if found:
            named = update(cases).where(cases.c.number == bindparam("of"))
            connection.execute(named.values(benchmark=bindparam("name")), found)


def _benchmark(record: str) -> str:
    try:
        return msgspec.json.decode(record, type=_Named).benchmark
    except msgspec.DecodeError:
        return ""


STEPS: list[Callable[[Connection], None]] = [_create, _add_samples, _add_group, _add_benchmark]
"""Step i brings a store of version i to version i + 1. A step that was released never changes."""

_LOCK = 0x7374656E64  # "stend" in ASCII: the key of PostgreSQL's advisory lock for the steps


def version_of(connection: Connection, name: str) -> int:
    """Tell the store's version; 0 is an empty database.

    Raises:
        StoreError: the database holds something else.
        NewerStore: a newer stend wrote it.
    """
    inspector = inspect(connection)
    if not inspector.has_table(version.name):
        if connection.dialect.name == "sqlite" and inspector.get_table_names():
            raise StoreError(
                f"{name} is a database of another program, so it was left as it is. "
                "Give another with --store or STEND_STORE."
            )
        return 0
    found = connection.scalar(select(version.c.version)) or 0
    if found > len(STEPS):
        raise NewerStore(
            f"The store {name} has version {found}, and this stend knows versions up to "
            f"{len(STEPS)}; nothing was changed. Update stend to use it."
        )
    return found


def bring_forward(connection: Connection, name: str) -> None:
    """Take the steps that the store lacks, all or none; call it in a writing transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    found = version_of(connection, name)
    for step in STEPS[found:]:
        step(connection)
    connection.execute(version.delete())
    connection.execute(version.insert().values(version=len(STEPS)))
