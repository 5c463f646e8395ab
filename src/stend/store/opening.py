"""What only one transaction may do at a time, such as counting rows before it adds one.

SQLite in the user's data folder unless told otherwise; PostgreSQL for a team or a fleet.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Pool, QueuePool, StaticPool, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from stend.errors import BadValue, NoSpace, SetupError, StoreError
from stend.record.files import data_folder
from stend.record.text import printable
from stend.store import tables
from stend.store.faults import in_sentences


class Turn(IntEnum):
    """What is taken in turns; the numbers are the same in every version of stend."""

    TOKENS = 1
    UPLOADS = 2
    TRASH = 3


_OURS = 0x7374656E
""""sten" in ASCII: the first half of the keys of PostgreSQL's advisory locks."""


def take(connection: Connection, turn: Turn) -> None:
    """Wait until no other transaction has this turn; it ends with the transaction.

    SQLite has one writing transaction at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        keys = {"ours": _OURS, "turn": int(turn)}
        connection.execute(text("select pg_advisory_xact_lock(:ours, :turn)"), keys)


_OLDEST_SQLITE = (3, 35)  # of 2021: the first with RETURNING
_IN_MEMORY = "file::memory:"

PATIENCE = 30.0
"""Seconds to wait for another process's lock: many times the longest commit seen."""
_CONNECTIONS = {"pool_size": 5, "max_overflow": 35, "pool_timeout": PATIENCE}
"""Forty threads answer a server's requests, each with a connection; few of them stay open."""
_SILENT = 1.0
"""Seconds that a store may be brought forward without a word."""


@dataclass(frozen=True)
class Database:
    """An open database that holds a store of this version."""

    reader: Engine
    writer: Engine
    """The same pool of connections with the options for writing."""
    name: str
    """What to call it in a sentence; it never holds a password."""
    path: Path | None = None
    """The file of an SQLite store."""
    only_read: bool = False
    """Nobody here may write to that file."""
    secret: str | None = None
    """A password that no sentence may show."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the store.

        Raises:
            NewerStore: a newer stend brought the store forward meanwhile.
        """
        with self.unchecked() as connection:
            tables.refuse_changed(connection, self.name)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection whose changes are stored together at the end, or none is.

        Raises:
            NewerStore: a newer stend brought the store forward meanwhile.
        """
        with self.migrating() as connection:
            tables.refuse_changed(connection, self.name)
            yield connection

    @contextmanager
    def unchecked(self) -> Iterator[Connection]:
        """Like `reading`, of a database that may hold a store of any version, or none."""
        with self._in_sentences(), self.reader.connect() as connection:
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Like `writing`, of a database that may hold a store of any version, or none."""
        with self._in_sentences(), self.writer.begin() as connection:
            yield connection

    def _in_sentences(self) -> AbstractContextManager[None]:
        return in_sentences(self.name, self.path, self.secret)

    def close(self) -> None:
        """Close the connections."""
        self.reader.dispose()


def open_database(url: str | None, create: bool = True) -> Database:
    """Open the database at a URL or a path, and bring it to this version.

    Without `create`, a file that is not there is not made: an empty store in memory stands for it.

    Raises:
        BadValue: the URL is none that a store can have.
        SetupError: PostgreSQL is asked for, but psycopg is not installed.
        StoreError: it can't be opened; NewerStore: a newer stend wrote it.
    """
    if url == "":
        raise BadValue("--store names no store; give a path or a URL, or leave it out.")
    url = url or os.environ.get("STEND_STORE") or ""
    scheme, separator, rest = url.partition("://")
    if not separator:
        database = _sqlite(_at_home(url) if url else _default_path(create), create)
    elif scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        database = _sqlite(Path(rest[1:]), create)
    elif scheme in ("postgresql", "postgres"):
        database = _postgresql(url)
    else:
        raise BadValue(
            f"A store can't be at {printable(scheme)}://…; give a path, sqlite:///PATH or "
            "postgresql://USER:PASSWORD@HOST/DATABASE."
        )
    return _of_this_version(database)


def open_unchanged(path: Path) -> Database:
    """Open the SQLite store of a file that stays as it is, whatever version it has.

    Raises:
        StoreError: there is no store in it, or it can't be opened; NewerStore: a newer stend's.
    """
    database = replace(_sqlite(path, create=False), only_read=True)
    with database.unchecked() as connection:
        found = tables.version_of(connection, database.name)
    if found == 0:
        raise StoreError(f"There is no store in {database.name}; name a file that holds one.")
    return _of_this_version(database)


def new_file(path: Path) -> Database:
    """An empty store in an empty file, which is of no use unless all is written to it.

    Nothing is undone in it, and nothing is on the disk before the file is synchronised.
    """

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for setting in ("journal_mode", "synchronous"):
            connection.execute(f"PRAGMA {setting} = OFF")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=StaticPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    database = Database(engine, engine, printable(str(path)), path)
    _bring_forward(database, "")
    return database


def _of_this_version(database: Database) -> Database:
    with database.unchecked() as connection:
        found = tables.version_of(connection, database.name)
    wanted = len(tables.STEPS)
    if found == wanted:
        return database
    steps = f"from version {found} to {wanted}"
    if database.only_read and database.path is not None:
        copied = f"A copy of {database.name} is upgraded {steps}, each time"
        with _said_if_long(f"{copied}: {_ONCE}"):
            try:
                copy = _copy(database, database.path)
            except NoSpace as error:
                raise NoSpace(
                    f"No space is left for a temporary copy of the store {database.name}, which "
                    f"has to be upgraded {steps} first: {_ONCE} Or name another folder for the "
                    "copy with TMPDIR."
                ) from error
        database.close()
        return copy
    if not found:
        _bring_forward(database, "")
        return database
    with _said_if_long(f"The store {database.name} is upgraded {steps}, once."):
        _bring_forward(database, f"It has to be upgraded {steps} first: {_ONCE}")
    return database


