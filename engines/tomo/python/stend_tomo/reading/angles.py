"""Angles and lengths, as files and users give them → radians and mm."""

import math
import re
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.errors import BadOption, Keyword, printable
from stend_tomo.reading.limits import SMALL, fault, told

LENGTHS = {
    "nm": 1e-6, "nanometer": 1e-6, "nanometre": 1e-6,
    "um": 1e-3, "µm": 1e-3, "μm": 1e-3, "micron": 1e-3, "micrometer": 1e-3, "micrometre": 1e-3,
    "mm": 1.0, "millimeter": 1.0, "millimetre": 1.0,
    "cm": 10.0, "centimeter": 10.0, "centimetre": 10.0,
    "m": 1000.0, "meter": 1000.0, "metre": 1000.0,
    "inch": 25.4, "in": 25.4,
}  # fmt: skip
ANGLES = {
    "deg": math.pi / 180, "degree": math.pi / 180, "degrees": math.pi / 180, "°": math.pi / 180,
    "rad": 1.0, "radian": 1.0, "radians": 1.0,
}  # fmt: skip


def millimetres(value: float, unit: str) -> float | None:
    """A length in mm; None when its unit isn't known or it is no length."""
    name = unit.strip()
    scale = LENGTHS.get(name) or LENGTHS.get(name.lower()) or LENGTHS.get(name.lower().rstrip("s"))
    if scale is None or not (math.isfinite(value) and value > 0):
        return None
    return value * scale


def radians_per(unit: str) -> float | None:
    """How many radians one of this unit is; None when it isn't known."""
    return ANGLES.get(unit.strip().lower())


Angles: TypeAlias = str | Path | tuple[float, float, int] | ArrayLike
"""A file of angles; (first, last, how many), both ends included; or one angle a projection. All in
radians, but a file's, which are in degrees unless it, or :rad behind its name, says otherwise."""
SMALLEST = 4 * np.pi * (1 + 1e-6)
"""Degrees, or radians of two turns: a file of nothing larger has to say which of them it has."""
LARGEST = 30 * SMALL
"""Bytes of a list of angles."""
UNITS = re.compile(r"\b(?:rad(?:ians?)?|deg(?:rees?)?)\b|°")
"""In the heading of a list of angles."""
ALIKE = 1e-9
"""Radians between angles that are one and the same."""


def given_angles(angles: Angles, count: int) -> NDArray[np.float64]:
    """What the user gave, for `count` projections.

    Raises:
        BadOption: of another number, or no numbers.
        ScanFileError: the file of angles can't be read.
    """
    if isinstance(angles, str | Path):
        return _counted(angles_in(angles), count, printable(str(angles)))
    if isinstance(angles, tuple) and len(angles) == 3 and isinstance(angles[2], int):
        first, last, number = angles
        if number != count:
            raise BadOption(
                f"There are {count} projections, and angles for {number} were given.",
                parameter="angles",
            )
        return _counted(np.linspace(first, last, count), count, "What was given")
    try:
        values = np.asarray(angles, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadOption(
            "Angles must be numbers, one a projection, in radians.", parameter="angles"
        ) from error
    return _counted(values, count, "What was given")


def _counted(angles: NDArray[np.float64], count: int, whose: str) -> NDArray[np.float64]:
    if why := objection(angles, count):
        raise BadOption(f"{whose}: {why}.", parameter="angles")
    return angles


def objection(angles: NDArray[np.float64], count: int) -> str | None:
    """Why these can't be the angles of `count` projections; None when they can."""
    if angles.ndim != 1 or len(angles) != count:
        return f"{angles.size:,} angles for {count:,} projections; there must be one of each"
    if not np.isfinite(angles).all():
        where = int(np.argmin(np.isfinite(angles)))
        return f"the angle of projection {where} is {angles[where]}, which is no number"
    if count > 1 and np.ptp(angles) < ALIKE:
        return f"all {count:,} angles are {angles[0]:g}"
    return None


def file_of(named: str | Path) -> tuple[Path, float | None]:
    """The file of `FILE`, `FILE:rad` or `FILE:deg`, and how many radians its unit is, if told."""
    name, _, unit = str(named).rpartition(":")
    radians = radians_per(unit)
    if not name or radians is None or Path(named).exists():
        return Path(named), None
    return Path(name), radians


def angles_in(named: str | Path) -> NDArray[np.float64]:
    """Angles in radians from a text, CSV or .npy file, whose unit is named, or told in its heading.

    Without either they are degrees, unless they could be radians. Of a table the last column is
    read: what stands before it numbers the lines.

    Raises:
        ScanFileError: it can't be read, or nothing tells whether it has degrees or radians.
    """
    path, unit = file_of(named)
    values, said = _stored(path)
    unit = unit or said
    if unit is None and _could_be_radians(values):
        raise fault(
            path,
            f"holds angles up to {np.abs(values).max(initial=0):.4g} without saying whether these "
            f"are radians: name it {printable(path.name)}:rad, or {printable(path.name)}:deg for "
            "degrees.",
        )
    return values * (math.pi / 180 if unit is None else unit)


def _could_be_radians(values: NDArray[np.float64]) -> bool:
    """Whether no angle is so large that it has to be degrees; nothing but zeros are in any unit."""
    return bool(0 < np.abs(values).max(initial=0) <= SMALLEST)


def told_angles(
    path: Path, place: str, values: NDArray[np.float64], unit: str
) -> NDArray[np.float64]:
    """Angles in radians that a scan's file has itself.

    Args:
        path: what the error names.
        place: where in the file they are.
        values: as they stand there.
        unit: its name; where it is empty they are degrees, unless they could be radians.

    Raises:
        ScanFileError: the unit isn't known, or has to be.
    """
    scale = radians_per(unit or "degrees")
    if scale is None:
        shown = printable(unit)[:100]
        raise fault(path, f"has angles in {shown}; only degrees and radians are known.")
    if not unit and _could_be_radians(values):
        raise fault(
            path,
            f"has angles up to {np.abs(values).max(initial=0):.4g} at {place} and no units there, "
            "so they could be radians as well as degrees: add its attribute units, or give the "
            "angles with ",
            Keyword("angles"),
            ".",
        )
    return values * scale


def _stored(path: Path) -> tuple[NDArray[np.float64], float | None]:
    """The angles as they stand in a file, and how many radians its unit is, if it says so."""
    with told(path, "a list of angles"):
        if path.stat().st_size > LARGEST:
            raise fault(path, "is too large for a list of angles.")
        if path.suffix.lower() == ".npy":
            stored: NDArray[np.float64] = np.load(path, allow_pickle=False).astype(np.float64)
            return stored, None
        lines = [line.strip() for line in _text(path).splitlines()]
        words = [line.replace(",", " ").replace(";", " ").split() for line in lines if line]
        heading = [line for line in words if line[0].startswith("#") or not _is_number(line[-1])]
        values = np.array([float(line[-1]) for line in words[len(heading) :]])
        if not len(values) or heading != words[: len(heading)]:
            raise fault(path, "is not a list of angles: give one number per line, in degrees.")
        said = " ".join(word for line in heading for word in line)
        units = {radians_per(unit[:3]) for unit in UNITS.findall(said.lower())}
        if len(units) > 1:
            raise fault(path, "has a heading with both radians and degrees; remove one.")
        return values, next(iter(units), None)


def _text(path: Path) -> str:
    """All of a file, or of what a pipe or a device gives, whose size nothing tells beforehand."""
    with path.open("rb") as file:
        found = file.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise fault(path, "is too large for a list of angles.")
    return found.decode()


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
