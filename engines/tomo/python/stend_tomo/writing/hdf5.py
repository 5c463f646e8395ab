"""Slices → HDF5, as NeXus has images: /entry/reconstruction/slices, one behind the other.

It is laid out in memory, and the arrays' values are written into the file without the library: on
a full disk that can neither close the file nor be used again in the process. Nothing but values is
written after the beginning, so that who is killed leaves a sound file.

Values are float32, labels bytes. The file is laid out at the beginning; later nothing but values is
written (hdf5_skeleton.py).
"""

import io
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from stend_tomo.errors import library
from stend_tomo.writing.durable_files import is_whole, synchronise, write_at
from stend_tomo.writing.volume import Plan, Values, software


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


class Dataset:
    """A file with one volume."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        self._path, self._plan, self._kept = path, plan, kept

    def begin(self) -> None:
        """Make the file with all but the values in it."""
        (self._kept["offset"],) = write_skeleton(self._path, self._describe)
        self._kept["bytes"] = self._path.stat().st_size
        synchronise(self._path)

    def holds(self, written: int) -> bool:
        """Whether the file is as long as it was laid out."""
        return is_whole(self._path, self._kept.get("bytes"))

    def _describe(self, file: Any) -> list[Any]:
        plan = self._plan
        now = datetime.now(UTC).isoformat(timespec="seconds")
        file.attrs.update({"default": "entry", "creator": software(), "file_time": now})
        entry = _group(file, "entry", "NXentry", default="reconstruction")
        images = _group(entry, "reconstruction", "NXdata", signal="slices")
        slices = large_array(images, "slices", plan.shape, plan.dtype)
        slices.attrs["units"] = plan.unit
        if plan.window:
            slices.attrs["window"] = plan.window
        if plan.pixel and plan.spacing:
            slices.attrs.update({"pixel_mm": plan.pixel, "spacing_mm": plan.spacing})
            images.attrs["axes"] = ["z", "y", "x"]
            slices_, rows, columns = plan.shape
            images["z"] = (plan.first + np.arange(slices_)) * plan.spacing
            images["y"] = ((rows - 1) / 2 - np.arange(rows)) * plan.pixel
            images["x"] = (np.arange(columns) - (columns - 1) / 2) * plan.pixel
            for axis in "zyx":
                images[axis].attrs["units"] = "mm"
        if plan.about:
            _group(entry, "about", "NXcollection").attrs.update(plan.about)
        return [slices]

    def put(self, first: int, slices: Values) -> None:
        """Write slices at their places."""
        write_at(
            self._path,
            self._kept["offset"] + first * slices[0].nbytes,
            slices.astype(self._plan.dtype, copy=False),
        )


def _group(parent: Any, name: str, kind: str, **attributes: str) -> Any:
    group = parent.create_group(name)
    group.attrs.update({"NX_class": kind, **attributes})
    return group
