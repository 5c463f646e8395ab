"""How far slices are from the truth."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def circle(size: int) -> NDArray[np.bool_]:
    """Pixels whose middles are at most half a slice's side from its middle: what every ray saw."""
    offsets = np.arange(size) - (size - 1) / 2
    distance: NDArray[np.float64] = np.hypot(offsets, offsets[:, None])
    return distance <= size / 2


def rmse(slices: ArrayLike, exact: ArrayLike) -> float:
    """Give the root of the mean squared difference inside the circle.

    Args:
        slices: (n, n) or (slices, n, n), in the phantom's values.
        exact: What they should be, of the same shape.

    Raises:
        ValueError: the shapes differ, or slices are not square.
    """
    found, true = np.asarray(slices, np.float64), np.asarray(exact, np.float64)
    if found.shape != true.shape or found.ndim < 2 or found.shape[-1] != found.shape[-2]:
        raise ValueError(
            f"Slices of shape {found.shape} can't be compared with exact ones of shape "
            f"{true.shape}; both are (slices, n, n)."
        )
    inside = circle(found.shape[-1])
    return float(np.sqrt(np.mean(np.square(found - true)[..., inside])))
