"""Zingers: pixels that stray radiation made far too bright in one projection only."""

from typing import TYPE_CHECKING, Any

from stend_tomo import native
from stend_tomo.errors import BadOption, BadProjections
from stend_tomo.preparation.slabs import counts_of, result_for
from stend_tomo.validation import checked_threads, enough_threads, positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEAST = 1e-30
"""Share; float32 has smaller numbers, but 0 is near."""


def remove_zingers(
    projections: "ArrayLike",
    share: float = 0.2,
    *,
    out: "NDArray[Any] | None" = None,
    threads: int | None = None,
) -> "tuple[NDArray[Any], int]":
    """Replace what exceeds both neighbouring projections by the brighter of these two.

    That is the median of the three, where the middle one is more than (1 + share) times the
    brighter of the others. A slab of rows is enough. For counts or transmission, not for line
    integrals; for flat and dark fields as well.

    Args:
        projections: (angles, rows, columns), at least 3 in the order that they were taken.
        share: how much brighter a zinger is; above the noise and what a step of the angle changes.
        out: uint16 where the projections are unsigned of at most 16 bits, else float32.
        threads: as many as this process may use CPUs unless given.

    Returns:
        The projections without zingers, and how many pixels were replaced.

    Raises:
        BadProjections: they have not three sides, or are fewer than 3.
        BadOption: the share is below 1e-30.
        BadBuffer: `out` can't take the result, or overlaps the projections.
    """
    counts = counts_of(projections)
    if counts.shape[0] < 3:
        raise BadProjections(
            f"Zingers are found by comparing 3 or more projections; there are {counts.shape[0]}."
        )
    over = positive(share, "The share by which a zinger is too bright")
    if over < LEAST:
        raise BadOption(
            f"The share by which a zinger is too bright is {over:g}; it must be at least {LEAST:g}."
        )
    result = result_for(counts, out, counts.dtype, in_place=False)
    with enough_threads():
        return result, native.remove_zingers(counts, over, result, checked_threads(threads))
