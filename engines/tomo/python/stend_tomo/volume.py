"""Where slices go: a file of any format, written from the first row on, a slab at a time."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Volume(Protocol):
    """Slices being written; one that already has some goes on behind them."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Slices, rows, columns."""

    @property
    def written(self) -> int:
        """How many slices are there for good, from the first on; of another run, too."""

    def write(self, first: int, slices: NDArray[np.float32]) -> None:
        """Write slices `first` …, which is `written`; the array is used again afterwards."""

    def finish(self) -> None:
        """Make it whole, when all slices are written: until then it is marked as a part."""
