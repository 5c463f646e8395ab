"""Stripes in sinograms, which become rings in slices: detector pixels that answer differently.

After Vo, Atwood and Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray
micro-tomography, Optics Express 26(22), 2018. All work on line integrals; a slab of rows is enough,
even one row.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from stend_tomo import native
from stend_tomo.errors import BadOption, Parameter
from stend_tomo.preparation.slabs import floats_of, result_for
from stend_tomo.validation import checked_threads, enough_threads, positive, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

WINDOW = 21
"""Columns that the median of sorted values runs over, unless given: more than twice a stripe."""
SENSITIVITY = Parameter("sensitivity", "The sensitivity to stripes")
WIDEST_WINDOW = 4095
AT_ONCE = 1 << 20
"""Values in the windows whose medians are found together."""
AVERAGED = 10
"""Angles that a column is compared with itself over."""
DROPPED = 0.1
"""Share of the brightest and of the darkest values of a column that don't count for its level."""


def remove_stripes(
    projections: "ArrayLike",
    window: int = WINDOW,
    *,
    out: "NDArray[np.float32] | None" = None,
    threads: int | None = None,
) -> "NDArray[np.float32]":
    """Remove partial and full stripes by sorting (algorithm 3): the default, and fast.

    Neighbouring columns of a sinogram have nearly the same values, at other angles. So each column
    is sorted, each rank smoothed by a median over neighbouring columns, and the values are put back
    at the angles that they came from.

    Args:
        projections: line integrals, (angles, rows, columns).
        window: columns of the median, odd; the sinogram is mirrored at its sides.
        out: float32 of the projections' shape; may be the projections themselves.
        threads: by default one for each CPU that this process may use.

    Raises:
        BadProjections: a wrong shape or type, or a value that is not finite.
        BadOption: the window is not an odd number from 3.
        BadBuffer: `out` can't take the result.
    """
    given = floats_of(projections)
    size = _checked_window(window)
    result = result_for(given, out, np.float32)
    with enough_threads():
        native.remove_stripes(given, size, result, checked_threads(threads))
    return result


def remove_large_stripes(
    projections: "ArrayLike",
    window: int = 61,
    sensitivity: float = 3,
    *,
    out: "NDArray[np.float32] | None" = None,
    threads: int | None = None,
) -> "NDArray[np.float32]":
    """Remove wide stripes (algorithm 5), and leave the columns without one nearly as they are.

    A column's level is the mean of its sorted values without the outer tenths; how far it is from
    that of the smoothed ones is the stripe, and is subtracted (the paper divides, for intensities).
    Columns where it is an outlier are replaced by the smoothed values.

    Args:
        projections: line integrals, (angles, rows, columns).
        window: columns of the median, odd: more than twice the widest stripe.
        sensitivity: how many times the noise an outlier exceeds; smaller finds more.
        out: float32 of the projections' shape; may be the projections themselves.
        threads: by default one for each CPU that this process may use.

    Raises:
        BadProjections, BadOption, BadBuffer: as `remove_stripes`.
    """
    given = floats_of(projections)
    ratio = positive(sensitivity, SENSITIVITY)
    smooth = remove_stripes(given, window, threads=threads)
    result = result_for(given, out, np.float32)
    offset = _level(given) - _level(smooth)
    np.subtract(given, offset, out=result)
    for row in range(given.shape[1]):
        columns = _widened(outliers(offset[row], ratio))
        result[:, row, columns] = smooth[:, row, columns]
    return result


