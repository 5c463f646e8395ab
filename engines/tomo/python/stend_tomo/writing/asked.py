"""What callers ask of a volume, in Python's numbers or NumPy's → a Plan, or a sentence."""

import math
from collections.abc import Iterable, Mapping
from operator import index
from pathlib import Path
from typing import SupportsFloat, SupportsIndex

import numpy as np

from stend_tomo.errors import BadOption
from stend_tomo.text import printable
from stend_tomo.writing.volume import Plan

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
        raise BadOption(f"{str(target)!r} names no file or folder; give a name for the volume.")
    side = _size("pixel", pixel)
    plan = Plan(
        shape=_sizes(shape),
        pixel=side,
        spacing=side if spacing is None else _size("spacing", spacing),
        unit=unit or _unit(side, labels),
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


def _unit(side: float | None, labels: bool) -> str:
    if labels:
        return "class"
    return "1/mm" if side else "1/pixel"


def _sizes(shape: Iterable[SupportsIndex]) -> tuple[int, int, int]:
    try:
        slices, rows, columns = map(index, shape)
    except (TypeError, ValueError):
        slices = rows = columns = 0
    if min(slices, rows, columns) < 1:
        raise BadOption(f"A volume is (slices, rows, columns), each 1 or more, not {shape!r:.80}.")
    return slices, rows, columns


def _whole(name: str, given: SupportsIndex) -> int:
    try:
        return index(given)
    except TypeError:
        raise BadOption(f"The value of {name} is {given!r:.40}; it is a whole number.") from None


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
            f"The value of {name} is {given!r:.40}; it must be from {LEAST:g} to {MOST:g}."
        )
    return value


def _window(given: Iterable[SupportsFloat]) -> tuple[float, float]:
    try:
        low, high = map(_number, given)
    except (TypeError, ValueError):
        low = high = math.nan
    if not NARROWEST <= high - low < math.inf:
        raise BadOption(
            f"The window {given!r:.80} is none: give a lower and a higher value, at least "
            f"{NARROWEST:.2g} apart."
        )
    return low, high


def _refuse_nonsense(plan: Plan) -> None:
    if plan.spacing is not None and plan.pixel is None:
        raise BadOption("A distance of slices needs the side of a pixel: give pixel= as well.")
    if len(plan.unit) > LONGEST_UNIT or not plan.unit.isprintable() or "\\" in plan.unit:
        raise BadOption(
            f"{printable(plan.unit)[:LONGEST_UNIT]!r} can't be a unit: give at most "
            f"{LONGEST_UNIT} printable characters, none of them a backslash."
        )
    if not 0 <= plan.first <= MOST:
        raise BadOption(f"The first slice can't be of row {plan.first}; rows are counted from 0.")
    if plan.bits not in (8, 16):
        raise BadOption(f"Pictures have 8 or 16 bits a pixel, not {plan.bits}.")


def _refuse_for_format(plan: Plan, format: str) -> None:
    """Refuse what the format lacks, or would leave out unseen."""
    if format == "dicom" and plan.pixel is None:
        raise BadOption("DICOM needs the side of a pixel in mm: give it with pixel=.")
    if format == "png" and plan.window is None:
        raise BadOption("PNG needs a window, the values that are black and white: give window=.")
    if plan.labels and format == "dicom":
        raise BadOption("DICOM keeps classes of pixels in another way; give another format.")
    if plan.labels and format == "png" and not _keeps_labels(plan.window):
        raise BadOption(
            f"The window {plan.window} would spoil labels; it may be 0 to 1, 3, 5, 15, 17, 51, 85 "
            "or 255."
        )
    if plan.water is not None and format != "dicom":
        raise BadOption(f"water= is for DICOM, the only format in Hounsfield units, not {format}.")
    if plan.water is not None and plan.unit == "HU":
        raise BadOption("Values in HU are Hounsfield units already: leave out water= or unit=.")


def _keeps_labels(window: tuple[float, float] | None) -> bool:
    """Whether whole numbers become grey levels of a byte each, without rounding."""
    return window is not None and window[0] == 0 and 255 % window[1] == 0
