"""What a volume tells of its values and pixels, and what the slices are that go into it."""

import math
from typing import TYPE_CHECKING

from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from stend_tomo.volume import Volume

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
            f"The volume is in {told}, and what is reconstructed in {unit}; give the same pixel= "
            "to both, in mm, or to neither."
        )
    pixel = getattr(volume, "pixel", None)
    if pixel and side and not math.isclose(pixel, side, rel_tol=SAME):
        raise BadOption(
            f"A pixel of the volume is {pixel:g} mm, and one of the slices {side:g} mm; give the "
            "volume pixel= of that side."
        )
