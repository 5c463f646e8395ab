"""What callers give: arrays, angles and numbers, looked at before anything is computed.

Projections are (angles, rows, columns) as scanners write them, or (rows, angles, columns), which
are sinograms. Each thing that can't be is one sentence.
"""

import errno
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo import native
from stend_tomo.errors import (
    CENTER,
    CUTOFF,
    PIXEL,
    Advice,
    BadAngles,
    BadBuffer,
    BadOption,
    BadProjections,
    BadSlices,
    Parameter,
    Part,
    TomoError,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


LARGEST_ANGLE = 4 * math.pi
"""Radians. Scans are of half a turn or one; larger angles are degrees, most of the time."""
MOST_THREADS = 4096
LONGEST = 10**20
"""What is shown of a whole number; Python refuses to write out those of thousands of digits."""
SOURCE_TO_AXIS = Parameter("source_to_axis", "The distance from source to axis")
SOURCE_TO_DETECTOR = Parameter("source_to_detector", "The distance from source to detector")
THREADS = Parameter("threads", "The number of threads")
SHORTEST, FARTHEST = 1e-30, 1e30
"""Of lengths."""
LARGEST_PIXEL = 1e37
"""Its inverse and it are ordinary numbers in float32."""


@contextmanager
def sentences(
    refusal: type[TomoError] = BadOption,
    overflow: type[TomoError] = BadProjections,
    parameter: str | None = None,
) -> Iterator[None]:
    """Raise what the compiled part refuses as such a refusal; float32's overflow has its own.

    Args:
        refusal: of what can't be.
        overflow: of sums that are too large.
        parameter: the name of the only one that can be refused here, if it is one.
    """
    try:
        with enough_threads():
            yield
    except TomoError:
        raise
    except OverflowError as error:
        raise overflow(str(error)) from None
    except ValueError as error:
        raise refusal(str(error), parameter=parameter) from None


@contextmanager
def enough_threads() -> Iterator[None]:
    """Raise BadOption where the system makes no more threads."""
    try:
        yield
    except RuntimeError as error:  # C++'s std::system_error, too
        if os.strerror(errno.EAGAIN) not in str(error):
            raise
        raise BadOption(
            f"The system made no more threads ({error}); use fewer, or raise the limits "
            "of processes and memory, ulimit -u and -v.",
            parameter="threads",
        ) from None


def shaped(projections: "ArrayLike") -> Any:
    """Give what has a shape and a type as it is, so that it is read a slab at a time."""
    return _shaped(projections, "projections", BadProjections)


def shaped_slices(slices: "ArrayLike") -> Any:
    """Give slices in the same way; they are (rows, n, n).

    Raises:
        BadSlices: they are not, or are empty, or their pixels are no real numbers.
    """
    given = _shaped(slices, "slices", BadSlices)
    shape = tuple(given.shape)
    if len(shape) != 3 or shape[1] != shape[2]:
        raise BadSlices(
            f"Slices are (rows, n, n), not of shape {shape}; a single one is image[None]."
        )
    if 0 in shape:
        raise BadSlices(f"There is no data in slices of shape {shape}.")
    if given.dtype.kind not in "iuf":
        raise BadSlices(f"Pixels of slices must be integers or floating point, not {given.dtype}.")
    return given


def _shaped(array: "ArrayLike", what: str, refusal: type[TomoError]) -> Any:
    given: Any = array
    if hasattr(given, "rows") and hasattr(given, "frame"):  # stend_tomo.Frames
        raise refusal(
            f"The {what} are a file's, which are read when they are asked for; give an array of "
            f"them, {what}.rows(first, last)."
        )
    kind = hasattr(getattr(given, "dtype", None), "kind")  # PyTorch tells types otherwise
    if not (hasattr(given, "shape") and kind and hasattr(given, "__getitem__")):
        try:
            given = np.asarray(given)
        except (TypeError, ValueError) as error:
            raise refusal(f"The {what} are not an array: {error}.") from None
    if np.ma.is_masked(given):
        raise refusal(masked(what))
    return given


def masked(what: str) -> str:
    """Say of a masked array what to do: what lies under the mask would be taken for measured."""
    return f"Some of the {what} are masked; fill them first, array.filled(value)."


def check_projections(given: Any, sinogram_order: bool) -> tuple[int, int, int]:
    """Give (rows, angles, columns).

    Raises:
        BadProjections: they have not three sides, are empty, or their pixels are no real numbers.
    """
    order = "(rows, angles, columns)" if sinogram_order else "(angles, rows, columns)"
    shape = tuple(given.shape)
    if len(shape) != 3:
        raise BadProjections(
            f"Projections are {order}, an array of three sides, not of shape {shape}; a single "
            "sinogram is sinogram[None] with sinogram_order=True."
        )
    if 0 in shape:
        raise BadProjections(f"There is no data in projections of shape {shape}, {order}.")
    if given.dtype.kind not in "iuf":
        raise BadProjections(
            f"Pixels of projections must be integers or floating point, not {given.dtype}."
        )
    rows, angles = shape[:2] if sinogram_order else shape[1::-1]
    return rows, angles, shape[2]


def check_count(angles: int, projections: int) -> None:
    """Refuse angles that are not one a projection."""
    if angles != projections:
        raise BadAngles(
            f"There are {angles} angles for {projections} projections; each needs its own. "
            "Projections are (angles, rows, columns), unless sinogram_order is true."
        )


def measured(
    projections: "ArrayLike", angles: "ArrayLike", sinogram_order: bool
) -> tuple[Any, "NDArray[np.float64]", int, int]:
    """Give projections that have a shape, their angles in radians, how many rows and columns.

    Raises:
        BadProjections: as `check_projections`.
        BadAngles: as `checked_angles` and `check_count`.
    """
    given = shaped(projections)
    rows, count, columns = check_projections(given, sinogram_order)
    radians = checked_angles(angles)
    check_count(radians.size, count)
    return given, radians, rows, columns


def checked_angles(angles: "ArrayLike") -> "NDArray[np.float64]":
    """Give angles in radians, one after the other.

    Raises:
        BadAngles: there are none, they are no finite numbers, or look like degrees.
    """
    if np.ma.is_masked(angles):
        raise BadAngles("Some angles are masked; leave out what was not measured.")
    try:
        numbers = np.asarray(angles)
        if numbers.dtype.kind not in "iufO":
            raise BadAngles(f"Angles must be numbers, in radians, not {numbers.dtype}.")
        radians = numbers.astype(np.float64)
    except BadAngles:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise BadAngles(f"Angles must be numbers, in radians: {error}.") from None
    if radians.ndim != 1 or not radians.size:
        raise BadAngles(f"Angles must be one number per projection, not of shape {radians.shape}.")
    if not np.isfinite(radians).all():
        first = int(np.argmin(np.isfinite(radians)))
        raise BadAngles(f"Angle {first} is {radians[first]}; leave out what was not measured.")
    if (largest := float(np.abs(radians).max())) > LARGEST_ANGLE:
        raise BadAngles(
            f"Angles reach {largest:g} radians, more than two turns. If they are degrees, ",
            Advice(
                "large angles",
                "give numpy.radians(angles); if the scan has that many turns, "
                "angles % (2 * numpy.pi)",
            ),
            ".",
        )
    return radians


def whole(number: int, what: Part, largest: int) -> int:
    """Give a whole number of at least 1; `what` begins the sentence for another."""
    try:
        value = index(number)
    except TypeError:
        raise BadOption(what, f" is a whole number, not {type(number).__name__}.") from None
    if not 1 <= value <= largest:
        shown = value if abs(value) < LONGEST else f"{'-' * (value < 0)}{LONGEST:g} or more"
        raise BadOption(what, f" is {shown}; it must be 1 to {largest}.")
    return value


def real(number: float, what: Part) -> float:
    """Give a finite number; `what` begins the sentence for another."""
    try:
        value = float(number)
    except (TypeError, ValueError):
        raise BadOption(what, f" is a number, not {number!r:.40}.") from None
    except OverflowError:
        raise BadOption(what, " has too many digits; it must be below 1e308.") from None
    if not math.isfinite(value):
        raise BadOption(what, f" is {value}; it must be finite.")
    return value


def positive(number: float, what: Part) -> float:
    """Give a finite number above 0."""
    value = real(number, what)
    if value <= 0:
        raise BadOption(what, f" is {value:g}; it must be above 0.")
    return value


def length(number: float, what: Part) -> float:
    """Give a length in the user's own unit; products of several are numbers still."""
    value = positive(number, what)
    if not SHORTEST <= value <= FARTHEST:
        raise BadOption(what, f" is {value:g}; it must be {SHORTEST:g} to {FARTHEST:g}.")
    return value


def checked_cutoff(cutoff: float) -> float:
    """Give the part of the band that a filter keeps."""
    value = positive(cutoff, CUTOFF)
    if value > 1:
        raise BadOption(CUTOFF, f" is {value:g}; it must be at most 1, the whole band.")
    return value


def checked_distances(source_to_axis: float, source_to_detector: float) -> tuple[float, float]:
    """Give both distances of a beam whose axis is before the detector, or at it."""
    axis = length(source_to_axis, SOURCE_TO_AXIS)
    detector = length(source_to_detector, SOURCE_TO_DETECTOR)
    if detector < axis:
        raise BadOption(
            f"The axis is {axis:g} from the source, but the detector, which must be farther, only "
            f"{detector:g}; ",
            Parameter("source_to_detector"),
            " counts from the source, not from the axis.",
        )
    return axis, detector


def checked_pixel(pixel: float | None) -> float:
    """Give a pixel's side, 1 where none is told; float32 is multiplied by it or by 1/it."""
    if pixel is None:
        return 1.0
    value = positive(pixel, PIXEL)
    if not 1 / LARGEST_PIXEL <= value <= LARGEST_PIXEL:
        raise BadOption(
            PIXEL, f" is {value:g}; it must be {1 / LARGEST_PIXEL:g} to {LARGEST_PIXEL:g}, in mm."
        )
    return value


def center_near(center: float, columns: int) -> float:
    """Give the column of an axis that is at most the detector's width away from it."""
    value = real(center, CENTER)
    if not -columns < value < 2 * columns:
        raise BadOption(
            CENTER,
            f" is {value:g}, more than a detector's width away from its {columns} pixels.",
        )
    return value


def not_negative(number: float, what: Part) -> float:
    """Give a finite number of at least 0."""
    value = real(number, what)
    if value < 0:
        raise BadOption(what, f" is {value:g}; it must be at least 0.")
    return value


def checked_taper(taper: float, radians: "NDArray[np.float64]") -> float:
    """Give how far the ends of a scan fade; one of half a turn or less has none to fade into."""
    value, covered = not_negative(taper, Parameter("taper", "The taper")), float(np.ptp(radians))
    if value and covered <= math.pi:
        raise BadOption(
            "The taper is for the ends of more than half a turn, and there are "
            f"{math.degrees(covered):.4g}°; leave it out.",
            parameter="taper",
        )
    return value


def checked_threads(threads: int | None) -> int:
    """Give how many threads shall work: by default one for each CPU that this process may use."""
    if threads is None:
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return whole(threads, THREADS, MOST_THREADS)


def checked_out(
    out: "NDArray[np.float32] | None",
    shape: tuple[int, int, int],
    source: Any,
    *,
    result: str = "slices",
    of: str = "projections",
) -> "NDArray[np.float32]":
    """Give the array that the result goes to: a new one unless one was given.

    Raises:
        BadBuffer: the one that was given can't take them.
    """
    if out is None:
        return np.empty(shape, np.float32)
    if not (isinstance(out, np.ndarray) and out.dtype == np.float32 and out.shape == shape):
        found = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out)
        raise BadBuffer(f"The {result} go to an array of float32 of shape {shape}, not to {found}.")
    if not (out.flags.writeable and lies_in_rows(out)):
        raise BadBuffer(f"The array for the {result} must be writable, and its rows contiguous.")
    if isinstance(source, np.ndarray) and np.may_share_memory(out, source):
        raise BadBuffer(f"The array for the {result} overlaps the {of}; give an array of its own.")
    return out


def lies_in_rows(array: "NDArray[np.generic]") -> bool:
    """Whether these are floats as the compiled part takes them."""
    return array.dtype == np.float32 and has_whole_rows(array)


def has_whole_rows(array: "NDArray[np.generic]") -> bool:
    """Whether pixels follow on each other in rows, which may lie anywhere whole pixels apart."""
    return (
        array.flags.aligned
        and (array.shape[2] == 1 or array.strides[2] == array.itemsize)
        and all(stride % array.itemsize == 0 for stride in array.strides)
    )


def algorithms() -> list[str]:
    """Names that `reconstruct` takes as `algorithm`, the default first."""
    return native.algorithms()


def filters() -> list[str]:
    """Names that the ramp is windowed by, the default first."""
    return native.filters()


def variants(algorithm: str) -> list[str]:
    """Names of an algorithm's implementations that this machine runs, slowest first.

    The last is the default. "filter", "project" (and backproject), "rebin_fan" and "fdk" have
    variants as well.

    Raises:
        BadOption: there is no such algorithm.
    """
    with sentences(parameter="algorithm"):
        return native.variants(str(algorithm))
