"""Scans and volumes: what is read, how rows of it are prepared, and where slices go.

A scan is what a file of any format is turned into (reading/), and what is prepared and
reconstructed. It may be far larger than memory: projections are read a slab of detector rows at a
time. A volume of slices as files hold it is read a slice at a time, and written a slab at a time.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, BadProjections, Keyword

LINE_INTEGRALS = "line integrals"
"""How Data Exchange describes projections that are that already, as stend writes it."""


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
        raise BadProjections(f"Pixels must be integers or floating point, not {stored.dtype}.")
    return stored.astype(np.float32, copy=False)


def bytes_preparing(prepare: Prepare, scan: "Scan", rows: int) -> int:
    """Give what preparing so many rows takes at its height, with the rows as they are stored."""
    told: Callable[[Scan, int], int] | None = getattr(prepare, "bytes", None)
    if told is not None:
        return told(scan, rows)
    projections, _, columns = scan.projections.shape
    return (scan.projections.dtype.itemsize + 2 * 4) * projections * columns * rows


UNITS = ("1/mm", "1/pixel")
"""With and without a pixel's side. Values in others are what preparing makes of them."""
SAME = 1e-3
"""Relative: sides are told in few digits."""


def refuse_untrue(volume: "Volume", unit: str | None, side: float | None) -> None:
    """Refuse a volume whose values would be wrong by a factor, or its lengths.

    Args:
        volume: those of this package tell their unit and their pixel's side.
        unit: of the slices; None: not known.
        side: of a slice's pixel in mm; None: not known.

    Raises:
        BadOption: it tells another unit or side.
    """
    told = getattr(volume, "unit", None)
    if unit is not None and told in UNITS and told != unit:
        raise BadOption(
            f"The volume is in {told}, but the slices are in {unit}; give the same ",
            Keyword("pixel"),
            " to both, in mm, or to neither.",
        )
    pixel = getattr(volume, "pixel", None)
    if pixel and side and not math.isclose(pixel, side, rel_tol=SAME):
        raise BadOption(
            f"A pixel of the volume is {pixel:g} mm, and one of the slices {side:g} mm; give the "
            "volume ",
            Keyword("pixel"),
            " of that side.",
        )


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
