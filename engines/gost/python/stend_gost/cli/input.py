"""What a verb reads: a file, a pipe, standard input; and the key, from a file or a variable."""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN
from io import FileIO
from pathlib import Path

from stend_gost.errors import UnreadableFile, UsageError, printable

_LONGEST = 128
"""Bytes of a key file, with whatever white space an editor left."""


def read_key(file: str | None, variable: str | None, program: str) -> bytes:
    """Read the key.

    Raises:
        UsageError: none or two were named, or what is there is no key.
        UnreadableFile: the file can't be read.
    """
    if file is not None and variable is not None:
        raise UsageError("--key-file and --key-env exclude each other; give only one.")
    if file is None and variable is None:
        raise UsageError(
            "No key: give --key-file FILE, or --key-env NAME for an environment variable."
        )
    return _from_file(file, program) if file is not None else _from_variable(variable or "")


def _from_file(path: str, program: str) -> bytes:
    name = printable(path)
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            held = file.read(_LONGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnreadableFile(f"The key file {name} can't be read: {reason}.") from error
    if stat.S_ISREG(mode) and mode & 0o077:
        print(
            f"{program}: other users may read the key file {name} (mode {stat.S_IMODE(mode):04o}); "
            f"restrict it with `chmod 600`.",
            file=sys.stderr,
        )
    key = held if len(held) == 32 else _from_hex(held)
    if key is None:
        size = f"{len(held)}" if len(held) <= _LONGEST else f"more than {_LONGEST}"
        raise UsageError(
            f"The key file {name} has {size} bytes; it must hold 32 bytes, or 64 hex digits."
        )
    return key


def _from_variable(name: str) -> bytes:
    held = os.environb.get(os.fsencode(name))
    if held is None:
        raise UsageError(f"The environment variable {printable(name)} is not set.")
    key = _from_hex(held)
    if key is None:
        raise UsageError(
            f"The environment variable {printable(name)} has {len(held)} bytes; it must hold 64 "
            "hex digits."
        )
    return key


def _from_hex(held: bytes) -> bytes | None:
    found = re.fullmatch(rb"\s*([0-9a-fA-F]{64})\s*", held)
    return bytes.fromhex(found[1].decode()) if found else None


STANDARD = "-"
"""Names are kept as they were given: as a Path, ./- would be the same."""


class Input:
    """An open input; `size` is its size in bytes, None where only its end tells."""

    def __init__(self, file: FileIO, name: str) -> None:
        self._file, self._name = file, name
        self._about = os.fstat(file.fileno())
        self.size = self._about.st_size if stat.S_ISREG(self._about.st_mode) else None

    def refuse_as_output(self, output: str) -> None:
        """Refuse a standard output that goes into this file: there might never be an end."""
        if output == STANDARD and is_same_file(output, self._about):
            raise UsageError(f"{self._name} is also the standard output; name another output.")

    def readinto(self, buffer: memoryview, /) -> int:
        """Read some bytes, none only at the end."""
        try:
            count: int | None = self._file.readinto(buffer)
        except OSError as error:
            raise _unreadable(self._name, error) from error
        if count is None:
            raise _unreadable(self._name, BlockingIOError(EAGAIN, "it is non-blocking"))
        return count


@contextmanager
def opened_input(path: str) -> Iterator[Input]:
    """Open an input; a folder or a missing file is an UnreadableFile."""
    name = "The standard input" if path == STANDARD else printable(path)
    try:
        file = FileIO(0, closefd=False) if path == STANDARD else FileIO(path)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
    with file:
        yield Input(file, name)


def is_same_file(output: str, other: os.stat_result) -> bool:
    """Whether an output is that file, by whatever name."""
    try:
        to = os.fstat(1) if output == STANDARD else Path(output).stat()
    except OSError:
        return False  # Not there yet, or not to be seen: opening it tells.
    return os.path.samestat(to, other) and stat.S_ISREG(to.st_mode)  # a terminal may be both


def _unreadable(name: str, error: Exception) -> UnreadableFile:
    reason = error.strerror if isinstance(error, OSError) else error
    return UnreadableFile(f"{name} can't be read: {reason}.")
