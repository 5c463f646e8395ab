"""NumPy's .npy and .npz → a scan, and boxes of arrays that lie in a file as they are.

A box is read, and no more of it than is wanted. It is not mapped into memory: a map of a file that
is cut meanwhile ends who looks at it (SIGBUS). So is a member of an .npz that is not compressed; a
compressed one is unpacked onto the disk when it is first asked for. Pickled objects are refused:
unpacking them runs what their author wrote.
"""

import math
import os
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from stend_tomo.errors import OutputError, printable
from stend_tomo.reading.angles import millimetres
from stend_tomo.reading.frames import Array, Chosen, nameless
from stend_tomo.reading.limits import SMALL, fault, refuse_bomb, refuse_other_types, told
from stend_tomo.scan import Scan


def box(
    file: int,
    begin: int,
    shape: tuple[int, int, int],
    dtype: np.dtype[Any],
    frames: slice,
    rows: slice,
) -> NDArray[Any]:
    """Some rows of some frames, with all columns, of (frames, rows, columns) behind `begin` bytes.

    Raises:
        EOFError: the file ends before.
    """
    _, height, width = shape
    row = width * dtype.itemsize
    out = np.empty((frames.stop - frames.start, rows.stop - rows.start, width), dtype)
    if (rows.start, rows.stop) == (0, height):  # all of it lies together
        _fill(out, file, begin + frames.start * height * row)
        return out
    for frame, place in zip(range(frames.start, frames.stop), out, strict=True):
        _fill(place, file, begin + (frame * height + rows.start) * row)
    return out


def turned_box(
    file: int,
    begin: int,
    shape: tuple[int, int, int],
    dtype: np.dtype[Any],
    frames: slice,
    rows: slice,
) -> NDArray[Any]:
    """The same of an array in Fortran's order: frames of one pixel lie together."""
    count, height, width = shape
    out = np.empty((frames.stop - frames.start, rows.stop - rows.start, width), dtype)
    for column in range(width):
        here = slice(column, column + 1)
        lying = box(file, begin, (width, height, count), dtype, here, rows)
        out[:, :, column] = lying[0][:, frames].T
    return out


def _fill(values: NDArray[Any], file: int, place: int) -> None:
    room = values.reshape(-1).view(np.uint8).data
    while room:
        count = os.preadv(file, [room], place)
        if not count:
            raise EOFError(f"{len(room):,} bytes are missing")
        room, place = room[count:], place + count


KIND = "NumPy's format"
NAMES = {
    "projections": ("projections", "data", "proj", "arr_0"),
    "angles": ("angles", "theta"),
    "flats": ("flats", "flat", "data_white"),
    "darks": ("darks", "dark", "data_dark"),
    "pixel": ("pixel",),
}
"""What is looked for in an .npz, in this order. Angles are in radians, the pixel's side in mm."""
PIECE = 1 << 20
"""Bytes that are unpacked at once."""


@dataclass(frozen=True)
class Header:
    """What stands before an array's values."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]
    bytes: int
    """Before the values."""

    @property
    def size(self) -> int:
        """Bytes of the values."""
        return math.prod(self.shape) * self.dtype.itemsize


def header_of(file: BinaryIO) -> Header:
    """Read the header of an .npy file."""
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = read(file)
    return Header(shape, fortran, dtype, file.tell())


@dataclass(frozen=True)
class Raw:
    """A source in a file as it is."""

    path: Path
    """What errors name."""
    file: Path | IO[bytes]
    header: Header
    single: bool
    """Whether an array of two sides is one image, not one detector row of many."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return _three(self.header.shape, self.single)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.header.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        read = turned_box if self.header.fortran else box
        with told(self.path, KIND), self._opened() as file:
            of = file.fileno(), self.header.bytes, self.shape, self.dtype
            return read(*of, frames, rows)

    def _opened(self) -> AbstractContextManager[IO[bytes]]:
        return self.file.open("rb") if isinstance(self.file, Path) else nullcontext(self.file)


def _three(shape: tuple[int, ...], single: bool) -> tuple[int, int, int]:
    if len(shape) == 2:
        return (1, *shape) if single else (shape[0], 1, shape[1])
    frames, rows, columns = shape
    return frames, rows, columns


def read_npy(path: Path, limit: int | None, single: bool = False) -> Scan:
    """A file with one array: (angles, rows, columns), or (angles, columns) of one detector row.

    Where `single`, an array of two sides is one image.
    """
    with told(path, KIND):
        return Scan(projections=Chosen.all(_raw(path, 0, limit, single)))


