"""A scan whose images must be unpacked as wholes → the same, with its projections unpacked once.

Scanners pack each projection by itself (HDF5 chunks of whole images, PNG, compressed TIFF and
DICOM), and slices are made of a few rows of all of them: each slab of rows then unpacks everything.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from stend_tomo.errors import OutputError, ScanFileError
from stend_tomo.reading.frames import Array, Chosen, same_numbers
from stend_tomo.scan import Scan
from stend_tomo.text import printable


class Scratch:
    """A source in a file without a name: the system removes it with the last who has it open."""

    def __init__(self, file: IO[bytes], shape: tuple[int, int, int], dtype: np.dtype[Any]) -> None:
        self._file, self._shape, self._dtype = file, shape, dtype

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return self._shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self._dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        _, height, columns = self._shape
        row = columns * self._dtype.itemsize
        out = np.empty((frames.stop - frames.start, rows.stop - rows.start, columns), self._dtype)
        for frame, place in zip(range(frames.start, frames.stop), out, strict=True):
            begin = (frame * height + rows.start) * row
            if os.preadv(self._file.fileno(), [place.data], begin) != place.nbytes:
                raise ScanFileError("The scratch file of unpacked projections was cut short.")
        return out


def unpacked(
    scan: Scan, folder: str | Path, *, progress: Callable[[int, int], None] | None = None
) -> Scan:
    """Unpack a scan's projections once into a scratch file, where any rows of them are at hand.

    The file has no name and goes away with the scan, or with the process.

    Args:
        scan: of any format.
        folder: where there is room for the projections as they are in memory.
        progress: told after each projection how many are there, and of how many.

    Raises:
        OutputError: the scratch file can't be written.
        ScanFileError: a projection can't be read.
    """
    frames = scan.projections
    number, dtype = frames.shape[0], np.dtype(frames.dtype)

    def images() -> Iterator[memoryview]:
        for index in range(number):
            yield _of_type(frames.frame(index), dtype, index).data.cast("B")
            if progress is not None:
                progress(index + 1, number)

    try:
        file = nameless(images(), folder)
    except OSError as error:
        raise OutputError(
            f"Projections can't be unpacked into {printable(str(folder))}: {error.strerror}; "
            f"they take {number * int(np.prod(frames.shape[1:])) * dtype.itemsize:,} bytes."
        ) from error
    return replace(scan, projections=Chosen.all(Scratch(file, frames.shape, dtype)))


def nameless(pieces: Iterable[bytes | memoryview], folder: str | Path) -> IO[bytes]:
    """Give a new file in a folder that holds these pieces and has no name.

    Raises:
        OSError: it can't be written.
    """
    file = tempfile.TemporaryFile(dir=folder, prefix="stend-", buffering=0)  # noqa: SIM115
    for piece in pieces:
        _write(file, memoryview(piece))
    return file


def _write(file: IO[bytes], left: memoryview) -> None:
    while left:
        left = left[file.write(left) :]


def _of_type(image: Array, dtype: np.dtype[Any], index: int) -> Array:
    """An image as it is written: of another type its bytes would be read as other numbers."""
    if not same_numbers(image.dtype, dtype):
        raise ScanFileError(
            f"Projection {index} is of type {image.dtype}, and the scan says {dtype}; all must be "
            "of one type."
        )
    return np.ascontiguousarray(image, dtype)
