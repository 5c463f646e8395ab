"""Files that are on the disk for good: written whole or not at all, at a place, or one a slice."""

import errno
import os
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, OutputError, printable


def all_there(paths: Iterable[Path]) -> bool:
    """Whether all of these are files, none of them empty."""
    return all(path.is_file() and path.stat().st_size > 0 for path in paths)


def is_whole(path: Path, size: Any) -> bool:
    """Whether a file is at least so long as it was laid out; the length is the journal's."""
    return isinstance(size, int) and path.is_file() and path.stat().st_size >= size


MOST_THREADS = 8
"""That pack slices and wait for the disk. Packing takes up to 24 bytes a pixel (DICOM, in float64)
each."""
NO_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF)
"""What file systems say that can't synchronise a folder, which some network's can't."""


def write_durably(path: Path, content: bytes) -> None:
    """Write a small file; its folder is synchronised by who calls."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def write_at(path: Path, offset: int, values: NDArray[Any]) -> None:
    """Write values into a file. It isn't mapped into memory: a full disk would be a signal."""
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(np.ascontiguousarray(values).data)
        file.flush()
        os.fsync(file.fileno())


def packing(slices: int) -> int:
    """Give how many threads pack so many slices, one or more."""
    return min(MOST_THREADS, len(os.sched_getaffinity(0)), slices)


def write_each(
    folder: Path,
    name: str,
    first: int,
    slices: NDArray[Any],
    packed: Callable[[int, NDArray[Any]], bytes],
) -> None:
    """Write slices `first` … into a file each, several at a time.

    Args:
        folder: which is there.
        name: of a file, with a place for the slice's number.
        first: number of the first one.
        slices: (slices, rows, columns).
        packed: what is in a file; called by several threads.
    """

    def write_one(number: int) -> None:
        write_durably(folder / name.format(number), packed(number, slices[number - first]))

    with ThreadPoolExecutor(packing(len(slices)), "stend-tomo-writer") as pool:
        list(pool.map(write_one, range(first, first + len(slices))))
    synchronise_folder(folder)


def synchronise(path: Path) -> None:
    """Wait until a file is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def synchronise_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the file system can."""
    try:
        synchronise(path)
    except OSError as error:
        if error.errno not in NO_FOLDERS:
            raise


def synchronise_tree(path: Path) -> None:
    """Wait until all files below a folder are on the disk, and their names."""
    for folder, _, names in os.walk(path):
        for name in names:
            synchronise(Path(folder) / name)
        synchronise_folder(Path(folder))


def write_whole(path: Path, content: bytes, beginning: bytes) -> None:
    """Write a file, in place of an earlier one that has the same `beginning` or is empty.

    A pipe or a device gets it as it is. A reader sees the old file or the new one, never half; a
    link stays and its target is replaced.

    Raises:
        BadOption: the earlier file is something else.
        OutputError: it can't be written; an earlier file is as it was.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        target = path.resolve()
        if target.exists():
            _refuse_others(target, beginning)
        _replace(target, content)
    except (BrokenPipeError, BadOption):
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the path, links in a circle
        raise _unwritable(path, error) from error


def _replace(target: Path, content: bytes) -> None:
    part = target.with_name(f".stend-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        with suppress(OSError):  # it is there; some folders can't be opened
            synchronise_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _refuse_others(path: Path, beginning: bytes) -> None:
    with path.open("rb") as file:
        found = file.read(len(beginning))
    if found not in (beginning, b""):
        raise BadOption(
            f"{printable(str(path))} is another kind of file, so it was not replaced. "
            "Give another name, or remove it first."
        )


def _unwritable(path: Path, error: Exception) -> OutputError:
    name = printable(str(path))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputError(f"No space is left for {name}; free some space, or give another name.")
    said = error.strerror if isinstance(error, OSError) else error
    return OutputError(f"{name} can't be written: {said}; give another name.")
