"""Counts → transmission → line integrals, without zingers; which rows the beam reaches.

The intensity that arrives is I = D + (F - D) e^-p, F the flat field (the beam, no sample), D the
dark field (no beam), p the line integral of the attenuation (Beer and Lambert).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stend_tomo import native
from stend_tomo.errors import BadOption, BadProjections, Parameter
from stend_tomo.preparation.slabs import counts_of, refuse_not_finite, result_for
from stend_tomo.validation import (
    check_projections,
    checked_threads,
    enough_threads,
    positive,
    shaped,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from stend_tomo.scan import Frames, Scan


BRIGHT = 95
"""The percentile of a row's pixels that stands for it, and of the rows for the beam: hot pixels
are brighter, and the beam may miss some columns or most of the rows."""
ENOUGH = 256
"""Pixels that tell a row's brightness; of wider detectors, about as many."""


def lit_rows(scan: "Scan") -> list[tuple[int, int]]:
    """Give the ranges (first, end) of rows where the flat fields are brighter than the dark ones.

    Rows between them count less than DEAD of the brightest ones. Of a scan without flat fields
    that is not to be known, and all are given.
    """
    if scan.flats is None:
        return [(0, scan.projections.shape[1])]
    beam = _brightness(scan.flats, -np.inf)
    if scan.darks is not None:
        beam -= _brightness(scan.darks, np.inf)
    lit = beam > max(0.0, DEAD * float(_high(beam)))
    ends = np.flatnonzero(np.diff(lit, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in ends.reshape(-1, 2)]


def _brightness(frames: "Frames", bad: float) -> "NDArray[np.float64]":
    """Give one value a row, an image at a time; `bad` stands for pixels that are no numbers."""
    number, rows, columns = frames.shape
    total, step = np.zeros(rows), max(1, columns // ENOUGH)
    for index in range(number):
        image = frames.frame(index)[:, ::step].astype(np.float64)
        total += _high(np.where(np.isfinite(image), image, bad))
    return total / number


def _high(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Give the percentile along the last side: one of the values, which may be infinite."""
    high: NDArray[np.float64] = np.percentile(values, BRIGHT, axis=-1, method="nearest")
    return high


SHARE = Parameter("share", "The share by which a zinger is too bright")
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
        threads: by default one for each CPU that this process may use.

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
    over = positive(share, SHARE)
    if over < LEAST:
        raise BadOption(SHARE, f" is {over:g}; it must be at least {LEAST:g}.")
    result = result_for(counts, out, counts.dtype, in_place=False)
    with enough_threads():
        return result, native.remove_zingers(counts, over, result, checked_threads(threads))


Averaged = Literal["mean", "median"]

MINIMUM = Parameter("minimum", "The least transmission")
LEAST_TRANSMISSION = 1e-4
"""What transmission is limited to from below, and 1 over it from above: line integrals of ±9.2.
A detector of 16 bits can't tell less."""
DEAD = 0.02
"""A pixel that the beam makes count less than this share of the median pixel tells nothing."""


@dataclass(frozen=True)
class Mended:
    """What was wrong with a slab, and was put right."""

    dead: int = 0
    """Detector pixels that tell nothing: all their values were filled in from their neighbours."""
    limited: int = 0
    """Other values whose transmission was at or beyond the limits, and was set to them."""
    zingers: int = 0
    """Values too bright in one projection only, replaced by those before or after."""


@dataclass(frozen=True)
class Fields:
    """Flat and dark fields of a slab, averaged, each (rows, columns); made by `fields`."""

    dark: "NDArray[np.float32]"
    gain: "NDArray[np.float32]"
    """1 / (flat - dark); 0 where the pixel is dead."""
    dead: "NDArray[np.bool_]"


def fields(
    flats: "ArrayLike",
    darks: "ArrayLike | None" = None,
    *,
    by: Averaged = "mean",
    first_row: int = 0,
) -> Fields:
    """Average flat and dark frames, and find the detector pixels that tell nothing.

    A slab of rows is enough.

    Args:
        flats: (frames, rows, columns), or one frame, (rows, columns).
        darks: the same, of as many rows and columns; none: all 0.
        by: the mean has less noise, the median does not see zingers.
        first_row: which row of the detector the slab begins with; errors count from it.

    Raises:
        BadProjections: shapes don't fit, or no pixel counts more with the beam than without.
        BadOption: `by` is neither.
    """
    flat = _average(flats, "flat fields", by)
    dark = np.zeros_like(flat) if darks is None else _average(darks, "dark fields", by)
    if flat.shape != dark.shape:
        raise BadProjections(
            f"Flat fields of {flat.shape} rows and columns don't fit dark fields of {dark.shape}."
        )
    with np.errstate(invalid="ignore"):
        beam = flat - dark
    bright = beam[np.isfinite(beam) & (beam > 0)]
    if not bright.size:
        raise BadProjections(
            f"In rows {first_row} to {first_row + len(beam) - 1} the flat fields are nowhere "
            "brighter than the dark fields: check whether the beam reaches these rows, and "
            "whether the fields were mixed up or taken with the shutter closed."
        )
    with np.errstate(invalid="ignore"):
        dead = ~(np.isfinite(beam) & (beam > DEAD * np.median(bright)))
    gain = np.divide(1, beam, out=np.zeros_like(beam), where=~dead)
    return Fields(np.where(dead, 0, dark).astype(np.float32), gain.astype(np.float32), dead)


def _average(frames: "ArrayLike", what: str, by: Averaged) -> "NDArray[np.float64]":
    given = shaped(frames)
    if given.ndim == 2:
        given = given[None]
    if given.ndim != 3 or 0 in given.shape or given.dtype.kind not in "iuf":
        raise BadProjections(
            f"The {what} are (frames, rows, columns) of numbers, not {given.dtype} of shape "
            f"{given.shape}."
        )
    if by == "mean":
        return np.asarray(np.mean(given, axis=0, dtype=np.float64))
    if by == "median":
        return np.asarray(np.median(given, axis=0), dtype=np.float64)
    raise BadOption(f'Fields are averaged by "mean" or "median", not {by!r}.', parameter="by")


def normalize(
    projections: "ArrayLike",
    field: Fields,
    *,
    logarithm: bool = False,
    minimum: float = LEAST_TRANSMISSION,
    out: "NDArray[np.float32] | None" = None,
    threads: int | None = None,
    first_row: int = 0,
) -> "tuple[NDArray[np.float32], Mended]":
    """Turn counts into transmission, or, with `logarithm`, at once into line integrals.

    A slab of rows is enough. Dead pixels are filled in linearly from the nearest others of
    their row; a row without any is taken for empty.

    Args:
        projections: counts, (angles, rows, columns); uint16 and float32 are taken without a copy.
        field: of the same rows and columns.
        logarithm: give -ln of the transmission (to 2 units in the last place).
        minimum: transmission is limited to minimum … 1/minimum.
        out: float32 of the projections' shape; may be the projections themselves.
        threads: by default one for each CPU that this process may use.
        first_row: which row of the detector the slab begins with; errors count from it.

    Returns:
        The transmission or the line integrals, and what was mended.

    Raises:
        BadProjections: shapes don't fit, or a count is infinite or no number.
        BadOption: the minimum is not above 0 and below 1.
        BadBuffer: `out` can't take the result.
    """
    counts = counts_of(projections)
    if counts.shape[1:] != field.dead.shape:
        raise BadProjections(
            f"Projections of {counts.shape[1:]} rows and columns don't fit flat and dark fields "
            f"of {field.dead.shape}."
        )
    least = _checked_minimum(minimum)
    result = result_for(counts, out, np.float32)
    with enough_threads():
        limited, not_finite = native.normalize(
            counts,
            field.dark,
            field.gain,
            least,
            1 / least,
            logarithm,
            result,
            checked_threads(threads),
        )
    if not_finite:
        refuse_not_finite(counts, "counts of the projections", "replace them", first_row)
        raise BadProjections(  # made in place, so that there are no counts left to look for it
            f"{not_finite:,} counts of the projections are infinite or not numbers; replace them."
        )
    _fill(result, field.dead, empty=0 if logarithm else 1)
    dead = int(np.count_nonzero(field.dead))
    return result, Mended(dead=dead, limited=limited - dead * counts.shape[0])


def minus_log(
    transmission: "ArrayLike",
    *,
    minimum: float = LEAST_TRANSMISSION,
    out: "NDArray[np.float32] | None" = None,
    threads: int | None = None,
) -> "NDArray[np.float32]":
    """Turn transmission, (angles, rows, columns), into line integrals, -ln of it.

    A slab of rows is enough; the arguments and errors are those of `normalize`.
    """
    given = shaped(transmission)
    check_projections(given, sinogram_order=False)
    rows_columns = given.shape[1:]
    whole = Fields(
        np.zeros(rows_columns, np.float32),
        np.ones(rows_columns, np.float32),
        np.zeros(rows_columns, np.bool_),
    )
    return normalize(given, whole, logarithm=True, minimum=minimum, out=out, threads=threads)[0]


def _checked_minimum(minimum: float) -> float:
    value = positive(minimum, MINIMUM)
    if not 1e-30 <= value < 1:
        raise BadOption(MINIMUM, f" is {value:g}; it must be 1e-30 to below 1.")
    return value


def _fill(values: "NDArray[np.float32]", dead: "NDArray[np.bool_]", empty: float) -> None:
    """Replace dead pixels by what lies between the nearest others of their row."""
    for row in np.flatnonzero(dead.any(axis=1)):
        holes, good = np.flatnonzero(dead[row]), np.flatnonzero(~dead[row])
        if not good.size:
            values[:, row] = empty
            continue
        after = np.searchsorted(good, holes)
        left, right = good[np.maximum(after - 1, 0)], good[np.minimum(after, good.size - 1)]
        apart = np.maximum(right - left, 1)
        share: Any = (np.clip(holes - left, 0, apart) / apart).astype(np.float32)
        values[:, row, holes] = (1 - share) * values[:, row, left] + share * values[:, row, right]
