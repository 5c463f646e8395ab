"""Grey TIFF files → rows of pixels, the chain of image descriptions (IFDs) walked to its end.

Libraries take a chain that is cut off, or that turns back on itself, for one that ends: a truncated
stack then has fewer projections, and nobody is told.
"""

import lzma
import math
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import library
from stend_tomo.reading.angles import millimetres
from stend_tomo.reading.arrays import box
from stend_tomo.reading.frames import Array
from stend_tomo.reading.limits import UNASKED, fault, refuse_bomb, refuse_other_types, told

CLASSIC, BIG = 42, 43


def count_images(path: Path) -> int:
    """How many images a file describes (TIFF 6.0, section 2; BigTIFF: offsets of 64 bits).

    Raises:
        ScanFileError: the chain leads out of the file, or back into itself.
    """
    with path.open("rb") as file:
        order = "<" if file.read(2) == b"II" else ">"
        (version,) = _read(path, file, order + "H")
        if version == BIG:
            file.seek(4, 1)
        number, entry, offset = ("Q", 20, "Q") if version == BIG else ("H", 12, "I")
        (place,) = _read(path, file, order + offset)
        seen: set[int] = set()
        while place:
            if place in seen:
                raise fault(path, f"describes its images in a circle (at byte {place:,}).")
            seen.add(place)
            file.seek(place)
            (entries,) = _read(path, file, order + number)
            file.seek(entries * entry, 1)
            (place,) = _read(path, file, order + offset)
    return len(seen)


def _read(path: Path, file: BinaryIO, layout: str) -> tuple[int, ...]:
    data = file.read(struct.calcsize(layout))
    if len(data) < struct.calcsize(layout):
        raise fault(path, "is truncated: descriptions of images are missing.")
    return struct.unpack(layout, data)


KIND = "TIFF"
SCREENS = (0, 1, 72, 96, 100, 150, 300, 600)
"""Dots an inch that programs write when nobody told them: no pixel of a detector."""
CENTIMETRE, INCH = 3, 2
UNPACKERS: dict[int, tuple[Callable[[], Any], int]] = {
    8: (zlib.decompressobj, 1032),
    32946: (zlib.decompressobj, 1032),
    34925: (lzma.LZMADecompressor, 8000),
}
"""Methods that tifffile without imagecodecs unpacks to their end, and times its size at most."""


@dataclass(frozen=True)
class Layout:
    """What the beginning of a file tells of its images."""

    images: int
    rows: int
    columns: int
    dtype: np.dtype[Any]
    begin: int | None
    """Where the first image's bytes are, when all follow on each other as they are."""
    pixel: float | None
    """Side in mm."""


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open it by tifffile: not by its path, which that would resolve once more.

    What of a file OME-XML or MicroManager tells is not asked: tifffile then opens others by name.
    """
    tifffile = library("tifffile")
    others = {"is_ome": False, "is_mmstack": False}
    with told(path, KIND), path.open("rb") as content, tifffile.TiffFile(content, **others) as file:
        yield file


def layout_of(path: Path, limit: int | None) -> Layout:
    """Look at a file: its first image, and how many there are."""
    with opened(path) as file:
        page = file.pages[0]
        if page.ndim != 2 or page.samplesperpixel != 1 or not page.size:
            raise fault(
                path,
                f"holds images of shape {page.shape}; only grey images, of one value per pixel, "
                "can be read.",
            )
        if page.dtype is None:
            raise fault(path, "holds pixels of an unknown type.")
        refuse_other_types(path, page.dtype)
        if page.compression not in library("tifffile").TIFF.DECOMPRESSORS:
            packed = getattr(page.compression, "name", "a method that has no name")
            raise fault(path, f"is compressed by {packed}; to read it, `pip install imagecodecs`.")
        rows, columns = page.shape
        dtype = np.dtype(page.dtype).newbyteorder(file.byteorder)
        images, begin = _images(path, file)
        refuse_bomb(path, (images, rows, columns), dtype, limit, path)
        return Layout(images, rows, columns, dtype, begin, _pixel(file, page))


def _images(path: Path, file: Any) -> tuple[int, int | None]:
    """How many there are, and where their bytes begin when no image is described but the first.

    ImageJ writes stacks above 4 GiB so, and tifffile any stack: one description for all.
    """
    count = count_images(path)
    if count != len(file.pages):
        raise fault(path, f"describes {count:,} images, of which {len(file.pages):,} make sense.")
    series = file.series[0]
    if series.dataoffset is not None and count == 1:
        return math.prod(series.shape[:-2]), series.dataoffset
    return count, None


def described(file: Any) -> dict[str, Any]:
    """What ImageJ wrote, or tifffile, which above 4 GB writes the same as JSON."""
    said: dict[str, Any] = file.imagej_metadata or next(iter(file.shaped_metadata or ()), {})
    return said


def spacing_in(said: dict[str, Any]) -> float | None:
    """The distance of slices in mm, in ImageJ's words."""
    try:
        return millimetres(float(said["spacing"]), _unit(said["unit"]))
    except (KeyError, TypeError, ValueError):
        return None  # it is not told, or not as it should be


