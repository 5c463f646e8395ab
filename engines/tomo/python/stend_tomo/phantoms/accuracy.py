"""How far slices are from the truth."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.errors import BadOption

MARGIN = 10.0
"""Pixels that are left out along the circle."""


def circle(size: int, margin: float = MARGIN) -> NDArray[np.bool_]:
    """Pixels whose middles lie inside the circle in a slice's square, `margin` pixels or more."""
    offsets = np.arange(size) - (size - 1) / 2
    distance: NDArray[np.float64] = np.hypot(offsets, offsets[:, None])
    return distance <= size / 2 - margin


def seen(size: int) -> NDArray[np.bool_]:
    """Pixels whose values stand for a slice's: inside the circle, by as much as its size allows."""
    return circle(size, min(MARGIN, size // 4))


def rmse(slices: ArrayLike, exact: ArrayLike, *, margin: float = MARGIN) -> float:
    """Give the root of the mean squared difference inside the circle.

    Every ray crosses the circle; along its very edge the detector ends within the reach of filters
    and interpolation, and few projections stand for long arcs, so a margin is left out.

    Args:
        slices: (n, n) or (slices, n, n), in the phantom's values.
        exact: What they should be, of the same shape.
        margin: Pixels; figures of accuracy that name no margin have 10.

    Raises:
        BadOption: the shapes differ, slices are not square, or there is nothing inside.
    """
    found, true = np.asarray(slices, np.float64), np.asarray(exact, np.float64)
    if found.shape != true.shape or found.ndim < 2 or found.shape[-1] != found.shape[-2]:
        raise BadOption(
            f"Slices of shape {found.shape} can't be compared with exact ones of shape "
            f"{true.shape}; both are (slices, n, n)."
        )
    inside = circle(found.shape[-1], margin)
    if not inside.any():
        raise BadOption(
            f"Slices of {found.shape[-1]} pixels a side have none {margin:g} inside the circle."
        )
    return float(np.sqrt(np.mean(np.square(found - true)[..., inside])))
