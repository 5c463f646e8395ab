"""Beams whose rays come from a point, as users describe them. Lengths are in one unit, say mm."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class FanBeam:
    """Each detector row has a source at its own height; a medical scanner's, or a line detector's.

    At the angle β the source is at source_to_axis · (-sin β, cos β), its ray through the axis runs
    towards (sin β, -cos β), and columns are counted along (cos β, sin β) (Kak and Slaney,
    Principles of Computerized Tomographic Imaging, 1988, 3.4).
    """

    source_to_axis: float
    source_to_detector: float
    """Through the axis."""
    pitch: float
    """From column to column; along the arc where the detector is curved."""
    detector: Literal["flat", "curved"] = "flat"
    """At right angles to the ray through the axis; or an arc around the source."""
    center: float | None = None
    """The column, counted from 0 at its middle, of the ray through the axis; by default the
    detector's middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConeBeam:
    """One source that goes around the axis in a circle, before a flat detector; as a `FanBeam`."""

    source_to_axis: float
    source_to_detector: float
    """Through the axis."""
    pitch: float
    """From pixel to pixel, both ways."""
    center: float | None = None
    """The column, counted from 0 at its middle, of the ray that meets the axis at a right angle; by
    default the detector's middle."""
    center_row: float | None = None
    """The row of that ray; by default the middle."""

    @property
    def voxel(self) -> float:
        """A detector pixel's side as seen at the axis."""
        return self.pitch * self.source_to_axis / self.source_to_detector
