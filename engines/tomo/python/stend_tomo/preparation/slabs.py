"""What every step is given: projections of a slab of detector rows, and where the result goes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import BadBuffer, BadProjections
from stend_tomo.validation import check_projections, has_whole_rows, shaped

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def counts_of(projections: "ArrayLike") -> "NDArray[Any]":
    """Give (angles, rows, columns) as uint16 or float32, without a copy where it is either.

    Raises:
        BadProjections: they have not three sides, are empty, or their pixels are no real numbers.
    """
    given = shaped(projections)
    check_projections(given, sinogram_order=False)
    return _rows_whole(np.asarray(given, counted_in(given.dtype)))


def counted_in(stored: "np.dtype[Any]") -> "np.dtype[Any]":
    """Give the type that counts of a stored one are taken in."""
    small = stored.kind == "u" and stored.itemsize <= 2
    return np.dtype(np.uint16 if small else np.float32)


def floats_of(
    projections: "ArrayLike", what: str = "projections", first_row: int = 0
) -> "NDArray[np.float32]":
    """Give (angles, rows, columns) as finite float32, without a copy where they are that.

    Errors count rows from `first_row`.

    Raises:
        BadProjections: as `counts_of`, and where a value is infinite or no number.
    """
    given = shaped(projections)
    check_projections(given, sinogram_order=False)
    floats = _rows_whole(np.asarray(given, np.float32))
    refuse_not_finite(
        floats, f"values of the {what}", "normalise them from counts, or replace them", first_row
    )
    return floats


def refuse_not_finite(
    projections: "NDArray[Any]", what: str, remedy: str, first_row: int = 0
) -> None:
    """Raise BadProjections if a value is infinite or no number, with the first one's place."""
    bad = [int(image.size - np.count_nonzero(np.isfinite(image))) for image in projections]
    if not any(bad):
        return
    angle = next(number for number, count in enumerate(bad) if count)
    row, column = np.argwhere(~np.isfinite(projections[angle]))[0].tolist()
    raise BadProjections(
        f"{sum(bad):,} {what} are infinite or not numbers, the first one in projection {angle}, "
        f"row {first_row + row}, column {column}; {remedy}."
    )


def _rows_whole(array: "NDArray[Any]") -> "NDArray[Any]":
    """Give an array whose rows' pixels follow on each other."""
    whole = has_whole_rows(array) and array.dtype.isnative
    return array if whole else np.array(array, array.dtype.newbyteorder("="), order="C")


def result_for(
    projections: "NDArray[Any]",
    out: "NDArray[Any] | None",
    dtype: "np.dtype[Any] | type",
    *,
    in_place: bool = True,
) -> "NDArray[Any]":
    """Give the array that the result goes to: a new one unless one was given.

    Raises:
        BadBuffer: the one given has another shape or type, can't be written, or overlaps.
    """
    shape, wanted = projections.shape, np.dtype(dtype)
    if out is None:
        return np.empty(shape, wanted)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != wanted:
        seen = f"{getattr(out, 'dtype', type(out).__name__)} of shape {getattr(out, 'shape', '?')}"
        raise BadBuffer(f"`out` is {seen}; the result is {wanted} of shape {shape}.")
    if not out.flags.writeable or not has_whole_rows(out):
        raise BadBuffer("`out` is read-only, or the pixels of its rows are not contiguous.")
    same = (
        in_place
        and out.strides == projections.strides
        and (out.__array_interface__["data"] == projections.__array_interface__["data"])
    )
    if not same and np.may_share_memory(out, projections):
        where = "begin together or lie apart" if in_place else "lie apart"
        raise BadBuffer(f"`out` and the projections overlap in memory; they have to {where}.")
    return out
