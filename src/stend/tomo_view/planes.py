"""A plane of values as the page gets it, and how a volume is made smaller."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stend.errors import BadValue

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
    whole = values[tuple(slice(n * step) for n, step in zip(counts, steps, strict=True))]
    sides = [side for pair in zip(counts, steps, strict=True) for side in pair]
    boxes: NDArray[np.float32] = whole.reshape(sides).mean(axis=(1, 3, 5), dtype=np.float32)
    return boxes


def checked(index: int, count: int, what: str) -> int:
    """Give an index back that lies within; else a sentence."""
    if not 0 <= index < count:
        raise BadValue(f"There is no {what} {index}: there are {count}, counted from 0.")
    return index
