"""Phantoms as ellipsoids, and those that have names.

A phantom lies in [-1, 1], half the field of view being 1; x to the right, y upwards, z along the
axis of rotation, upwards. Its attenuation at a point is the sum of the values of the ellipsoids
that the point is in.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from stend_tomo import native
from stend_tomo.errors import BadOption


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """What is inside it has this value more."""

    value: float
    a: float
    """Semi-axes, before it is turned along x, y and z."""
    b: float
    c: float
    """May be infinite, an upright cylinder: for phantoms of two dimensions."""
    x: float = 0
    """The middle."""
    y: float = 0
    z: float = 0
    phi: float = 0
    """Radians, counter-clockwise about z; then theta about the new x, psi about the new z."""
    theta: float = 0
    psi: float = 0


Phantom = Sequence[Ellipsoid]


def phantoms() -> list[str]:
    """Names that `phantom` knows."""
    return native.phantoms()


def phantom(name: str) -> tuple[Ellipsoid, ...]:
    """Give the ellipsoids of a phantom.

    - ``shepp-logan``: the head in two dimensions; the skull 2, the brain 1.02 (Shepp and Logan,
      IEEE Transactions on Nuclear Science 21, 1974, table I; Kak and Slaney, Principles of
      Computerized Tomographic Imaging, 1988, table 3.1).
    - ``modified-shepp-logan``: the same ellipses in the contrast of Toft (The Radon Transform,
      1996, pages 199-200); the skull 1, the brain 0.2.
    - ``shepp-logan-3d``: the head in three dimensions (Kak and Slaney 1988, table 3.2).
    - ``modified-shepp-logan-3d``: the same ellipses as in two dimensions with a third axis, two of
      them turned further, in Toft's contrast (Schabel, phantom3d, MATLAB Central 9416, 2006).
    - ``may-beetle``: some 140 ellipsoids of our own: shells, limbs and organs, from half the field
      of view down to a pixel of 1175; nowhere negative, at most 1.6.

    Raises:
        BadOption: there is no phantom of that name.
    """
    try:
        return tuple(Ellipsoid(*row) for row in native.phantom(name).tolist())
    except ValueError as error:
        raise BadOption(str(error)) from None


def table(phantom: Phantom) -> NDArray[np.float64]:
    """Give one row an ellipsoid, as the compiled part takes them."""
    return np.array([astuple(each) for each in phantom], np.float64).reshape(-1, 10)
