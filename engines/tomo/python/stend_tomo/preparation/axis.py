"""The axis of rotation of a scan: found in some of its rows, or chosen by eye or by sharpness.

`find_center` and `find_overlap` find it in rows that are prepared; here it is known which, and what
to do where they are not sure of it: slices about several axes, or the sharpest of many.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.errors import AxisNotFound, Keyword, Parameter, printable
from stend_tomo.memory import bytes_of, least_cap, usable
from stend_tomo.preparation.center import Center, bytes_finding, find_center
from stend_tomo.preparation.slabs import floats_of
from stend_tomo.preparation.stitching import find_overlap
from stend_tomo.reconstruction import reconstruct
from stend_tomo.validation import positive, real

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from stend_tomo.preparation.steps import Preparation, Tally
    from stend_tomo.scan import Scan

ROWS = 5
"""Rows that the axis is found in: the noise of several averages out, and few are read fast."""
LEAST_TURN = 0.94 * math.pi
"""Radians, some 169°. From less an axis can't be found: hardly a direction has its opposite."""


def found_axis(
    scan: "Scan",
    prepare: "Preparation | Tally",
    row: int,
    half_acquisition: bool = False,
    memory: str | None = None,
) -> Center:
    """Find the axis in some rows around one: as many as fit under the cap on memory.

    Raises:
        AxisNotFound: the angles cover too little of a turn, or memory is too little.
    """
    angles = scan.angles
    assert angles is not None, "require_angles comes first"
    covered = float(angles.max() - angles.min())
    covered += covered / max(1, len(angles) - 1)  # to where the next projection would be
    if covered < LEAST_TURN:
        raise AxisNotFound(
            f"The angles cover {math.degrees(covered):.4g}°; finding the axis of rotation takes "
            "half a turn. Give it with ",
            Keyword("center"),
            ".",
            parameter="angles",
        )
    rows = min(ROWS, scan.projections.shape[1])
    if memory is not None:
        rows = _rows_under(memory, scan, prepare, rows)
    first = max(0, min(row - rows // 2, scan.projections.shape[1] - rows))
    find = find_overlap if half_acquisition else find_center
    return find(prepare(scan, first, first + rows), angles)


def _rows_under(memory: str, scan: "Scan", prepare: "Preparation | Tally", rows: int) -> int:
    angles, _, columns = scan.projections.shape
    finding = bytes_finding(angles, columns)
    for fewer in range(rows, 0, -1):
        needed = max(prepare.bytes(scan, fewer), 4 * angles * columns * fewer + finding)
        if needed <= usable(bytes_of(memory)):
            return fewer
    raise AxisNotFound(
        f"Finding the axis of rotation takes {least_cap(needed):,} bytes, and with ",
        Keyword("memory", printable(memory)),
        " there are fewer; give it with ",
        Keyword("center"),
        ", as `stend-tomo center` finds it, or more.",
    )


Slices = Callable[["NDArray[np.float32]", float], "NDArray[np.float32]"]
"""What reconstructs projections about an axis: (projections, center) → (rows, size, size)."""
SHARP = 0.02
"""Detector pixels that an axis found by sharpness may be off."""


def pictures(
    projections: "ArrayLike",
    angles: "ArrayLike",
    centers: Sequence[float],
    *,
    slices: Slices | None = None,
) -> "NDArray[np.float32]":
    """Reconstruct the first row about each of several axes: (centers, size, size).

    With the wrong axis, points become half moons, and edges are doubled.

    Args:
        projections: line integrals, (angles, rows, columns); one row is enough.
        angles: radians, one per projection.
        centers: detector pixels.
        slices: another reconstruction than `stend_tomo.reconstruct` by its default.

    Raises:
        BadProjections, BadAngles, BadOption: as `stend_tomo.reconstruct`.
    """
    row = floats_of(projections)[:, :1]
    make = slices or _by_default(angles)
    return np.concatenate(
        [make(row, real(center, Parameter("centers", "An axis"))) for center in centers]
    )


def sharpen_center(
    projections: "ArrayLike",
    angles: "ArrayLike",
    start: float,
    reach: float = 2,
    *,
    slices: Slices | None = None,
) -> float:
    """Refine an axis by reconstructing: the right one has the least sum of absolute values.

    Half moons of the wrong axis are positive and negative, where there was nothing, and the sum of
    a slice is the same for every axis (Donath, Beckmann, Schreyer, Journal of the Optical Society
    of America A 23(5), 2006, Q_IA). Takes some twenty slices; for samples inside the field of view.

    Args:
        projections: line integrals, (angles, rows, columns); all rows count together.
        angles: radians, one per projection.
        start: the axis so far, detector pixels.
        reach: how far to look on either side of it.
        slices: another reconstruction than `stend_tomo.reconstruct` by its default.

    Raises:
        BadProjections, BadAngles, BadOption: as `stend_tomo.reconstruct`.
    """
    rows = floats_of(projections)
    middle = real(start, Parameter("start", "The axis to start from"))
    far = positive(reach, Parameter("reach", "How far to look for the axis"))
    make = slices or _by_default(angles)

    def blur(center: float) -> float:
        return float(np.abs(make(rows, center)).sum(dtype=np.float64))

    coarse = np.linspace(middle - far, middle + far, 9)
    best = float(coarse[np.argmin([blur(center) for center in coarse])])
    step = far / 4
    return _least(blur, best - step, best + step)


def _least(of: Callable[[float], float], low: float, high: float) -> float:
    """Give where a function is least, to SHARP, by the golden section."""
    share = (math.sqrt(5) - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = of(left), of(right)
    while high - low > 2 * SHARP:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = of(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = of(right)
    return (low + high) / 2


def _by_default(angles: "ArrayLike") -> Slices:
    def make(projections: "NDArray[np.float32]", center: float) -> "NDArray[np.float32]":
        return np.asarray(reconstruct(projections, angles, center=center), np.float32)

    return make
