"""Slices → a file of any format, a slab at a time; interrupted work goes on where it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.errors import BadOption
from stend_tomo.text import printable
from stend_tomo.validation import masked
from stend_tomo.writing.unfinished import Unfinished, refusals_told

Values = NDArray[np.float32] | NDArray[np.uint8]
"""Of slices as formats get them, by their plan; rows follow on each other."""


@cache
def software() -> str:
    """Give what every format says it was written by."""
    from importlib.metadata import version

    return f"stend-tomo {version('stend-tomo')}"


@dataclass(frozen=True)
class Plan:
    """What is to be written: all that a format needs to know before the first slice."""

    shape: tuple[int, int, int]
    """Slices, rows, columns."""
    pixel: float | None
    """Side of a pixel in mm."""
    spacing: float | None
    """Distance of slices in mm; known where the pixel's side is."""
    unit: str
    """Of the values: 1/mm, or 1/pixel where the pixel's side isn't known."""
    window: tuple[float, float] | None
    """What is shown: the values that are black and white."""
    bits: int
    """Of a pixel, where a format has a choice."""
    water: float | None
    """Attenuation of water in the unit of the values: with it, DICOM has Hounsfield units."""
    one_file: bool
    """Whether all slices go into one file, where a format has a choice."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else is written where the format has a place for it: sample, instrument, date."""
    first: int = 0
    """The detector's row that the first slice is of, where formats tell the slices' places."""
    labels: bool = False
    """Whether values are classes of pixels, 0 to 255."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a value, as formats without a choice of their own keep it."""
        return np.dtype("u1" if self.labels else "<f4")


class Output(Protocol):
    """One format: makes a file or a folder, and puts slices into it."""

    def begin(self) -> None:
        """Make it, without slices, and leave nothing in memory only."""

    def holds(self, written: int) -> bool:
        """Whether what `begin` made and the slices before `written` are there still."""

    def put(self, first: int, slices: Values) -> None:
        """Write slices `first` …; they are on the disk when it returns."""


class WrittenVolume:
    """Slices being written (a Volume, as stend_tomo.volume has it)."""

    def __init__(self, place: Unfinished, output: Output, plan: Plan) -> None:
        self._place, self._output, self._plan = place, output, plan

    @property
    def shape(self) -> tuple[int, int, int]:
        """Slices, rows, columns."""
        return self._plan.shape

    @property
    def unit(self) -> str:
        """What its files say of the values."""
        return self._plan.unit

    @property
    def pixel(self) -> float | None:
        """What its files say of a pixel's side, in mm."""
        return self._plan.pixel

    @property
    def written(self) -> int:
        """How many slices are on the disk, from the first on."""
        return self._place.written

    def write(self, first: int, slices: ArrayLike) -> None:
        """Write slices `first` … (slices, rows, columns); `first` is `written`.

        Raises:
            BadOption: they don't follow on those that are there, are of another size, the format
                can't hold their values, or a later call has begun to write this volume.
            OutputError: they can't be written; what was written before stays.
        """
        with self._place.turn(), refusals_told(self._place.target):
            values = values_of(slices, self._plan.labels)
            last = first + len(values) if values.ndim == 3 else 0
            if first != self.written or last > self.shape[0] or values.shape[1:] != self.shape[1:]:
                raise BadOption(
                    f"Slices of shape {values.shape} can't go to place {first}: "
                    f"{self.written} of {self.shape} are written."
                )
            if last == first:
                return
            self._output.put(first, values)
            self._place.record(last)

    def finish(self) -> None:
        """Give it its name.

        Raises:
            BadOption: slices are missing, or something has taken the name meanwhile.
            OutputError: it can't be renamed.
        """
        if self.written != self.shape[0]:
            raise BadOption(
                f"{self.written} of {self.shape[0]} slices are written; "
                f"{printable(str(self._place.target))} is not finished."
            )
        with self._place.turn(), refusals_told(self._place.target):
            self._place.take_place()


def values_of(slices: ArrayLike, labels: bool = False) -> Values:
    """Give slices as float32, or labels as bytes; a sentence where something would be lost."""
    if np.ma.is_masked(slices):
        raise BadOption(masked("slices"))
    try:
        values = np.asarray(slices)
    except (TypeError, ValueError) as error:
        raise BadOption(f"The slices are no array: {error}.") from None
    if values.dtype.kind not in "iufb":
        raise BadOption(f"Pixels of slices are real numbers, not {values.dtype}.")
    if not labels:
        return np.ascontiguousarray(values, np.float32)
    classes = np.ascontiguousarray(values, np.uint8) if values.dtype.kind != "f" else None
    if classes is None or not np.array_equal(classes, values):
        raise BadOption("Labels are whole numbers from 0 to 255, of an integer type.")
    return classes


def refuse_what_integers_lack(slices: Values, first: int, format: str) -> None:
    """Raise BadOption for NaN and infinities, which integers can't stand for."""
    bad = ~np.isfinite(slices).all(axis=(1, 2))
    if bad.any():
        raise BadOption(
            f"Slice {first + int(np.argmax(bad))} holds values that are no numbers, which {format} "
            "can't hold; TIFF, HDF5 and Zarr can."
        )


def as_json(plan: Plan, format: str) -> dict[str, Any]:
    """A plan for the journal."""
    return {
        "format": format,
        "shape": list(plan.shape),
        "pixel": plan.pixel,
        "spacing": plan.spacing,
        "unit": plan.unit,
        "window": list(plan.window) if plan.window else None,
        "bits": plan.bits,
        "water": plan.water,
        "one_file": plan.one_file,
        "about": dict(plan.about),
        "first": plan.first,
    } | ({"labels": True} if plan.labels else {})
