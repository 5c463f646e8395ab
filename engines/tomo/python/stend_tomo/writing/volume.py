"""Slices → a file of any format, a slab at a time; interrupted work goes on where it ended."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import index
from pathlib import Path
from typing import Any, Protocol, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.errors import BadOption, Keyword, printable
from stend_tomo.validation import masked
from stend_tomo.writing.atomic_output import Unfinished, refusals_told

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
    """Slices being written (a Volume, as stend_tomo.scan has it)."""

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
        raise BadOption(masked("slices"), parameter="slices")
    try:
        values = np.asarray(slices)
    except (TypeError, ValueError) as error:
        raise BadOption(f"The slices are not an array: {error}.", parameter="slices") from None
    if values.dtype.kind not in "iufb":
        raise BadOption(
            f"Pixels of slices must be real numbers, not {values.dtype}.", parameter="slices"
        )
    if not labels:
        return np.ascontiguousarray(values, np.float32)
    classes = np.ascontiguousarray(values, np.uint8) if values.dtype.kind != "f" else None
    if classes is None or not np.array_equal(classes, values):
        raise BadOption(
            "Labels must be whole numbers from 0 to 255, of an integer type.", parameter="slices"
        )
    return classes


def refuse_what_integers_lack(slices: Values, first: int, format: str) -> None:
    """Raise BadOption for NaN and infinities, which integers can't stand for."""
    bad = ~np.isfinite(slices).all(axis=(1, 2))
    if bad.any():
        raise BadOption(
            f"Slice {first + int(np.argmax(bad))} holds values that are not numbers, which "
            f"{format} can't hold; TIFF, HDF5 and Zarr can."
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


LONGEST_UNIT = 32
"""Characters: DICOM has 64 for the sentence that it stands in."""

EXACT = (0.0, 255.0)
"""The window of labels: a picture's grey levels are the labels themselves."""
LEAST, MOST = 1e-8, 1e9
"""Of sides in mm and of water's attenuation: beyond, formats overflow that store their ratios."""
NARROWEST = float(np.finfo(np.float32).tiny)
"""Between black and white: smaller differences have fewer digits than a float32."""


def planned(
    target: Path,
    format: str,
    shape: Iterable[SupportsIndex],
    *,
    pixel: SupportsFloat | None,
    spacing: SupportsFloat | None,
    unit: str | None,
    window: Iterable[SupportsFloat] | None,
    bits: SupportsIndex,
    water: SupportsFloat | None,
    about: Mapping[str, str] | None,
    first: SupportsIndex,
    labels: bool,
) -> Plan:
    """Make a plan of open_volume's arguments.

    Raises:
        BadOption: they make no sense, or the format can't do with them.
    """
    if target.name in ("", ".."):
        raise BadOption(
            f"{str(target)!r} is not the name of a file or folder; give a name for the volume.",
            parameter="path",
        )
    side = _size("pixel", pixel)
    plan = Plan(
        shape=_sizes(shape),
        pixel=side,
        spacing=side if spacing is None else _size("spacing", spacing),
        unit=unit or ("class" if labels else "1/mm" if side else "1/pixel"),
        window=(EXACT if labels else None) if window is None else _window(window),
        bits=8 if labels else _whole("bits", bits),
        water=_size("water", water),
        one_file=target.suffix.lower() in (".tif", ".tiff"),
        about={printable(str(k)): printable(str(v), name=False) for k, v in (about or {}).items()},
        first=_whole("first", first),
        labels=labels,
    )
    _refuse_nonsense(plan)
    _refuse_for_format(plan, format)
    return plan


def _sizes(shape: Iterable[SupportsIndex]) -> tuple[int, int, int]:
    try:
        slices, rows, columns = map(index, shape)
    except (TypeError, ValueError):
        slices = rows = columns = 0
    if min(slices, rows, columns) < 1:
        raise BadOption(
            f"A volume is (slices, rows, columns), each 1 or more, not {shape!r:.80}.",
            parameter="shape",
        )
    return slices, rows, columns


def _whole(name: str, given: SupportsIndex) -> int:
    try:
        return index(given)
    except TypeError:
        raise BadOption(
            f"The value of {name} is {given!r:.40}; it must be a whole number.", parameter=name
        ) from None


def _number(given: SupportsFloat) -> float:
    """NaN where it is none."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _size(name: str, given: SupportsFloat | None) -> float | None:
    if given is None:
        return None
    value = _number(given)
    if not LEAST <= value <= MOST:
        raise BadOption(
            f"The value of {name} is {given!r:.40}; it must be from {LEAST:g} to {MOST:g}.",
            parameter=name,
        )
    return value


def _window(given: Iterable[SupportsFloat]) -> tuple[float, float]:
    try:
        low, high = map(_number, given)
    except (TypeError, ValueError):
        low = high = math.nan
    if not NARROWEST <= high - low < math.inf:
        raise BadOption(
            f"The window {given!r:.80} is empty: give a lower and a higher value, at least "
            f"{NARROWEST:.2g} apart.",
            parameter="window",
        )
    return low, high


def _refuse_nonsense(plan: Plan) -> None:
    if plan.spacing is not None and plan.pixel is None:
        raise BadOption(
            "A distance of slices needs the pixel size: give ", Keyword("pixel"), " as well."
        )
    if len(plan.unit) > LONGEST_UNIT or not plan.unit.isprintable() or "\\" in plan.unit:
        raise BadOption(
            f"{printable(plan.unit)[:LONGEST_UNIT]!r} is not a unit: give at most "
            f"{LONGEST_UNIT} printable characters, none of them a backslash.",
            parameter="unit",
        )
    if not 0 <= plan.first <= MOST:
        raise BadOption(
            f"The first slice can't belong to row {plan.first}; rows are counted from 0.",
            parameter="first",
        )
    if plan.bits not in (8, 16):
        raise BadOption(f"Pictures have 8 or 16 bits per pixel, not {plan.bits}.", parameter="bits")


def _refuse_for_format(plan: Plan, format: str) -> None:
    """Refuse what the format lacks, or would leave out unseen."""
    if format == "dicom" and plan.pixel is None:
        raise BadOption("DICOM needs the pixel size in mm: give it with ", Keyword("pixel"), ".")
    if format == "png" and plan.window is None:
        raise BadOption(
            "PNG needs a window, the values that are black and white: give ", Keyword("window"), "."
        )
    if plan.labels and format == "dicom":
        raise BadOption(
            "Labels cannot be written as DICOM; give another format.",
            parameter="format",
        )
    labels_rounded = plan.window is None or plan.window[0] != 0 or 255 % plan.window[1] != 0
    if plan.labels and format == "png" and labels_rounded:
        raise BadOption(
            f"The window {plan.window} would change labels; it can be 0 to 1, 3, 5, 15, 17, 51, 85 "
            "or 255.",
            parameter="window",
        )
    if plan.water is not None and format != "dicom":
        raise BadOption(
            Keyword("water"), f" is for DICOM, the only format in Hounsfield units, not {format}."
        )
    if plan.water is not None and plan.unit == "HU":
        raise BadOption(
            "Values are already in Hounsfield units: leave out ",
            Keyword("water"),
            " or ",
            Keyword("unit"),
            ".",
        )
