"""`filter`: projections → filtered ones, the first half of filtered back projection."""

from typing import TYPE_CHECKING

from stend_tomo import native
from stend_tomo.batches import LANES, in_batches, sinograms, spoilt_projections
from stend_tomo.errors import BadBuffer
from stend_tomo.validation import (
    check_projections,
    checked_out,
    checked_threads,
    positive,
    sentences,
    shaped,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def filter(
    projections: "ArrayLike",
    *,
    filter: str = "ram-lak",
    cutoff: float = 1.0,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Filter the rows of projections by the ramp, as filtered back projection does.

    The ramp |f|, f in cycles a detector pixel, is that of the band-limited kernel (Kak and Slaney
    1988, equation 61), times a window; rows have zeros around them. A pixel's attenuation is the
    sum over angles of what is filtered, where the pixel projects to, times the part of the half
    circle that stands behind the angle: π / angles where they are even over half a turn.

    Args:
        projections: line integrals: (angles, rows, columns), integers or floating point.
        filter: what the ramp is multiplied by, one of `filters()`.
        cutoff: the part of the band that is kept, above 0 and up to 1.
        sinogram_order: projections are (rows, angles, columns), and so is the result.
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("filter")`; by default the machine's best.
        out: where the result goes: float32, its rows contiguous, of the projections' shape.

    Returns:
        What the projections are filtered to, of their shape.

    Raises:
        BadProjections: they have another shape or type, or hold what is no finite number.
        BadOption: a filter, variant or number that can't be.
        BadBuffer: `out` can't take the result.
    """
    given = shaped(projections)
    rows, angles, columns = check_projections(given, sinogram_order)
    with sentences():
        made = native.Filtering(
            columns,
            str(filter),
            positive(cutoff, "The filter's cutoff"),
            str(variant or ""),
            checked_threads(threads),
        )
    result = checked_out(out, tuple(given.shape), given, result="filtered projections")
    turned = result if sinogram_order else result.transpose(1, 0, 2)
    for first, last in in_batches(rows, LANES, 4 * angles * columns):
        part = sinograms(given, first, last, sinogram_order, result)
        with sentences(BadBuffer):
            bad = made.run(part, turned[first:last])
        if bad is not None:
            raise spoilt_projections(part, bad, first, sinogram_order)
    return result
