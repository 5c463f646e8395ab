"""Slices → TIFF in float32: one file a slice, or one file that ImageJ opens as a stack.

Labels are bytes. One file above 4 GB is a BigTIFF. Its images lie one behind the other, so that a
slice's place is known before it is written and nothing else changes then.
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import library
from stend_tomo.writing.durable_files import all_there, is_whole, synchronise, write_at, write_each
from stend_tomo.writing.volume import Output, Plan, Values, software

LARGEST_CLASSIC = 4_000_000_000
"""Bytes of pixels in a file whose offsets have 32 bits; the rest is for the descriptions."""
CENTIMETRE = 3
NAME = "slice_{:05}.tif"


def output(path: Path, plan: Plan, kept: dict[str, Any]) -> Output:
    """One file, or a file each."""
    return OneFile(path, plan, kept) if plan.one_file else FileEach(path, plan)


def _described(plan: Plan, axes: str) -> dict[str, Any]:
    """Tags: the pixel's side in cm (TIFF has no mm, and ImageJ takes the unit from both places)."""
    about: dict[str, Any] = {"axes": axes, "values": plan.unit}
    if plan.window:
        about |= {"min": plan.window[0], "max": plan.window[1]}
    if plan.about:
        about["Info"] = json.dumps(dict(plan.about))
    if not plan.pixel or not plan.spacing:
        return {"metadata": about, "software": software()}
    about |= {"unit": "cm", "spacing": plan.spacing / 10}
    return {
        "metadata": about,
        "software": software(),
        "resolution": (10 / plan.pixel, 10 / plan.pixel),
        "resolutionunit": CENTIMETRE,
    }


class FileEach:
    """A folder with one file a slice."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path, self._plan, self._tifffile = path, plan, library("tifffile")

    def begin(self) -> None:
        """Make the folder."""
        self._path.mkdir()

    def holds(self, written: int) -> bool:
        """Whether the folder has a file for each slice."""
        files = (self._path / NAME.format(number) for number in range(written))
        return self._path.is_dir() and all_there(files)

    def put(self, first: int, slices: Values) -> None:
        """Write each slice into a file of its own."""
        tags = _described(self._plan, "YX")

        def packed(_: int, values: Values) -> bytes:
            out = io.BytesIO()
            self._tifffile.imwrite(out, values, imagej=True, **tags)
            return out.getvalue()

        write_each(self._path, NAME, first, slices, packed)


class OneFile:
    """A file with all slices."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        self._path, self._plan, self._kept = path, plan, kept
        self._tifffile = library("tifffile")

    def begin(self) -> None:
        """Write all but the pixels, and remember where those go."""
        shape = self._plan.shape
        large = int(np.prod(shape, dtype=object)) * self._plan.dtype.itemsize > LARGEST_CLASSIC
        kind = {"bigtiff": True} if large else {"imagej": True}
        offset, _ = self._tifffile.imwrite(
            self._path,
            shape=shape,
            dtype=self._plan.dtype,
            byteorder="<",
            returnoffset=True,
            **kind,
            **_described(self._plan, "ZYX"),
        )
        synchronise(self._path)
        self._kept |= {"offset": offset, "bytes": self._path.stat().st_size}

    def holds(self, written: int) -> bool:
        """Whether the file is as long as it was laid out."""
        return is_whole(self._path, self._kept.get("bytes"))

    def put(self, first: int, slices: Values) -> None:
        """Write slices at their places."""
        write_at(
            self._path,
            self._kept["offset"] + first * slices[0].nbytes,
            slices.astype(self._plan.dtype, copy=False),
        )
