"""A scan as scanners write it, and some of its detector rows as a scan; nothing is read yet.

What a file of any format is turned into (reading/) and what is prepared and reconstructed. A scan
may be far larger than memory: projections are read a slab of detector rows at a time. And a volume
of slices as files hold it, which is read a slice at a time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption


class Frames(Protocol):
    """Images of one size on a disk or in memory: projections, flat fields or dark fields."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, detector rows, detector columns."""

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type of a stored pixel."""

    def rows(self, first: int, last: int) -> NDArray[np.generic]:
        """Detector rows first … last - 1 of all frames: (frames, rows, columns), as stored."""

    def frame(self, index: int) -> NDArray[np.generic]:
        """One whole image: (rows, columns), as stored."""


@dataclass(frozen=True)
class Scan:
    """A scan; what its file doesn't tell is None."""

    projections: Frames
    angles: NDArray[np.float64] | None = None
    """Radians, one a projection."""
    flats: Frames | None = None
    """Images without the sample."""
    darks: Frames | None = None
    """Images without the beam."""
    pixel: float | None = None
    """Side of a detector pixel, as seen at the sample, in mm."""
    normalized: bool = False
    """Whether projections are already line integrals (-log of transmission), not intensities."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else the file tells, by its own names: sample, instrument, energy, date."""


@dataclass(frozen=True)
class StoredVolume:
    """Slices in a file; what it doesn't tell is None or empty."""

    slices: Frames
    """Values in `unit`, as real numbers where the file holds levels of grey."""
    unit: str = ""
    """1/mm, 1/pixel, HU …; empty when the file doesn't tell, and so perhaps holds no slices."""
    pixel: float | None = None
    """Side of a pixel in mm."""
    spacing: float | None = None
    """Distance of slices in mm; that of zoomed slices is not the pixel's side."""
    window: tuple[float, float] | None = None
    """What is shown at first: the values that are black and white."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else the file tells: sample, instrument, date."""


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
