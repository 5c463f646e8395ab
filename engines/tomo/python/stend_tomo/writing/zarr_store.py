"""Slices → Zarr (format 3) as OME-Zarr 0.5 has images: the array 0 in a group, a chunk a slice.

Chunks are not compressed: the noise of a reconstruction hardly is smaller then, and writing waits.
"""

from pathlib import Path
from typing import Any

from stend_tomo.errors import library
from stend_tomo.writing.durable_files import (
    all_there,
    synchronise_folder,
    synchronise_tree,
    write_durably,
)
from stend_tomo.writing.volume import Plan, Values, software

ARRAY = "0"


class Store:
    """A folder with one volume."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        self._path, self._plan = path, plan
        self._zarr = library("zarr")

    def begin(self) -> None:
        """Make the group and the array, without chunks."""
        plan = self._plan
        about: dict[str, Any] = {
            "unit": plan.unit,
            "about": dict(plan.about),
            "software": software(),
        }
        if plan.pixel:
            about |= {"pixel_mm": plan.pixel, "spacing_mm": plan.spacing}
        if plan.window:
            about["window"] = plan.window
        group = self._zarr.open_group(
            str(self._path), mode="w-", attributes={"ome": _ome(plan), **about}
        )
        group.create_array(
            ARRAY,
            shape=plan.shape,
            chunks=(1, *plan.shape[1:]),
            dtype=plan.dtype.name,
            compressors=None,
            serializer=self._zarr.codecs.BytesCodec(endian="little"),
            fill_value=0 if plan.labels else float("nan"),
            dimension_names=("z", "y", "x"),
        )
        synchronise_tree(self._path)

    def holds(self, written: int) -> bool:
        """Whether the group, the array and a chunk for each slice are there."""
        array = self._path / ARRAY
        chunks = (array / "c" / str(number) / "0/0" for number in range(written))
        return all_there((self._path / "zarr.json", array / "zarr.json", *chunks))

    def put(self, first: int, slices: Values) -> None:
        """Write slices, each a file, which the library would leave out where all are NaN."""
        chunks = self._path / ARRAY / "c"
        for number, values in enumerate(slices, first):
            row = chunks / str(number) / "0"
            row.mkdir(parents=True, exist_ok=True)
            write_durably(row / "0", values.astype(self._plan.dtype, copy=False).tobytes())
            synchronise_folder(row)
            synchronise_folder(row.parent)
        synchronise_folder(chunks)
        synchronise_folder(chunks.parent)


def _ome(plan: Plan) -> dict[str, Any]:
    """https://ngff.openmicroscopy.org/0.5: axes, the distance of slices, the side of a pixel."""
    unit = {"unit": "millimeter"} if plan.pixel else {}
    axes = [{"name": name, "type": "space", **unit} for name in "zyx"]
    scale = {"type": "scale", "scale": [plan.spacing or 1.0, *[plan.pixel or 1.0] * 2]}
    levels = [{"path": ARRAY, "coordinateTransformations": [scale]}]
    return {"version": "0.5", "multiscales": [{"axes": axes, "datasets": levels}]}
