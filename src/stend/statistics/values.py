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


def middle(x: Floats) -> float:
    """The median of finite values, of which there must be one: `numpy.median` asks far more."""
    half = len(x) // 2
    if len(x) % 2:
        return float(np.partition(x, half)[half])
    ordered = np.partition(x, (half - 1, half))
    return float((ordered[half - 1] + ordered[half]) / 2)


def within(x: Floats, share: float) -> float:
    """The value that about so large a share of finite values doesn't exceed; there must be one."""
    place = round(share * (len(x) - 1))
    return float(np.partition(x, place)[place])


def quantile(ordered: Floats, share: float) -> float:
    """A quantile of values in order, of which there must be one, as `numpy.quantile` has it."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))
