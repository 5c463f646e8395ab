"""Run files: a run as one JSON file that anyone can read, and back.

The file is `{"stend": "run", "schema": 1, "run": {…}}`; docs/formats.md has every field. A file
from elsewhere is not trusted: it gives a run for which `validate` holds, or one RunFileError.
"""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from stend.errors import RunFileError
from stend.record import SCHEMA, Record, Run, from_json, to_json
from stend.record.files import write_whole
from stend.record.invariants import validate
from stend.record.text import printable

LIMIT = 1 << 30
"""Bytes of a run file that are read: a run of 40 million repetitions."""

_MARKS = 10_000_000
"""Strings, lists and objects in a run file. With the limit above it bounds the memory that the
smallest of them take, about 200 bytes each: a run of 100,000 cases has fewer."""

_BEGINNING = b'{"stend":"run",'


class _Header(msgspec.Struct):
    stend: Literal["run"]
    schema: int


class _File(Record, frozen=True, kw_only=True):
    run: Run


def to_run_file(run: Run) -> bytes:
    """Give the content of a run file.

    Raises:
        RunFileError: the run can't be exchanged; the sentence says what is wrong with it.
    """
    try:
        validate(run, "$.run")
    except msgspec.ValidationError as error:
        raise RunFileError(f"The run {printable(run.id)} is not valid: {_fault(error)}.") from error
    return b'%s"schema":%d,"run":%s}\n' % (_BEGINNING, SCHEMA, to_json(run))


def from_run_file(text: bytes, name: str = "run file") -> Run:
    """Read the content of a run file; `name` is what to call it in a sentence.

    Raises:
        RunFileError: it is malformed, unsound or from a newer stend.
    """
    name = printable(name)
    if sum(map(text.count, (b'"', b"[", b"{"))) > 2 * _MARKS:
        raise RunFileError(
            f"The run file {name} is too large: it has more than {_MARKS:,} strings and lists."
        )
    try:
        schema = msgspec.json.decode(text, type=_Header).schema
        _refuse_other_versions(name, schema)
        run = from_json(text, _File).run
        validate(run, "$.run")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunFileError(f"The run file {name} is not valid: {_fault(error)}.") from error
    except RecursionError as error:
        raise RunFileError(f"The run file {name} is not valid: it is nested too deeply.") from error
    return run


_KILLED = timedelta(days=1)
"""After which a run without an end is taken for one that was killed."""


def may_grow(started: str, finished: str | None) -> bool:
    """Whether a run may still be measured, so that what is sent of it would be a part."""
    return finished is None and datetime.now(UTC) - datetime.fromisoformat(started) < _KILLED


def _refuse_other_versions(name: str, schema: int) -> None:
    if schema > SCHEMA:
        raise RunFileError(
            f"The run file {name} has version {schema}, but this stend reads versions 1 to "
            f"{SCHEMA}. Update stend to read it."
        )
    if schema < 1:
        raise RunFileError(f"The run file {name} is not valid: there is no version {schema}.")


def _fault(error: Exception) -> str:
    """Make msgspec's `Fault - at `$.place`` part of a sentence."""
    said = printable(str(error)).replace(" - at `$", ", at `$").rstrip(".")
    return said if said.startswith("JSON") else said[:1].lower() + said[1:]


def read_run_file(path: str | os.PathLike[str], limit: int = LIMIT) -> Run:
    """Read a run file of at most `limit` bytes; a pipe will do.

    Raises:
        RunFileError: there is no such file, it can't be read, or see `from_run_file`.
    """
    text, _ = content_of(Path(path), f"The run file {printable(str(path))}", limit)
    return from_run_file(text, str(path))


def content_of(path: Path, name: str, limit: int = LIMIT) -> tuple[bytes, float]:
    """Give the bytes of a file or a pipe, and when it was written, in seconds since 1970.

    Args:
        path: of the file.
        name: what to call it at the beginning of a sentence.
        limit: bytes that it may have.

    Raises:
        RunFileError: it can't be read, or is larger.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            text = b"" if size > limit else file.read((size or limit) + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        said = error.strerror if isinstance(error, OSError) else error
        raise RunFileError(f"{name} can't be read: {said}.") from error
    if max(size, len(text)) > limit:
        has = f"has {size:,} bytes" if size else "goes on"
        raise RunFileError(f"{name} is too large: it {has}; at most {limit:,} are read.")
    return text, status.st_mtime


def write_run_file(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run file, whole or not at all; an earlier run file is replaced.

    A file that is something else is left alone. A pipe or a device is written to as it is.

    Raises:
        BadValue: the path has something other than a run file.
        RunFileError: the run is not sound.
        OutputError: the file can't be written.
    """
    write_whole(Path(path), to_run_file(run), _BEGINNING)
