"""A scan of a whole turn with the axis near a side → a scan of half a turn by a wider detector.

    axis = find_overlap(prepare(scan, 500, 505), scan.angles)
    wide = HalfAcquisition(scan, prepare, axis.position)
    reconstruct_scan(wide.scan, volume, prepare=wide, center=wide.center)

Rows are prepared and stitched when they are asked for.
"""

from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.errors import BadAngles
from stend_tomo.preparation.stitching import stitch
from stend_tomo.prepare import Prepare, bytes_preparing
from stend_tomo.scan import Scan

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIXEL = 60
"""Bytes a pixel of a row that stitching it takes (tracemalloc: 45)."""


class HalfAcquisition:
    """Prepares a scan's rows and stitches them: the `prepare` and the frames of the wide scan."""

    def __init__(self, scan: Scan, prepare: Prepare, center: float) -> None:
        """Plan it; nothing is read.

        Args:
            scan: of a whole turn.
            prepare: what makes line integrals of its rows.
            center: where the axis projects to on its detector, as `find_overlap` finds it.

        Raises:
            BadAngles: the scan has none, or is of less than a whole turn.
            BadProjections: it has too few projections.
            BadOption: the center is not on the detector.
        """
        if scan.angles is None:
            raise BadAngles("The scan tells no angles; stitching takes those of a whole turn.")
        self._scan, self._prepare, self._center = scan, prepare, center
        projections, rows, columns = scan.projections.shape
        # Of a row with nothing in it, to have sides, angles and axis from where they are made.
        empty = np.zeros((projections, 1, columns), np.float32)
        joined = stitch(empty, scan.angles, center)
        self.center = joined.center
        """Where the axis projects to on the wide detector."""
        self.shape: tuple[int, int, int] = len(joined.angles), rows, joined.projections.shape[2]
        self.dtype: np.dtype[np.generic] = np.dtype(np.float32)
        self.scan = Scan(self, joined.angles, pixel=scan.pixel, normalized=True, about=scan.about)

    def rows(self, first: int, last: int) -> "NDArray[np.float32]":
        """Prepare and stitch rows first … last - 1."""
        assert self._scan.angles is not None
        prepared = self._prepare(self._scan, first, last)
        out = np.empty((self.shape[0], last - first, self.shape[2]), np.float32)
        for row in range(last - first):
            joined = stitch(prepared[:, row : row + 1], self._scan.angles, self._center)
            out[:, row] = joined.projections[:, 0]
        return out

    def frame(self, index: int) -> "NDArray[np.generic]":
        """One whole image: all rows are made for it."""
        image: NDArray[np.float32] = self.rows(0, self.shape[1])[index]
        return image

    def __call__(self, scan: Scan, first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals of rows of the wide scan."""
        return self.rows(first, last)

    def bytes(self, scan: Scan, rows: int) -> int:
        """Give what so many rows of the wide scan take at their height."""
        angles, _, columns = self._scan.projections.shape
        prepared = 4 * angles * columns * rows
        joined = 4 * self.shape[0] * self.shape[2] * rows
        preparing = bytes_preparing(self._prepare, self._scan, rows)
        return max(preparing, prepared + joined + PIXEL * angles * columns)
