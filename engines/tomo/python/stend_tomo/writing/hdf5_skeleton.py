"""An HDF5 file with all but the values of its large arrays, whose places are told.

It is laid out in memory, and the arrays' values are written into the file without the library: on
a full disk that can neither close the file nor be used again in the process. Nothing but values is
written after the beginning, so that who is killed leaves a sound file.
"""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import DTypeLike

from stend_tomo.libraries import library


class Sparse(io.RawIOBase):
    """A file in memory that keeps only the pieces that were written, wherever they are."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[tuple[int, bytes]] = []
        self._place = 0

    @property
    def end(self) -> int:
        """Where the last piece ends."""
        return max((place + len(piece) for place, piece in self.pieces), default=0)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place, from the beginning or the end."""
        self._place = offset + (self.end if whence == os.SEEK_END else 0)
        return self._place

    def tell(self) -> int:
        """The place."""
        return self._place

    def readinto(self, out: Any) -> int:
        """What was written there, zeros elsewhere."""
        view = memoryview(out).cast("B")
        view[:] = bytes(len(view))
        for place, piece in self.pieces:
            first, last = max(place, self._place), min(place + len(piece), self._place + len(view))
            if first < last:
                view[first - self._place : last - self._place] = piece[first - place : last - place]
        self._place += len(view)
        return len(view)

    def write(self, data: Any) -> int:
        """Keep a piece."""
        piece = bytes(data)
        self.pieces.append((self._place, piece))
        self._place += len(piece)
        return len(piece)

    def truncate(self, size: int | None = None) -> int:
        """Nothing is behind the last piece."""
        return self.end if size is None else size


def large_array(group: Any, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> Any:
    """A dataset that has its place from the beginning, one value behind the other."""
    h5py = library("h5py")
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    kind, space = h5py.h5t.py_create(dtype, logical=True), h5py.h5s.create_simple(shape)
    h5py.h5d.create(group.id, name.encode(), kind, space, layout)
    return group[name]


def write_skeleton(path: Path, describe: Callable[[Any], list[Any]]) -> list[int]:
    """Write a file; the places of its large arrays' values come back.

    Args:
        path: of the file.
        describe: puts everything into an open h5py.File and gives its large arrays.
    """
    memory = Sparse()
    with library("h5py").File(memory, "w") as file:
        arrays = describe(file)
        places = [array.id.get_offset() for array in arrays]
        ends = [place + array.nbytes for place, array in zip(places, arrays, strict=True)]
    with path.open("wb") as out:
        for place, piece in memory.pieces:
            out.seek(place)
            out.write(piece)
        out.flush()
        out.truncate(max(memory.end, *ends))
    return places
