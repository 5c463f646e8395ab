"""What a verb reads: a file, a pipe, standard input."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN
from io import FileIO
from pathlib import Path

from stend_gost.errors import UnreadableFile, UsageError
from stend_gost.text import printable

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
            raise UsageError(f"{self._name} is the standard output, too; name another output.")

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
