"""A plane of values as the page gets it, and how a volume is made smaller."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Plane:
    """An image, and where its pixels are in the full scan or volume."""

    values: "NDArray[np.float32]"
    step: int = 1
    """Pixels of the full plane to one of this, along a side."""
    origin: tuple[float, float] = (0.0, 0.0)
    """Row and column, in the full plane, of the middle of this one's pixel (0, 0)."""


def averaged(values: "NDArray[Any]", steps: tuple[int, int, int]) -> "NDArray[np.float32]":
    """Give means of boxes of steps[0] × steps[1] × steps[2]; what fills no box is left out."""
    counts = [size // step for size, step in zip(values.shape, steps, strict=True)]
    whole = tuple(slice(count * step) for count, step in zip(counts, steps, strict=True))
    means: NDArray[np.float32] = values[whole].astype(np.float32, copy=False)
    for axis, (count, step) in enumerate(zip(counts, steps, strict=True)):
        sides = (*means.shape[:axis], count, step, *means.shape[axis + 1 :])
        if step > 1:  # an axis after the other, the slowest first: twice as fast as all at once
            means = means.reshape(sides).mean(axis=axis + 1, dtype=np.float32)
    return means


def checked(index: int, count: int, what: str) -> int:
    """Give an index back that lies within; else a sentence."""
    if not 0 <= index < count:
        raise BadOption(f"There is no {what} {index}: there are {count}, counted from 0.")
    return index
