"""One slice for several axes of rotation: to choose by eye, or by how sharp it is."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stend.tomo.given import positive, real
from stend.tomo.preparation.slabs import floats_of
from stend.tomo.reconstruction import reconstruct

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Slices = Callable[["NDArray[np.float32]", float], "NDArray[np.float32]"]
"""What reconstructs projections about an axis: (projections, center) → (rows, size, size)."""


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
        angles: radians, one a projection.
        centers: detector pixels.
        slices: another reconstruction than `stend.tomo.reconstruct` by its default.

    Raises:
        BadProjections, BadAngles, BadOption: as `stend.tomo.reconstruct`.
    """
    row = floats_of(projections)[:, :1]
    make = slices or _by_default(angles)
    return np.concatenate([make(row, real(center, "An axis")) for center in centers])


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
        angles: radians, one a projection.
        start: the axis so far, detector pixels.
        reach: how far to look on either side of it.
        slices: another reconstruction than `stend.tomo.reconstruct` by its default.

    Raises:
        BadProjections, BadAngles, BadOption: as `stend.tomo.reconstruct`.
    """
    from scipy import optimize  # 50 ms that a preview of a slice has no use for

    rows = floats_of(projections)
    middle = real(start, "The axis to start from")
    far = positive(reach, "How far to look for the axis")
    make = slices or _by_default(angles)

    def blur(center: float) -> float:
        return float(np.abs(make(rows, center)).sum(dtype=np.float64))

    coarse = np.linspace(middle - far, middle + far, 9)
    best = float(coarse[np.argmin([blur(center) for center in coarse])])
    step = far / 4
    found = optimize.minimize_scalar(
        blur, bounds=(best - step, best + step), method="bounded", options={"xatol": 0.02}
    )
    return float(found.x)


def _by_default(angles: "ArrayLike") -> Slices:
    def make(projections: "NDArray[np.float32]", center: float) -> "NDArray[np.float32]":
        return np.asarray(reconstruct(projections, angles, center=center), np.float32)

    return make
