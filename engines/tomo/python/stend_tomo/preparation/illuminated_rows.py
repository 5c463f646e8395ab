"""Which rows of the detector the beam reaches, as the flat fields tell before a long run."""

from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.preparation.normalization import DEAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo.scan import Frames, Scan

BRIGHT = 95
"""The percentile of a row's pixels that stands for it, and of the rows for the beam: hot pixels
are brighter, and the beam may miss some columns or most of the rows."""
ENOUGH = 256
"""Pixels that tell a row's brightness; of wider detectors, about as many."""


def lit_rows(scan: "Scan") -> list[tuple[int, int]]:
    """Give the ranges (first, end) of rows where the flat fields are brighter than the dark ones.

    Rows between them count less than DEAD of the brightest ones. Of a scan without flat fields
    that is not to be known, and all are given.
    """
    if scan.flats is None:
        return [(0, scan.projections.shape[1])]
    beam = _brightness(scan.flats, -np.inf)
    if scan.darks is not None:
        beam -= _brightness(scan.darks, np.inf)
    lit = beam > max(0.0, DEAD * float(_high(beam)))
    ends = np.flatnonzero(np.diff(lit, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in ends.reshape(-1, 2)]


def _brightness(frames: "Frames", bad: float) -> "NDArray[np.float64]":
    """Give one value a row, an image at a time; `bad` stands for pixels that are no numbers."""
    number, rows, columns = frames.shape
    total, step = np.zeros(rows), max(1, columns // ENOUGH)
    for index in range(number):
        image = frames.frame(index)[:, ::step].astype(np.float64)
        total += _high(np.where(np.isfinite(image), image, bad))
    return total / number


def _high(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Give the percentile along the last side: one of the values, which may be infinite."""
    high: NDArray[np.float64] = np.percentile(values, BRIGHT, axis=-1, method="nearest")
    return high