_ONCE = "run `stend runs` once as a user who may write to it."


def _bring_forward(database: Database, advice: str) -> None:
    try:
        with database.migrating() as connection:
            tables.bring_forward(connection, database.name)
    except StoreError as error:
        raise type(error)(f"{error} {advice}".rstrip()) from error


def _copy(database: Database, path: Path) -> Database:
    """An older store that can only be read, as one of this version that can only be read.

    The copy is in a temporary file that nobody else sees and that goes with the connection.
    """
    with in_sentences(database.name, path):
        copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        copy.text_factory = _text
        with closing(sqlite3.connect(_uri(path), uri=True)) as source:
            source.backup(copy)
    copied = _of_sqlite(lambda: copy, StaticPool, database.name, path)
    _bring_forward(copied, "")
    copy.execute("PRAGMA query_only = ON")
    return copied


@contextmanager
def _said_if_long(line: str) -> Iterator[None]:
    """Tell on stderr what one waits for, where it takes long."""
    timer = Timer(_SILENT, print, [line], {"file": sys.stderr, "flush": True})
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _made_private(path: Path) -> None:
    """Begin a file that its owner alone can read: a store has tokens' hashes, and machines."""
    with suppress(OSError):  # it is there, or SQLite says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _default_path(create: bool) -> Path:
    try:
        folder = data_folder()
    except RuntimeError as error:
        raise BadValue(
            "No home folder is known for the store; give an absolute path with --store."
        ) from error
    if create:
        with in_sentences(printable(str(folder)), None):
            folder.mkdir(parents=True, exist_ok=True)
    return folder / "stend.db"


def _at_home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise BadValue(
            f"No home folder is known for {printable(path)}; give an absolute path with --store."
        ) from error


def _sqlite(path: Path, create: bool) -> Database:
    if "\0" in str(path):
        raise BadValue("A store's path can't hold a NUL character.")
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"A store needs SQLite 3.35 or newer; this Python has {sqlite3.sqlite_version}. "
            "Use a Python with a newer one, or a store in PostgreSQL."
        )
    path = path.absolute()
    if create:
        _made_private(path)
    where = _uri(path) if create or os.path.lexists(path) else _IN_MEMORY

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            where,
            uri=True,
            timeout=PATIENCE,
            isolation_level=None,  # transactions begin where `_begin` says, not where sqlite3 does
            check_same_thread=False,  # the pool gives a connection to one thread at a time
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.text_factory = _text
        return connection

    return _of_sqlite(connect, QueuePool, printable(str(path)), path)


def _text(stored: bytes) -> str:
    r"""A byte that is no text shows as `\xff`, which no JSON holds: its run alone is damaged."""
    return stored.decode(errors="backslashreplace")


def _of_sqlite(
    connect: Callable[[], sqlite3.Connection], pool: type[Pool], name: str, path: Path
) -> Database:
    connections = _CONNECTIONS if pool is QueuePool else {}
    engine = create_engine("sqlite://", creator=connect, poolclass=pool, **connections)
    event.listen(engine, "begin", _begin)
    writer = engine.execution_options(stend_writes=True)
    return Database(engine, writer, name, path, only_read=_only_read(path))


def _begin(connection: Connection) -> None:
    """Take the write lock at the start: a reader that turns writer is refused without waiting."""
    writes = connection.get_execution_options().get("stend_writes")
    if writes:
        _write_ahead(connection)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _write_ahead(connection: Connection) -> None:
    """Let readers read while one process writes; stays as it was where the file system can't."""
    driver: Any = connection.connection.driver_connection
    with suppress(sqlite3.OperationalError):
        driver.execute("PRAGMA journal_mode = WAL")


def _only_read(path: Path) -> bool:
    there = os.path.lexists(path)  # Path raises for names that are too long
    return there and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _uri(path: Path) -> str:
    """A file that can only be read is opened so; nobody writes to it when it has no journal."""
    mode = "rwc"
    if _only_read(path):
        journal = path.with_name(path.name + "-wal")
        mode = "ro" if journal.exists() else "ro&immutable=1"
    return f"file:{quote(os.fsencode(path))}?mode={mode}"


def _postgresql(url: str) -> Database:
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError) as error:
        raise BadValue(
            "The store's URL can't be read; it looks like "
            "postgresql://USER:PASSWORD@HOST:5432/DATABASE."
        ) from error
    try:
        engine = create_engine(
            parsed,
            connect_args={"connect_timeout": 10, "client_encoding": "utf8"},
            pool_pre_ping=True,  # a connection can break while a case is measured for minutes
            **_CONNECTIONS,
        )
    except ImportError as error:
        raise SetupError(
            "A store in PostgreSQL needs psycopg: `pip install '.[postgres]'` in the project's "
            "folder installs it."
        ) from error
    event.listen(engine, "connect", _set_up)
    secret = parsed.password or parsed.query.get("password")
    shown = parsed.set(drivername="postgresql", query={}).render_as_string(hide_password=True)
    # A reader sees one state throughout; a writer that waited for a lock must see what came since.
    reader = engine.execution_options(isolation_level="REPEATABLE READ")
    return Database(reader, engine, printable(shown), secret=str(secret) if secret else None)


def _set_up(connection: Any, record: object) -> None:
    """Wait for another's lock as long as for one of SQLite's, not for ever; compile no query.

    To compile takes PostgreSQL half a second and more, and no query here that long.
    """
    connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
    connection.execute("SET jit = off")
    connection.commit()
