"""Writing files whole or not at all, and the XDG folders they go to."""

import errno
import os
import secrets
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stend.errors import BadValue, OutputError
from stend.record.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO


def write_whole(path: Path, content: bytes, beginning: bytes) -> None:
    """Write a file, in place of an earlier one that has the same `beginning` or is empty.

    A pipe or a device gets it as it is. A reader sees the old file or the new one, never half; a
    link stays and its target is replaced.

    Raises:
        BadValue: the earlier file is something else.
        OutputError: it can't be written; an earlier file is as it was.
    """
    with _refusals_told(path):
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        target = path.resolve()
        if target.exists():
            _refuse_others(target, beginning)
        with _part_of(target) as part:
            Written(part.file, path).write(content)
            part.take_place()


def refuse_replacing(path: Path, beginning: bytes) -> None:
    """Refuse a path that `write_whole` would refuse, before there is anything to write.

    Raises:
        BadValue: there is a file that does not begin so.
        OutputError: it can't be read.
    """
    with _refusals_told(path):
        if path.is_file():
            _refuse_others(path.resolve(), beginning)


@contextmanager
def written_whole(path: Path, *, replace: bool) -> "Iterator[Written]":
    """Write a file in pieces; it is there under its name only when the block ended well.

    A pipe or a device gets the pieces as they come. A link stays and its target is replaced.

    Raises:
        BadValue: there is such a file and it may not be replaced.
        OutputError: it can't be written; an earlier file is as it was.
    """
    with ExitStack() as open_files:
        with _refusals_told(path):
            part = None
            if path.exists() and not path.is_file():
                file = open_files.enter_context(path.open("wb", buffering=0))
            else:
                target = path.resolve()
                if not replace:
                    _refuse_existing(target)
                part = open_files.enter_context(_part_of(target))
                file = part.file
        yield Written(file, path)
        with _refusals_told(path):
            if part and not replace:
                _refuse_existing(target)
            if part:
                part.take_place()


@contextmanager
def built_whole(path: Path) -> "Iterator[Path]":
    """Give a file of another name to fill, which is at `path` only when the block ended well.

    Only its owner can read it. It replaces nothing.

    Raises:
        BadValue: there is something already.
        OutputError: it can't be written; nothing is left of it.
    """
    with _refusals_told(path):
        target = path.resolve()
        _refuse_existing(target, "give another name, as nothing is replaced")
    with ExitStack() as open_files:
        with _refusals_told(path):
            part = open_files.enter_context(_part_of(target, 0o600))
        yield part.path
        with _refusals_told(path):
            _refuse_existing(target, "give another name, as nothing is replaced")
            part.take_place()


class Written:
    """A file or stream written in pieces; what the system refuses is an OutputError."""

    def __init__(self, file: "FileIO", path: Path) -> None:
        self._file, self._path = file, path

    def write(self, data: "bytes | memoryview") -> None:
        """Write all of it."""
        left = memoryview(data)
        with _refusals_told(self._path):
            while left:
                count: int | None = self._file.write(left)
                if count is None:
                    raise BlockingIOError(errno.EAGAIN, "it does not wait until it is read")
                left = left[count:]


@dataclass
class _Part:
    """A file beside another one, whose place it can take."""

    file: "FileIO"
    path: Path
    target: Path

    def take_place(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.path.replace(self.target)
        with suppress(OSError):  # it is there; some folders can't be opened or synchronised
            _sync_folder(self.target.parent)


@contextmanager
def _part_of(target: Path, mode: int = 0o666) -> "Iterator[_Part]":
    """A new file beside `target`, of this mode but for the umask, gone unless it took its place."""
    path = target.with_name(f".stend-{secrets.token_hex(8)}.part")
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(number, "wb", buffering=0) as file:
            yield _Part(file, path, target)
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def _refusals_told(path: Path) -> "Iterator[None]":
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the path, links in a circle
        raise _unwritable(path, error) from error


def _refuse_others(path: Path, beginning: bytes) -> None:
    with path.open("rb") as file:
        found = file.read(len(beginning))
    if found not in (beginning, b""):
        raise BadValue(
            f"{printable(str(path))} is another kind of file, so it was not replaced. "
            "Give another name, or remove it first."
        )


def _refuse_existing(path: Path, advice: str = "give --force to replace it") -> None:
    if path.exists():
        raise BadValue(f"{printable(str(path))} exists; {advice}.")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unwritable(path: Path, error: Exception) -> OutputError:
    name = printable(str(path))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputError(f"No space is left for {name}; make room, or give another name.")
    said = error.strerror if isinstance(error, OSError) else error
    return OutputError(f"{name} can't be written: {said}; give another name.")


def data_folder() -> Path:
    """What is to stay. RuntimeError: no home folder is known."""
    return _named("XDG_DATA_HOME", "~/.local/share") / "stend"


def cache_folder() -> Path:
    """What can be made again. RuntimeError: no home folder is known."""
    return _named("XDG_CACHE_HOME", "~/.cache") / "stend"


def _named(variable: str, usual: str) -> Path:
    """A relative path is to be ignored."""
    named = Path(os.environ.get(variable) or "")
    return named if named.is_absolute() else Path(usual).expanduser()