def remove_dead_stripes(
    projections: "ArrayLike",
    window: int = 51,
    sensitivity: float = 3,
    *,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Replace columns that don't answer, or fluctuate (algorithm 6), from the columns around.

    How much a column differs from itself smoothed over angles is compared with the median over
    neighbouring columns; outliers, too little or too much, are interpolated linearly.

    The arguments and errors are those of `remove_large_stripes`.
    """
    given = floats_of(projections)
    size, ratio = _checked_window(window), positive(sensitivity, SENSITIVITY)
    result = result_for(given, out, np.float32)
    columns = np.arange(given.shape[2])
    for row in range(given.shape[1]):
        sinogram = given[:, row]
        change = _averaged(sinogram)
        np.abs(np.subtract(sinogram, change, out=change), out=change)
        change = change.sum(axis=0)
        usual = _running_median(change, size)
        unusual = np.divide(change, usual, out=np.ones_like(change), where=usual > 0)
        bad = _widened(outliers(unusual, ratio))
        bad[:2] = bad[-2:] = False  # nothing to interpolate between
        good = np.flatnonzero(~bad)
        after = np.searchsorted(good, columns[bad])
        left, right = good[after - 1], good[after]
        share = ((columns[bad] - left) / (right - left)).astype(np.float32)
        result[:, row] = sinogram
        result[:, row, bad] = (1 - share) * sinogram[:, left] + share * sinogram[:, right]
    return result


def _running_median(values: "NDArray[np.float32]", window: int) -> "NDArray[np.float32]":
    """Give the median over each value's window, mirrored at the ends."""
    middle = window // 2
    around = np.pad(values, middle, "symmetric")
    found = np.empty_like(values)
    step = max(1, AT_ONCE // window)
    for first in range(0, len(values), step):
        windows = sliding_window_view(around[first : first + step + 2 * middle], window)
        found[first : first + step] = np.partition(windows, middle)[:, middle]
    return found


def _averaged(sinogram: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Average each value with those of the angles before and after, mirrored at the ends."""
    around = np.pad(sinogram, ((AVERAGED // 2, (AVERAGED - 1) // 2), (0, 0)), "symmetric")
    total = around[: len(sinogram)].copy()
    for first in range(1, AVERAGED):
        total += around[first : first + len(sinogram)]
    total /= AVERAGED
    return total


def bytes_removing(angles: int, rows: int, columns: int, threads: int) -> int:
    """Give what any of these takes at most beside projections that it writes back in place.

    Sorting takes 12 bytes a pixel and thread, and of large stripes the smoothed rows and a copy
    that is sorted lie beside; the others take less.
    """
    padded = angles + 31  # at most, as native/tomo/preparation has it
    return 12 * padded * columns * min(threads, rows) + 8 * angles * rows * columns


def outliers(values: "NDArray[np.float32]", sensitivity: float) -> "NDArray[np.bool_]":
    """Find values beyond what the others, in order, lead one to expect (algorithm 4 of the paper).

    A line is fitted to the middle half of the sorted values; its rise over all is the noise.
    Where an end of the sorted values is more than `sensitivity` times the noise beyond the
    line's end, all beyond half of that are outliers.
    """
    ordered = np.sort(values).astype(np.float64)
    count = len(ordered)
    quarter = count // 4
    if quarter < 1:
        return np.zeros(count, np.bool_)
    ranks = np.arange(count)
    slope, low = np.polyfit(ranks[quarter:-quarter], ordered[quarter:-quarter], 1)
    noise, high = slope * (count - 1), low + slope * (count - 1)
    found = np.zeros(count, np.bool_)
    if ordered[-1] - high > sensitivity * noise:
        found |= values > high + sensitivity * noise / 2
    if low - ordered[0] > sensitivity * noise:
        found |= values < low - sensitivity * noise / 2
    return found


def _level(projections: "NDArray[np.float32]") -> "NDArray[np.float32]":
    angles = projections.shape[0]
    dropped = int(DROPPED * angles)
    ordered = np.sort(projections, axis=0)
    return np.asarray(
        ordered[dropped : angles - dropped].mean(axis=0, dtype=np.float64), np.float32
    )


def _widened(found: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    wide = found.copy()
    wide[1:] |= found[:-1]
    wide[:-1] |= found[1:]
    return wide


def _checked_window(window: int) -> int:
    size = whole(window, "The window against stripes", WIDEST_WINDOW)
    if size % 2 == 0 or size < 3:
        raise BadOption(f"The window against stripes is {size} columns; it must be odd, from 3.")
    return size
