"""Some detector rows of a scan as a scan of its own; nothing is read yet."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption
from stend_tomo.scan import Frames, Scan


@dataclass(frozen=True)
class RowsOf:
    """Rows first … last - 1 of frames (`stend_tomo.Frames`)."""

    frames: Frames
    first: int
    last: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        number, _, columns = self.frames.shape
        return number, self.last - self.first, columns

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type of a stored pixel."""
        return self.frames.dtype

    def rows(self, first: int, last: int) -> NDArray[np.generic]:
        """Rows first … last - 1 of these."""
        return self.frames.rows(self.first + first, self.first + last)

    def frame(self, index: int) -> NDArray[np.generic]:
        """These rows of one image."""
        rows: NDArray[np.generic] = self.frames.frame(index)[self.first : self.last]
        return rows


def chosen_rows(scan: Scan, first: int, last: int) -> Scan:
    """Give the scan as if the detector had only rows first … last - 1.

    Raises:
        BadOption: it has no such rows.
    """
    rows = scan.projections.shape[1]
    if not 0 <= first < last <= rows:
        raise BadOption(f"There are no rows {first} up to {last} of {rows}.")
    return replace(
        scan,
        projections=RowsOf(scan.projections, first, last),
        flats=scan.flats and RowsOf(scan.flats, first, last),
        darks=scan.darks and RowsOf(scan.darks, first, last),
    )
