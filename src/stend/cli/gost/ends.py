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

Input = Annotated[Path, typer.Argument(metavar="FILE", help="What is read; -: standard input.")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="What is written; -: standard output."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an output file that exists.")]
Threads = Annotated[
    int, typer.Option("--threads", min=0, max=1024, help="Threads that work; 0: one a CPU.")
]

STANDARD = Path("-")


class Source:
    """What is read from; `size` is its size in bytes, None where only its end tells."""

    def __init__(self, file: FileIO, name: str) -> None:
        self._file, self._name = file, name
        about = os.fstat(file.fileno())
        self.size = about.st_size if stat.S_ISREG(about.st_mode) else None

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
def opened(path: Path) -> Iterator[Source]:
    """Open what is read; a folder or a missing file is an UnreadableFile."""
    name = "The standard input" if path == STANDARD else printable(str(path))
    try:
        file = FileIO(0, closefd=False) if path == STANDARD else FileIO(path)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
    with file:
        yield Source(file, name)


@contextmanager
def written(path: Path, *, force: bool) -> "Iterator[Written]":
    """Open what is written to: a file is there only when all went well."""
    from stend.files import Written, written_whole

    if path != STANDARD:
        with written_whole(path, replace=force) as whole:
            yield whole
        return
    sys.stdout.flush()
    with FileIO(1, "w", closefd=False) as file:
        yield Written(file, Path("the standard output"))


def is_stream(path: Path) -> bool:
    """Whether what is written there is read as it comes: the standard output, a pipe, a device."""
    return path == STANDARD or (path.exists() and not path.is_file())


def refuse_terminal(path: Path) -> None:
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
