"""Images that are read when they are asked for, unpacked once where they must be whole.

Scanners pack each projection by itself (HDF5 chunks of whole images, PNG, compressed TIFF and
DICOM), and slices are made of a few rows of all of them: each slab of rows then unpacks everything.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import OutputError, ScanFileError, printable
from stend_tomo.scan import Scan

Array = NDArray[np.generic]


class Source(Protocol):
    """Where images lie, one behind the other, each (rows, columns)."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it, with all columns; both slices lie inside and have no step."""


@dataclass(frozen=True)
class Held:
    """A source in memory, or mapped into it."""

    array: Array

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        frames, rows, columns = self.array.shape
        return frames, rows, columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.array.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        return np.asarray(self.array[frames, rows])


@dataclass(frozen=True)
class Scaled:
    """Another source's values, scaled: value = low + step · stored."""

    source: Source
    low: float
    step: float

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return self.source.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return np.dtype(np.float32)

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        stored = self.source.part(frames, rows).astype(np.float64)
        return (self.low + self.step * stored).astype(np.float32)


@dataclass(frozen=True)
class Chosen:
    """Frames (as stend_tomo.scan has them) of a source: all, or those of the given indices."""

    source: Source
    indices: Sequence[int] = field(default=())

    @classmethod
    def all(cls, source: Source) -> "Chosen":
        """Every image of a source."""
        return cls(source, range(source.shape[0]))

    def __repr__(self) -> str:
        """Tell what it holds; where each image is may be thousands of names."""
        number, rows, columns = self.shape
        return f"<{number:,} images of {rows:,} × {columns:,} pixels, {self.dtype}>"

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return len(self.indices), *self.source.shape[1:]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.source.dtype

    def rows(self, first: int, last: int) -> Array:
        """Rows first … last - 1 of all frames."""
        if not 0 <= first <= last <= self.shape[1]:
            raise IndexError(f"There are rows 0 to {self.shape[1]}, not {first} to {last}.")
        runs = list(_runs(self.indices))
        if len(runs) == 1:
            return self.source.part(runs[0], slice(first, last))
        out = np.empty((len(self.indices), last - first, self.shape[2]), self.dtype)
        place = 0
        for run in runs:
            count = run.stop - run.start
            out[place : place + count] = self.source.part(run, slice(first, last))
            place += count
        return out

    def frame(self, index: int) -> Array:
        """One image, counted from 0."""
        if not 0 <= index < len(self.indices):
            raise IndexError(f"There are images 0 to {len(self.indices) - 1}, not {index}.")
        place = self.indices[index]
        image: Array = self.source.part(slice(place, place + 1), slice(0, self.shape[1]))[0]
        return image

    def images(self, first: int, last: int) -> Array:
        """Images first … last - 1: at once, so that chunks of several are unpacked once."""
        if not 0 <= first <= last <= len(self.indices):
            raise IndexError(f"There are images 0 to {len(self.indices)}, not {first} to {last}.")
        every = slice(0, self.shape[1])
        runs = _runs(self.indices[first:last])
        return np.concatenate([self.source.part(run, every) for run in runs])


def unwritten(frames: object) -> tuple[int, int]:
    """How many chunks of images their file lacks, and of how many; none where it has no chunks.

    Libraries give such pixels a value that the file names, as if they had been measured.
    """
    while (inner := getattr(frames, "source", None)) is not None:
        frames = inner
    counted = getattr(frames, "unwritten", lambda: (0, 0))
    lacking, chunks = counted()
    return lacking, chunks


def same_numbers(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether these types have the same values, be it with their bytes in another order."""
    return np.can_cast(one, other, "equiv")


def _runs(indices: Sequence[int]) -> Iterator[slice]:
    """Indices that follow on each other, together."""
    if isinstance(indices, range) and indices.step == 1:
        yield slice(indices.start, indices.stop)
        return
    start = 0
    for end in range(1, len(indices) + 1):
        if end == len(indices) or indices[end] != indices[end - 1] + 1:
            yield slice(indices[start], indices[end - 1] + 1)
            start = end


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
        progress: called after each projection with the number done and the number of all.

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
            f"Projection {index} is of type {image.dtype}, and the scan says {dtype}; all must "
            "have the same type."
        )
    return np.ascontiguousarray(image, dtype)
