"""The two ends of `stend gost encrypt` and `decrypt`: what is read and written."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EAGAIN
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.errors import BadValue
from stend.printable import printable

if TYPE_CHECKING:
    from stend.files import Written
    from stend.gost.errors import UnreadableFile

Input = Annotated[str, typer.Argument(metavar="FILE", help="What is read; -: standard input.")]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="What is written; -: standard output."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an output file that exists.")]
Threads = Annotated[
    int, typer.Option("--threads", min=0, max=1024, help="Threads that work; 0: one a CPU.")
]

STANDARD = "-"
"""Names are kept as they were given: as a Path, ./- would be the same."""


class Source:
    """What is read from; `size` is its size in bytes, None where only its end tells."""

    def __init__(self, file: FileIO, name: str) -> None:
        self._file, self._name = file, name
        self._about = os.fstat(file.fileno())
        self.size = self._about.st_size if stat.S_ISREG(self._about.st_mode) else None

    def refuse_as_output(self, output: str) -> None:
        """Refuse a standard output that goes into this file: there might never be an end."""
        if output == STANDARD and is_same_file(output, self._about):
            raise BadValue(f"{self._name} is the standard output, too; name another output.")

    def readinto(self, buffer: memoryview, /) -> int:
        """Read some bytes, none only at the end."""
        try:
            count: int | None = self._file.readinto(buffer)
        except OSError as error:
            raise _unreadable(self._name, error) from error
        if count is None:
            raise _unreadable(self._name, BlockingIOError(EAGAIN, "it does not wait for more"))
        return count


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """Open what is read; a folder or a missing file is an UnreadableFile."""
    name = "The standard input" if path == STANDARD else printable(path)
    try:
        file = FileIO(0, closefd=False) if path == STANDARD else FileIO(path)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
    with file:
        yield Source(file, name)


@contextmanager
def written(path: str, *, force: bool) -> "Iterator[Written]":
    """Open what is written to: a file is there only when all went well."""
    from stend.files import Written, written_whole

    if path != STANDARD:
        with written_whole(Path(path), replace=force) as whole:
            yield whole
        return
    sys.stdout.flush()
    with FileIO(1, "w", closefd=False) as file:
        yield Written(file, Path("the standard output"))


def is_stream(path: str) -> bool:
    """Whether what is written there is read as it comes: the standard output, a pipe, a device."""
    return path == STANDARD or (Path(path).exists() and not Path(path).is_file())


def is_same_file(output: str, other: os.stat_result) -> bool:
    """Whether what is written to is that file, by whatever name."""
    try:
        to = os.fstat(1) if output == STANDARD else Path(output).stat()
    except OSError:
        return False  # Not there yet, or not to be seen: opening it tells.
    return os.path.samestat(to, other) and stat.S_ISREG(to.st_mode)  # a terminal may be both


def refuse_terminal(path: str) -> None:
    """Refuse to show encrypted bytes to a person."""
    if path == STANDARD and os.isatty(1):
        raise BadValue("Encrypted bytes are nothing to look at; name a file with -o, or a pipe.")


@contextmanager
def progress(verb: str, size: int | None) -> Iterator[Callable[[int], None] | None]:
    """Show on a terminal how far the work is; gives what is to be told of it, None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from stend.console import Console

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(verb, total=size)
        yield lambda done: bar.update(task, completed=done)


def _unreadable(name: str, error: Exception) -> "UnreadableFile":
    from stend.gost.errors import UnreadableFile

    said = error.strerror if isinstance(error, OSError) else error
    return UnreadableFile(f"{name} can't be read: {said}.")
