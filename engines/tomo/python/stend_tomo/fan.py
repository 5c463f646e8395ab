"""`rebin_fan`: projections of a fan beam → those of a parallel one."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stend_tomo import native
from stend_tomo.batches import LANES, in_batches, sinograms, spoilt_projections
from stend_tomo.beams import FanBeam
from stend_tomo.errors import BadOption
from stend_tomo.validation import (
    checked_distances,
    checked_threads,
    measured,
    positive,
    real,
    sentences,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Rebinned(NamedTuple):
    """Projections of a parallel beam, and what `reconstruct`, `sirt` and the others need of it."""

    projections: "NDArray[np.float32]"
    angles: "NDArray[np.float64]"
    """Radians."""
    center: float
    """The column of the axis."""
    pixel: float
    """A column's width: a detector pixel's as seen at the axis, in the beam's unit of length."""


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
        angles: of the source, radians, one a projection, in any order.
        beam: where source, axis and detector are.
        sinogram_order: projections are (rows, angles, columns), and so is the result.
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("rebin_fan")`; by default the machine's best.

    Returns:
        Parallel projections, as many as the steps of the source over half a turn or the whole
        turn, with their angles, center and pixel.

    Raises:
        BadProjections: they have another shape or type, or hold what is no finite number.
        BadAngles: there are more or fewer than projections, or they are degrees or no numbers.
        BadOption: a geometry, variant or number that can't be, or too short a scan.
    """
    if not isinstance(beam, FanBeam):
        raise BadOption(f"The beam is a stend_tomo.FanBeam, not {type(beam).__name__}.")
    given, radians, rows, columns = measured(projections, angles, sinogram_order)
    distances = checked_distances(beam.source_to_axis, beam.source_to_detector)
    with sentences():
        made = native.Rebinning(
            columns,
            radians.tolist(),
            *distances,
            positive(beam.pitch, "The pitch of detector pixels"),
            str(beam.detector),
            None if beam.center is None else real(beam.center, "The center"),
            str(variant or ""),
            checked_threads(threads),
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
