"""Writing that is waited for: what has returned is on the disk, and its name in its folder too."""

import errno
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
