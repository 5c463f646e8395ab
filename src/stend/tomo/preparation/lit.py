"""Which rows of the detector the beam reaches, as the flat fields tell before a long run."""

from typing import TYPE_CHECKING

import numpy as np

from stend.tomo.preparation.normalization import DEAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend.tomo.scan import Frames, Scan

READ = 1 << 24
"""Bytes of frames that are averaged at once, as float64."""
BRIGHT = 95
"""The percentile of a row's pixels that stands for it, and of the rows for the beam: hot pixels
are brighter, and the beam may miss some columns or most of the rows."""


def lit_rows(scan: "Scan") -> list[tuple[int, int]]:
    """Give the ranges (first, end) of rows where the flat fields are brighter than the dark ones.

    Rows between them count less than DEAD of the brightest ones. Of a scan without flat fields
    that is not to be known, and all are given.
    """
    rows = scan.projections.shape[1]
    if scan.flats is None:
        return [(0, rows)]
    beam = _brightness(scan.flats, scan.darks)
    lit = beam > max(0, DEAD * float(np.percentile(beam, BRIGHT)))
    ends = np.flatnonzero(np.diff(lit, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in ends.reshape(-1, 2)]


def _brightness(flats: "Frames", darks: "Frames | None") -> "NDArray[np.float64]":
    """One value a row; 0 where hardly a pixel is a finite number."""
    frames = flats.shape[0] + (0 if darks is None else darks.shape[0])
    _, rows, columns = flats.shape
    step = max(1, READ // (8 * frames * columns))
    found = []
    for first in range(0, rows, step):
        last = min(first + step, rows)
        with np.errstate(invalid="ignore"):
            beam = flats.rows(first, last).mean(axis=0, dtype=np.float64)
            if darks is not None:
                beam -= darks.rows(first, last).mean(axis=0, dtype=np.float64)
        found.append(np.percentile(np.where(np.isfinite(beam), beam, 0), BRIGHT, axis=1))
    return np.concatenate(found)
