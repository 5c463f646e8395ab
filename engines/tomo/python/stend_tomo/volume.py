"""Where slices go, a slab at a time, and what a volume records of its values and pixels."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, Keyword

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
            f"The volume is in {told}, and what is reconstructed in {unit}; give the same ",
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