def _raw(path: Path, offset: int, limit: int | None, single: bool) -> Raw:
    """The array that begins at `offset`, as it lies in the file."""
    with path.open("rb") as file:
        file.seek(offset)
        header = header_of(file)
        size = os.fstat(file.fileno()).st_size
    _refuse(path, header, limit)
    if size < header.bytes + header.size:
        raise EOFError(f"{header.bytes + header.size - size:,} bytes are missing")
    return Raw(path, path, header, single)


def _refuse(path: Path, header: Header, limit: int | None) -> None:
    if header.dtype.hasobject:
        raise fault(
            path, "holds Python objects; they are not read, because that would run their code."
        )
    refuse_other_types(path, header.dtype)
    if len(header.shape) not in (2, 3) or 0 in header.shape:
        raise fault(
            path, f"holds an array of shape {header.shape}; images are (number, rows, columns)."
        )
    refuse_bomb(path, header.shape, header.dtype, limit, path)


def read_npz(path: Path, limit: int | None) -> Scan:
    """A file with several arrays; NAMES has what they are called."""
    with told(path, KIND), zipfile.ZipFile(path) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        found = {
            what: next((members[name] for name in names if name in members), None)
            for what, names in NAMES.items()
        }
        if found["projections"] is None:
            names = ", ".join(printable(name) for name in list(members)[:10]) or "nothing"
            raise fault(path, f"has no array named data or projections; it has {names}.")
        pixel = _list(path, archive, found["pixel"])
        projections = _source(path, archive, found["projections"], limit, single=False)
        rows = len(projections.header.shape) == 3  # else flats and darks are of one row as well
        flats, darks = (
            Chosen.all(_source(path, archive, member, limit, single=rows)) if member else None
            for member in (found["flats"], found["darks"])
        )
        return Scan(
            projections=Chosen.all(projections),
            angles=_list(path, archive, found["angles"]),
            flats=flats,
            darks=darks,
            pixel=millimetres(pixel[0], "mm") if pixel is not None and len(pixel) == 1 else None,
        )


def _source(
    path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int | None, single: bool
) -> "Raw | Packed":
    if member.compress_type == zipfile.ZIP_STORED:
        return _raw(path, _begin(path, member), limit, single)
    with archive.open(member) as file:
        header = header_of(file)  # type: ignore[arg-type]
    _refuse(path, header, limit)
    return Packed(path, member.filename, header, single)


def _begin(path: Path, member: zipfile.ZipInfo) -> int:
    """Where a member's bytes begin: behind its local header (APPNOTE.TXT, 4.3.7)."""
    with path.open("rb") as file:
        file.seek(member.header_offset)
        name, extra = struct.unpack("<26x2H", file.read(30))
    return member.header_offset + 30 + int(name) + int(extra)


def _list(
    path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo | None
) -> NDArray[np.float64] | None:
    if member is None:
        return None
    with archive.open(member) as file:
        header = header_of(file)  # type: ignore[arg-type]
        refuse_other_types(path, header.dtype, "angles")
        count = int(np.prod(header.shape, dtype=object))
        if count > SMALL:
            raise fault(path, f"holds angles of shape {header.shape}.")
        values = np.frombuffer(file.read(count * header.dtype.itemsize), header.dtype)
    return values.astype(np.float64)


class Packed:
    """A compressed member of an .npz: unpacked as a whole when it is first asked for.

    That is onto the disk, as memory may have no room for it.
    """

    def __init__(self, path: Path, member: str, header: Header, single: bool) -> None:
        self.header = header
        self._path, self._member, self._single = path, member, single
        self._unpacked: Raw | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return _three(self.header.shape, self._single)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.header.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        if self._unpacked is None:
            header = replace(self.header, bytes=0)
            self._unpacked = Raw(self._path, self._file(), header, self._single)
        return self._unpacked.part(frames, rows)

    def _file(self) -> IO[bytes]:
        folder = tempfile.gettempdir()
        try:
            return nameless(self._pieces(), folder)
        except OSError as error:
            raise OutputError(
                f"{printable(str(self._path))} can't be unpacked into {printable(folder)}: "
                f"{error.strerror}. Let TMPDIR name a folder with room for "
                f"{self.header.size:,} bytes."
            ) from error

    def _pieces(self) -> Iterator[bytes]:
        """The values' bytes, and no more of them than the header tells."""
        with (
            told(self._path, KIND),
            zipfile.ZipFile(self._path) as archive,
            archive.open(self._member) as file,
        ):
            if header_of(file) != self.header:  # type: ignore[arg-type]
                raise fault(self._path, "was changed while it was read.")
            left = self.header.size
            while left:
                piece = file.read(min(left, PIECE))
                if not piece:
                    raise EOFError(f"{left:,} bytes are missing")
                left -= len(piece)
                yield piece
