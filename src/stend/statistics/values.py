"""What the statistics take: any sequence of numbers; what is not finite is not a value."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
"""A one-dimensional array of float64."""


def finite(values: npt.ArrayLike) -> Floats:
    """The finite values in their order, as float64: a NaN stands for no value in a record."""
    x = np.asarray(values, dtype=np.float64).ravel()
    keep = np.isfinite(x)
    return x if keep.all() else x[keep]
