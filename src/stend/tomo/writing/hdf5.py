"""Slices → HDF5, as NeXus has images: /entry/reconstruction/slices, chunks of one slice, float32.

All chunks have their places from the beginning, so that nothing but pixels is written later: who
is killed while a slice is written leaves a sound file.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend.tomo.libraries import library
from stend.tomo.writing.unfinished import synchronise
from stend.tomo.writing.volume import Plan

SLICES = "entry/reconstruction/slices"


class Dataset:
    """A file with one volume."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        self._path, self._plan = path, plan
        self._h5py = library("h5py")

    def begin(self) -> None:
        """Make the file with all but the pixels in it."""
        with self._h5py.File(self._path, "w") as file:
            entry = _group(file, "entry", "NXentry", default="reconstruction")
            file.attrs["default"] = "entry"
            images = _group(entry, "reconstruction", "NXdata", signal="slices")
            self._make_dataset(images)
            self._describe(entry, images)
        synchronise(self._path)

    def _make_dataset(self, images: Any) -> None:
        h5p, h5d, shape = self._h5py.h5p, self._h5py.h5d, self._plan.shape
        layout = h5p.create(h5p.DATASET_CREATE)
        layout.set_chunk((1, *shape[1:]))
        layout.set_alloc_time(h5d.ALLOC_TIME_EARLY)
        layout.set_fill_time(h5d.FILL_TIME_NEVER)
        space = self._h5py.h5s.create_simple(shape)
        h5d.create(images.id, b"slices", self._h5py.h5t.IEEE_F32LE, space, layout)

    def _describe(self, entry: Any, images: Any) -> None:
        plan, slices = self._plan, images["slices"]
        slices.attrs["units"] = plan.unit
        if plan.window:
            slices.attrs["window"] = plan.window
        if plan.pixel:
            slices.attrs["pixel_mm"] = plan.pixel
            images.attrs["axes"] = ["z", "y", "x"]
            for axis, length in zip("zyx", plan.shape, strict=True):
                images[axis] = np.arange(length) * plan.pixel
                images[axis].attrs["units"] = "mm"
        if plan.about:
            _group(entry, "about", "NXcollection").attrs.update(plan.about)

    def put(self, first: int, slices: NDArray[np.float32]) -> None:
        """Write slices, past HDF5's own cache: what the disk refuses is then told here."""
        with self._h5py.File(self._path, "r+", rdcc_nbytes=0) as file:
            file[SLICES][first : first + len(slices)] = slices
        synchronise(self._path)


def _group(parent: Any, name: str, kind: str, **attributes: str) -> Any:
    group = parent.create_group(name)
    group.attrs.update({"NX_class": kind, **attributes})
    return group
