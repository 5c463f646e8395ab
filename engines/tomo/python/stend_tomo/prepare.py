"""What makes line integrals of a slab of a scan's rows, and the memory that it takes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from stend_tomo.errors import BadProjections

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo.scan import Scan


class Prepare(Protocol):
    """What makes line integrals of some rows of a scan: normalisation, ring removal and the like.

    May use as much memory as its result takes, beside that and the rows as they are stored. One
    that takes more has `bytes(scan, rows)`: of all that preparing so many rows takes at its
    height, its result included.
    """

    def __call__(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give detector rows first … last - 1: (projections, rows, columns)."""


def line_integrals(scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
    """Read rows of a scan that needs no preparation.

    Raises:
        BadProjections: it holds intensities.
    """
    if not scan.normalized:
        raise BadProjections(
            "The scan holds intensities, not line integrals; give a `prepare` that normalises them."
        )
    stored = scan.projections.rows(first, last)
    if stored.dtype.kind not in "iuf":
        raise BadProjections(f"Pixels are integers or floating point, not {stored.dtype}.")
    return stored.astype(np.float32, copy=False)


def bytes_preparing(prepare: Prepare, scan: "Scan", rows: int) -> int:
    """Give what preparing so many rows takes at its height, with the rows as they are stored."""
    told: Callable[[Scan, int], int] | None = getattr(prepare, "bytes", None)
    if told is not None:
        return told(scan, rows)
    projections, _, columns = scan.projections.shape
    return (scan.projections.dtype.itemsize + 2 * 4) * projections * columns * rows
