"""Beams whose rays come from a point, and `rebin_fan`: fan-beam projections → parallel ones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import numpy as np

from stend_tomo import native
from stend_tomo.errors import PITCH, Advice, BadOption
from stend_tomo.memory import LANES, in_batches, sinograms, spoilt_projections
from stend_tomo.validation import (
    center_near,
    checked_distances,
    checked_threads,
    length,
    measured,
    sentences,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Made = TypeVar("Made")
WHOLE_TURN = [2 * np.pi / 72 * step for step in range(72)]
"""Angles that no beam is refused for."""


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


class Rebinned(NamedTuple):
    """Projections of a parallel beam, and what `reconstruct`, `sirt` and the others need of it."""

    projections: "NDArray[np.float32]"
    angles: "NDArray[np.float64]"
    """Radians."""
    center: float
    """The column of the axis."""
    pixel: float
    """A column's width: a detector pixel's as seen at the axis, in the beam's unit of length."""


def made_for_source(radians: "NDArray[np.float64]", make: Callable[[list[float]], Made]) -> Made:
    """Make tables for a source's angles.

    What is refused for these and not for a whole turn's is too short a scan.

    Raises:
        BadOption: it is one, or `make` refuses something else.
    """
    with sentences():
        try:
            return make(radians.tolist())
        except ValueError as error:
            make(WHOLE_TURN)
            raise BadOption(
                f"{error} ",
                Advice(
                    "short scan",
                    "Check the angles; projections of a parallel beam are for `reconstruct`.",
                ),
                parameter="angles",
            ) from None


def rebin_fan(
    projections: "ArrayLike",
    angles: "ArrayLike",
    beam: FanBeam,
    *,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
) -> Rebinned:
    """Sort the rays of a fan beam into parallel ones, for any algorithm to reconstruct.

        parallel = rebin_fan(projections, angles, FanBeam(…))
        slices = reconstruct(
            parallel.projections, parallel.angles, center=parallel.center, pixel=parallel.pixel
        )

    Rays are interpolated by cubics between columns and between source angles, whose steps need not
    be even: linearly where they differ more than four times. The source goes around at least half a
    turn and the fan's angle, or a whole turn; every parallel projection is then complete (Kak and
    Slaney 1988, 3.4.3). Of projections from one angle the first counts.

    Args:
        projections: line integrals: (angles, rows, columns), integers or floating point.
        angles: of the source, radians, one per projection, in any order.
        beam: where source, axis and detector are.
        sinogram_order: projections are (rows, angles, columns), and so is the result.
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("rebin_fan")`; by default the machine's best.

    Returns:
        Parallel projections, as many as the steps of the source over half a turn or the whole
        turn, with their angles, center and pixel.

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadAngles: their number differs from that of the projections, or they are degrees or not
            numbers.
        BadOption: an invalid geometry, variant or number, or a scan that is too short.
    """
    if not isinstance(beam, FanBeam):
        raise BadOption(
            f"The beam must be a stend_tomo.FanBeam, not {type(beam).__name__}.", parameter="beam"
        )
    given, radians, rows, columns = measured(projections, angles, sinogram_order)
    distances = checked_distances(beam.source_to_axis, beam.source_to_detector)
    pitch, detector = length(beam.pitch, PITCH), str(beam.detector)
    center = None if beam.center is None else center_near(beam.center, columns)
    how = str(variant or ""), checked_threads(threads)
    made = made_for_source(
        radians,
        lambda angles: native.Rebinning(columns, angles, *distances, pitch, detector, center, *how),
    )
    shape = (len(made.angles), made.detectors)
    if sinogram_order:
        result = turned = np.empty((rows, *shape), np.float32)
    else:
        result = np.empty((shape[0], rows, shape[1]), np.float32)
        turned = result.transpose(1, 0, 2)
    for first, last in in_batches(rows, LANES, 4 * radians.size * columns):
        part = sinograms(given, first, last, sinogram_order)
        with sentences():
            bad = made.run(part, turned[first:last])
        if bad is not None:
            raise spoilt_projections(part, bad, first, sinogram_order)
    return Rebinned(result, np.array(made.angles), made.center, made.pixel)
