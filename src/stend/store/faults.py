"""Faults of a database as errors of stend's tree, in sentences."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, NoResultFound, NoSuchTableError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from stend.errors import NoSpace, StendError, StoreError
from stend.record.text import printable

_ELSEWHERE = "Give another place with --store or STEND_STORE."

_FULL = 1 << 20
"""Bytes: a disk with less left is the reason for SQLite's general "disk I/O error"."""


@contextmanager
def in_sentences(name: str, path: Path | None, secret: str | None = None) -> Iterator[None]:
    """Turn what the database or the file system raises inside into one StoreError or NoSpace.

    Args:
        name: what the store is called in the sentence.
        path: the file of an SQLite store.
        secret: a password that the sentence must not show.
    """
    try:
        yield
    except NoSuchTableError as error:
        raise StoreError(f"The store {name} is damaged: it lacks the table {error}.") from error
    except (UnicodeDecodeError, NoResultFound) as error:
        # names that sqlite3 can't read; an index that has what its table has not
        raise StoreError(f"The store {name} {_SAID['SQLITE_CORRUPT']}") from error
    except DBAPIError as error:
        cause = error.orig if error.orig is not None else error
        raise _sentence(cause, name, path, secret) from error
    except PoolTimeout as error:
        raise StoreError(
            f"The store {name} is in use by too many threads of this program at once. Try again."
        ) from error
    except (sqlite3.Error, OSError) as error:
        raise _sentence(error, name, path, secret) from error


def _sentence(error: BaseException, name: str, path: Path | None, secret: str | None) -> StendError:
    if isinstance(error, OSError):
        return _of_files(error, name)
    if isinstance(error, sqlite3.Error) and path is not None:
        return _of_sqlite(error, name, path)
    return _of_server(error, name, secret)


def _of_files(error: OSError, name: str) -> StendError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _no_space(name)
    return StoreError(f"The store {name} can't be opened: {error.strerror}. {_ELSEWHERE}")


def _of_sqlite(error: sqlite3.Error, name: str, path: Path) -> StendError:
    """See https://www.sqlite.org/rescode.html for the codes."""
    code = getattr(error, "sqlite_errorname", "") or ""
    kind = "_".join(code.split("_")[:2])
    if path.exists() and not path.is_file():  # what SQLite says of /dev/null is "disk I/O error"
        kind = "SQLITE_CANTOPEN"
    if kind == "SQLITE_FULL" or (kind in ("SQLITE_IOERR", "SQLITE_CANTOPEN") and _full(path)):
        return _no_space(name)
    if kind == "SQLITE_CANTOPEN":
        return StoreError(f"The store {name} can't be opened: {_why(path)}. {_ELSEWHERE}")
    said = _SAID.get(kind)
    if said:
        return StoreError(f"The store {name} {said}")
    return StoreError(f"The store {name} could not be used: {_first_line(error)}.")


_SAID = {
    "SQLITE_BUSY": "is locked by another process. Wait for it to end, then try again.",
    "SQLITE_READONLY": f"is read-only here, so nothing was stored. {_ELSEWHERE}",
    "SQLITE_NOTADB": f"is not a database; it was left unchanged. {_ELSEWHERE}",
    "SQLITE_CORRUPT": "is damaged. Copy the file away, then save what is left with "
    "`sqlite3 COPY .recover`.",
    "SQLITE_IOERR": "could not be read or written: the disk reports an error (see `dmesg`).",
}


def _of_server(error: BaseException, name: str, secret: str | None) -> StendError:
    """See PostgreSQL's Appendix A for the codes."""
    state = getattr(error, "sqlstate", None)
    if state == "53100":
        return _no_space(name)
    if state == "55P03":
        return StoreError(f"The store {name} {_SAID['SQLITE_BUSY']}")
    line = _first_line(error)
    if secret:
        line = line.replace(secret, "***")
    advice = _ADVICE.get(state, _ELSEWHERE)
    return StoreError(f"The store {name} could not be used: {line}. {advice}")


_ADVICE = {
    None: "Check that the server runs, that the database is there, and the URL: "
    "postgresql://USER:PASSWORD@HOST:5432/DATABASE.",  # it could not be reached, or lets nobody in
    "42501": "Name a user with that right in the store's URL.",
}


def _no_space(name: str) -> NoSpace:
    return NoSpace(
        f"No space is left on the disk of the store {name}; what was stored before is intact. "
        "Free some, or give another place with --store or STEND_STORE."
    )


def _full(path: Path) -> bool:
    try:
        disk = shutil.disk_usage(path.parent)
    except OSError:
        return False
    return disk.total > 0 and disk.free < _FULL  # /proc has no space at all


def _why(path: Path) -> str:
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not path.is_file():
        return "it is not a file"
    if not path.parent.is_dir():
        return "there is no such folder"
    if not path.exists() and not os.access(path.parent, os.W_OK):
        return "its folder is not writable"
    if os.access(path, os.R_OK) and path.with_name(path.name + "-wal").exists():
        return (
            "its last writer left unfinished work in the -wal file next to it, which can't be "
            "applied in a read-only folder; copy both files to another folder"
        )
    return "no permission"


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return printable(lines[0]).rstrip(".")