def _unit(said: Any) -> str:
    return str(said).replace("\\u00B5", "µ")


def _pixel(file: Any, page: Any) -> float | None:
    value = page.tags.get("XResolution")
    if value is None or not value.value[0] or not value.value[1]:
        return None
    per_unit = value.value[0] / value.value[1]
    if unit := described(file).get("unit"):
        return millimetres(1 / per_unit, _unit(unit))
    unit = page.tags.get("ResolutionUnit")
    side = {CENTIMETRE: 10.0, INCH: 25.4}.get(unit.value if unit else INCH)
    return plausible(side / per_unit) if side else None


def plausible(side: float) -> float | None:
    """A pixel's side in mm, unless it is a screen's or a printer's."""
    return None if round(25.4 / side, 1) in SCREENS else side


class Pages:
    """The images of one file."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._layout = path, layout

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return self._layout.images, self._layout.rows, self._layout.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self._layout.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        layout = self._layout
        if layout.begin is not None:
            with told(self._path, KIND), self._path.open("rb") as file:
                of = file.fileno(), layout.begin, self.shape, layout.dtype
                return box(*of, frames, rows)
        out = np.empty(
            (frames.stop - frames.start, rows.stop - rows.start, layout.columns), layout.dtype
        )
        with opened(self._path) as file:
            for place, image in zip(out, range(frames.start, frames.stop), strict=True):
                read_rows(self._path, file.pages[image], layout, rows, place)
        return out


def read_one(path: Path, layout: Layout, rows: slice) -> Array:
    """Rows of the first image of a file that looks like `layout`."""
    with opened(path) as file:
        out = np.empty((rows.stop - rows.start, layout.columns), layout.dtype)
        read_rows(path, file.pages[0], layout, rows, out)
        return out


def read_rows(path: Path, page: Any, layout: Layout, rows: slice, out: NDArray[Any]) -> None:
    """Decode the strips or tiles that these rows lie in."""
    page = page.aspage()
    size = (layout.rows, layout.columns)
    if page.shape != size or page.dtype != layout.dtype.newbyteorder("="):
        raise fault(
            path,
            f"holds an image of {page.shape} pixels of type {page.dtype} among others of {size} "
            f"of type {layout.dtype}; all must be of one size and type.",
        )
    height = page.tilelength if page.is_tiled else page.rowsperstrip
    across = math.ceil(page.imagewidth / page.tilewidth) if page.is_tiled else 1
    wanted = range(rows.start // height * across, math.ceil(rows.stop / height) * across)
    if wanted.stop > len(page.dataoffsets) or wanted.stop > len(page.databytecounts):
        raise fault(path, f"lacks {wanted.stop - len(page.dataoffsets)} strips of an image.")
    handle = page.parent.filehandle
    for index in wanted:
        offset, count = page.dataoffsets[index], page.databytecounts[index]
        if offset + count > handle.size:
            raise fault(path, "is truncated: an image's bytes end after the file's end.")
        handle.seek(offset)
        packed = handle.read(count)
        _refuse_bomb_strip(path, page, packed)
        data, place, shape = page.decode(packed, index, jpegtables=page.jpegtables)
        _put(data, place, shape, rows, out)


def _refuse_bomb_strip(path: Path, page: Any, packed: bytes) -> None:
    """Raise ScanFileError when more is packed into a strip than it has room for."""
    unpacker, times = UNPACKERS.get(page.compression, (None, 0))
    if unpacker is None or len(packed) * times <= UNASKED:
        return
    room = min(math.prod(page.chunks) * page.dtype.itemsize, max(UNASKED, page.nbytes))
    if len(unpacker().decompress(packed, room + 1)) > room:
        raise fault(path, f"has more packed into a strip than the {room:,} bytes it has room for.")


def _put(data: Any, place: Any, shape: Any, rows: slice, out: NDArray[Any]) -> None:
    """Copy what of a decoded strip belongs to these rows."""
    _, _, top, left, _ = place
    _, height, width, _ = shape
    first, last = max(top, rows.start), min(top + height, rows.stop)
    if first >= last:
        return
    target = out[first - rows.start : last - rows.start, left : left + width]
    if data is None:  # a sparse file: what is not there is zero
        target[...] = 0
    else:
        target[...] = data[0, first - top : last - top, : target.shape[1], 0]
