"""Slices → HDF5, as NeXus has images: /entry/reconstruction/slices, one behind the other.

Values are float32, labels bytes. The file is laid out at the beginning; later nothing but values is
written (hdf5_skeleton.py).
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.writing.durable import synchronise, write_at
from stend_tomo.writing.hdf5_skeleton import large_array, write_skeleton
from stend_tomo.writing.present import is_whole
from stend_tomo.writing.volume import Plan, Values, software


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
        file.attrs.update({"default": "entry", "creator": software(), "file_time": _now()})
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


def _now() -> str:
    """The time as NeXus has it in a file's root."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _group(parent: Any, name: str, kind: str, **attributes: str) -> Any:
    group = parent.create_group(name)
    group.attrs.update({"NX_class": kind, **attributes})
    return group
