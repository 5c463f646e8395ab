"""NumPy's files → a scan: .npy, mapped into memory, and .npz with an array a name.

A member of an .npz that is not compressed is mapped as well; a compressed one is unpacked when it
is first asked for. Pickled objects are refused: unpacking them runs what their author wrote.
"""

import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from stend.tomo.reading.assembly import refuse_other_types
from stend.tomo.reading.faults import fault, told
from stend.tomo.reading.frames import Array, Chosen, Held
from stend.tomo.reading.limits import SMALL, refuse_bomb
from stend.tomo.scan import Frames, Scan

KIND = "NumPy's format"
NAMES = {
    "projections": ("projections", "data", "proj", "arr_0"),
    "angles": ("angles", "theta"),
    "flats": ("flats", "flat", "data_white"),
    "darks": ("darks", "dark", "data_dark"),
    "pixel": ("pixel",),
}
"""What is looked for in an .npz, in this order. Angles are in radians, the pixel's side in mm."""


@dataclass(frozen=True)
class Header:
    """What stands before an array's values."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]
    bytes: int


def header_of(file: BinaryIO) -> Header:
    """Read the header of an .npy file."""
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = read(file)
    return Header(shape, fortran, dtype, file.tell())


def read_npy(path: Path, limit: int | None) -> Scan:
    """A file with one array: (angles, rows, columns), or (angles, columns) of one detector row."""
    with told(path, KIND):
        return Scan(projections=Chosen.all(Held(_mapped(path, path, 0, limit))))


def _mapped(path: Path, shown: Path, offset: int, limit: int | None) -> NDArray[Any]:
    """The array that begins at `offset`, as it lies in the file."""
    with path.open("rb") as file:
        file.seek(offset)
        header = header_of(file)
    _refuse(shown, header, limit, path)
    return _three(
        np.memmap(
            path,
            header.dtype,
            mode="r",
            offset=header.bytes,
            shape=header.shape,
            order="F" if header.fortran else "C",
        )
    )


def _refuse(path: Path, header: Header, limit: int | None, stored: Path) -> None:
    if header.dtype.hasobject:
        raise fault(path, "holds Python objects; they are not read, as that would run their code.")
    refuse_other_types(path, header.dtype)
    if len(header.shape) not in (2, 3) or 0 in header.shape:
        raise fault(
            path, f"holds an array of shape {header.shape}; a scan is (angles, rows, columns)."
        )
    refuse_bomb(path, header.shape, header.dtype, limit, stored)


def _three(array: NDArray[Any]) -> NDArray[Any]:
    return array[:, np.newaxis, :] if array.ndim == 2 else array


def read_npz(path: Path, limit: int | None) -> Scan:
    """A file with several arrays; NAMES has what they are called."""
    with told(path, KIND), zipfile.ZipFile(path) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        found = {
            what: next((members[name] for name in names if name in members), None)
            for what, names in NAMES.items()
        }
        if found["projections"] is None:
            raise fault(path, "has no array named projections or data.")
        pixel = _list(path, archive, found["pixel"])
        return Scan(
            projections=_frames(path, archive, found["projections"], limit),
            angles=_list(path, archive, found["angles"]),
            flats=_frames(path, archive, found["flats"], limit) if found["flats"] else None,
            darks=_frames(path, archive, found["darks"], limit) if found["darks"] else None,
            pixel=float(pixel[0]) if pixel is not None and len(pixel) == 1 else None,
        )


def _frames(
    path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int | None
) -> Frames:
    if member.compress_type == zipfile.ZIP_STORED:
        return Chosen.all(Held(_mapped(path, path, _begin(path, member), limit)))
    with archive.open(member) as file:
        header = header_of(file)  # type: ignore[arg-type]
    _refuse(path, header, limit, path)
    return Chosen.all(Packed(path, member.filename, header))


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
    """A compressed member of an .npz: unpacked as a whole when it is first asked for."""

    def __init__(self, path: Path, member: str, header: Header) -> None:
        self._path, self._member, self._header = path, member, header
        self._array: NDArray[Any] | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        shape = self._header.shape
        return (shape[0], 1, shape[1]) if len(shape) == 2 else (shape[0], shape[1], shape[2])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self._header.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        if self._array is None:
            with told(self._path, KIND), np.load(self._path, allow_pickle=False) as archive:
                self._array = _three(archive[self._member.removesuffix(".npy")])
        return np.asarray(self._array[frames, rows])
