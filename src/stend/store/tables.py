"""The store's tables, and the steps that bring an older store forward."""

from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    inspect,
    select,
    text,
    update,
)

from stend.errors import NewerStore, StoreError
from stend.store import names
from stend.store.codec import text_of
from stend.store.names import command_in, folded_lines

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
    Column("digest", Text),
    Column("sender", Text),
    sqlite_autoincrement=True,
)
"""`digest` and `sender` are of what was sent: SHA-256 of the run file, and whose token."""

cases = Table(
    "stend_cases",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("run", _Number, ForeignKey(runs.c.number, ondelete="CASCADE"), nullable=False),
    Column("benchmark", Text, nullable=False, server_default=""),
    Column("kind", Text, nullable=False, server_default=names.UNNAMED),
    Column("status", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("columns", LargeBinary, nullable=False),
    Index("stend_cases_of_benchmark", "benchmark", "run", "number"),
    Index("stend_cases_of_kind", "benchmark", "kind", "run", "number"),
    # Covers counting by status and reading in order, so that neither sorts or touches samples.
    Index("stend_cases_of_run", "run", "number", "status"),
    Index("stend_cases_of_status", "status", "run"),
    sqlite_autoincrement=True,
)

_unnamed = cases.c.kind == names.UNNAMED
# Whole on PostgreSQL: to say the same of it would import its dialect each time stend starts.
Index("stend_cases_unnamed", cases.c.kind, cases.c.number, sqlite_where=_unnamed)

derived = Table(
    "stend_derived",
    metadata,
    Column("case", _Number, ForeignKey(cases.c.number, ondelete="CASCADE"), primary_key=True),
    Column("made", Text, nullable=False),
    Column("seal", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False),
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

searched = Table(
    "stend_searched",
    metadata,
    Column("run", _Number, ForeignKey(runs.c.number, ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
)
"""What a run is searched by: narrow rows, where those of runs have whole machines."""

trash = Table(
    "stend_trash",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("host", Text),
    Column("started", Text, nullable=False),
    Column("removed", BigInteger, nullable=False, index=True),
    Column("by", Text, nullable=False),
    Column("digest", Text),
    Column("sender", Text),
    Column("rows", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)
"""Runs that were removed and can be put back: the rows they had, packed."""

tokens = Table(
    "stend_tokens",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("rights", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("expires", BigInteger),
    Column("revoked", BigInteger),
    Column("used", BigInteger),
    sqlite_autoincrement=True,
)
"""Who may do what; of a token's secret only its hash."""

visits = Table(
    "stend_visits",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("token", _Number, ForeignKey(tokens.c.number, ondelete="CASCADE"), nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""Browsers that showed a token: of the cookie that each got only its hash."""

audit = Table(
    "stend_audit",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("who", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("did", Text, nullable=False),
    Column("to", Text, nullable=False),
    Column("said", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""Who changed what, when and from where; rows are only ever added."""

uploads = Table(
    "stend_uploads",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("sender", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False, index=True),
    UniqueConstraint("sender", "digest"),
    sqlite_autoincrement=True,
)
"""Run files that are being sent; `digest` is of the bytes as they are sent."""

parts = Table(
    "stend_parts",
    metadata,
    Column("upload", _Number, ForeignKey(uploads.c.number, ondelete="CASCADE"), primary_key=True),
    Column("first", BigInteger, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
"""What has come of an upload, by the place of its first byte."""

progress = Table(
    "stend_progress",
    metadata,
    Column("run", _Number, ForeignKey(runs.c.number, ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("share", Float, nullable=False),
    Column("doing", Text, nullable=False),
)
"""How far runs under way are, for who watches: no part of the record."""


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
    _add_to_cases(connection, "benchmark")


def _add_kind(connection: Connection) -> None:
    """What was derived before has no seal, and is made again."""
    _add_to_cases(connection, "kind")
    name_cases(connection)
    for index in cases.indexes:
        index.create(connection, checkfirst=True)
    derived.drop(connection, checkfirst=True)
    derived.create(connection)


def _add_server(connection: Connection) -> None:
    """What a team's server keeps; a new store has it from its first step."""
    there = {column["name"] for column in inspect(connection).get_columns(runs.name)}
    for name in ("digest", "sender"):
        if name not in there:
            connection.execute(text(f"ALTER TABLE {runs.name} ADD COLUMN {name} TEXT"))
    for table in (searched, trash, tokens, visits, audit, uploads, parts, progress):
        table.create(connection, checkfirst=True)
    for index in cases.indexes:
        index.create(connection, checkfirst=True)
    _make_searchable(connection)


def _make_searchable(connection: Connection) -> None:
    """Write what runs that were stored before are searched by."""
    found = select(runs.c.number, runs.c.label, runs.c.host, runs.c.record)
    found = found.where(runs.c.number.not_in(select(searched.c.run)))
    last = 0
    while rows := connection.execute(
        found.where(runs.c.number > last).order_by(runs.c.number).limit(_AT_ONCE)
    ).all():
        last = rows[-1].number
        new = [{"run": number, "text": _searched_by(*of)} for number, *of in rows]
        connection.execute(searched.insert(), new)


def _searched_by(label: str, host: str | None, record: str) -> str:
    return folded_lines(text_of(label), host and text_of(host), command_in(record))


def _add_to_cases(connection: Connection, column: str) -> None:
    if not any(c["name"] == column for c in inspect(connection).get_columns(cases.name)):
        kind = f"ADD COLUMN {column} TEXT NOT NULL DEFAULT ''"
        connection.execute(text(f"ALTER TABLE {cases.name} {kind}"))


_AT_ONCE = 500
"""Rows whose records are held in memory together."""


def unnamed(connection: Connection) -> bool:
    """Whether an older stend added cases since the store was brought forward."""
    return connection.scalar(select(cases.c.number).where(_unnamed).limit(1)) is not None


def name_cases(connection: Connection) -> None:
    """Write of cases that lack it which they are; a damaged record's case is marked as untold."""
    found = select(cases.c.number, cases.c.benchmark, cases.c.record).where(_unnamed)
    last = 0
    while rows := connection.execute(
        found.where(cases.c.number > last).order_by(cases.c.number).limit(_AT_ONCE)
    ).all():
        last = rows[-1].number
        named = update(cases).where(cases.c.number == bindparam("of"))
        named = named.values(benchmark=bindparam("its_benchmark"), kind=bindparam("its_kind"))
        connection.execute(named, [_names(*row) for row in rows])


def _names(number: int, benchmark: str, record: str) -> dict[str, object]:
    found = names.named(record)
    if found is None:
        return {"of": number, "its_benchmark": benchmark, "its_kind": names.UNTOLD}
    kind = names.kind_of(found)
    return {"of": number, "its_benchmark": found.benchmark, "its_kind": kind}


STEPS: list[Callable[[Connection], None]] = [
    _create,
    _add_samples,
    _add_group,
    _add_benchmark,
    _add_kind,
    _add_server,
]
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
    if not isinstance(found, int) or found < 0:
        raise StoreError(f"The store {name} is damaged: its version is not a number.")
    if found > len(STEPS):
        raise NewerStore(
            f"The store {name} has version {found}, but this stend knows versions up to "
            f"{len(STEPS)}; nothing was changed. Update stend to use it."
        )
    return found


def refuse_changed(connection: Connection, name: str) -> None:
    """Begin a transaction by keeping others from bringing the store forward until its end.

    SQLite's transaction does so by itself. PostgreSQL has to be told before it takes its view of
    the data: whoever waited here for another's steps sees what they made.

    Raises:
        NewerStore: a newer stend has done that since the store was opened here.
        StoreError: an older store was put in its place.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"LOCK TABLE {version.name} IN ACCESS SHARE MODE")
    found = connection.exec_driver_sql(f"SELECT version FROM {version.name}").scalar()
    if found == len(STEPS):
        return
    if isinstance(found, int) and found > len(STEPS):
        raise NewerStore(
            f"A newer stend has upgraded the store {name} to version {found}, but this running "
            f"one knows versions up to {len(STEPS)}; nothing was changed. Update stend and start "
            "it again."
        )
    raise StoreError(
        f"The store {name} was replaced by another, of version {found}, while it was in use; "
        "nothing was changed. Start stend again."
    )


def bring_forward(connection: Connection, name: str) -> None:
    """Take the steps that the store lacks, all or none; call it in a writing transaction.

    On PostgreSQL it waits until every transaction that uses the store has ended.
    """
    postgresql = connection.dialect.name == "postgresql"
    if postgresql:
        connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    found = version_of(connection, name)
    if postgresql and found:
        connection.execute(text(f"LOCK TABLE {version.name} IN ACCESS EXCLUSIVE MODE"))
    lacking = STEPS[found:]
    for step in lacking:
        step(connection)
    connection.execute(version.delete())
    connection.execute(version.insert().values(version=found + len(lacking)))
