"""`filter`, `project` and `backproject`: what reconstructions are made of.

`filter` and `backproject` are the two halves of filtered back projection; `backproject` is the
transpose of `project`, slices → projections. Fourier transforms are SciPy's where it is installed:
NumPy's take 1.2 to 1.7 times as long on one core, 2.2 times on two.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo import native
from stend_tomo.errors import CENTER, COLUMNS, SIZE, ZOOM, BadBuffer, BadSlices
from stend_tomo.memory import (
    LANES,
    in_batches,
    sinograms,
    slices_read,
    spoilt_projections,
    spoilt_slices,
)
from stend_tomo.reconstructor import MOST_PIXELS
from stend_tomo.validation import (
    check_projections,
    checked_angles,
    checked_cutoff,
    checked_out,
    checked_pixel,
    checked_threads,
    measured,
    positive,
    real,
    sentences,
    shaped,
    shaped_slices,
    whole,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def rfft(rows: "NDArray[np.float32]", length: int) -> "NDArray[np.complex64]":
    """Transform along the last axis, zeros added up to the length."""
    return np.asarray((_scipy() or np.fft).rfft(rows, length), np.complex64)


def fft(rows: "NDArray[np.complex64]") -> "NDArray[np.complex64]":
    """Transform along the first axis."""
    return np.asarray((_scipy() or np.fft).fft(rows, axis=0), np.complex64)


def rfft2(image: "NDArray[np.float32]", workers: int) -> "NDArray[np.complex64]":
    """Transform an image."""
    if scipy := _scipy():
        return np.asarray(scipy.rfft2(image, workers=workers), np.complex64)
    return np.asarray(np.fft.rfft2(image), np.complex64)


def irfft2(
    spectrum: "NDArray[np.complex64]", shape: tuple[int, int], workers: int
) -> "NDArray[np.float32]":
    """Transform an image of this shape back."""
    if scipy := _scipy():
        return np.asarray(scipy.irfft2(spectrum, shape, workers=workers), np.float32)
    return np.asarray(np.fft.irfft2(spectrum, shape), np.float32)


def fast_length(least: int) -> int:
    """Give the next length that has no prime factor above 5."""
    while True:
        rest = least
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return least
        least += 1


@cache
def _scipy() -> Any:
    try:
        return import_module("scipy.fft")
    except ImportError:
        return None


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
        filter: the window of the ramp, one of `filters()`.
        cutoff: share of the band that is kept, above 0 and up to 1.
        sinogram_order: projections are (rows, angles, columns), and so is the result.
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("filter")`; by default the machine's best.
        out: array for the result: float32, its rows contiguous, of the projections' shape.

    Returns:
        What the projections are filtered to, of their shape.

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadOption: an invalid filter, variant or number.
        BadBuffer: `out` can't take the result.
    """
    given = shaped(projections)
    rows, angles, columns = check_projections(given, sinogram_order)
    with sentences():
        made = native.Filtering(
            columns,
            str(filter),
            checked_cutoff(cutoff),
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


def project(
    slices: "ArrayLike",
    angles: "ArrayLike",
    *,
    columns: int | None = None,
    center: float | None = None,
    zoom: float = 1.0,
    pixel: float | None = None,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Project slices by parallel rays; what is outside of them is empty.

    Along each ray pixels are interpolated linearly, in the rows or the columns, whichever it
    crosses more steeply (Joseph, IEEE Transactions on Medical Imaging 1(3), 1982, 192).
    `backproject` of the same geometry is the transpose, but for rounding.

    Args:
        slices: attenuation per detector pixel, or per mm where `pixel` is given: (rows, n, n),
            integers or floating point.
        angles: radians, one for each projection that is wanted.
        columns: pixels of a detector row; by default n.
        center: the detector column that the axis of rotation projects to, counted from 0 at
            pixels' centres; by default the middle, (columns - 1) / 2.
        zoom: pixels of a slice per detector pixel, along a side.
        pixel: a detector pixel's side in mm.
        sinogram_order: the result is (rows, angles, columns).
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("project")`; by default the machine's best.
        out: array for the result: float32, its rows contiguous, of the result's shape.

    Returns:
        Line integrals: (angles, rows, columns).

    Raises:
        BadSlices: they have a wrong shape or type, or values that are not finite.
        BadAngles: they are degrees or not numbers.
        BadOption: an invalid variant or number.
        BadBuffer: `out` can't take the result.
    """
    given = shaped_slices(slices)
    radians = checked_angles(angles)
    rows, size, _ = given.shape
    columns = size if columns is None else columns
    made = _projector(columns, radians, center, size, zoom, threads, variant)
    shape = (rows, len(radians), columns) if sinogram_order else (len(radians), rows, columns)
    result = checked_out(out, shape, given, result="projections", of="slices")
    turned = result if sinogram_order else result.transpose(1, 0, 2)
    per_mm = checked_pixel(pixel)
    for first, last in in_batches(rows, LANES, 4 * size * size):
        part = slices_read(given, first, last)
        with sentences(BadBuffer, overflow=BadSlices):
            bad = made.project(part, turned[first:last], per_mm)
        if bad is not None:
            raise spoilt_slices(part, bad, first)
    return result


def backproject(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    size: int | None = None,
    center: float | None = None,
    zoom: float = 1.0,
    pixel: float | None = None,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Add up projections along their rays, unfiltered: the transpose of `project`.

    For any slices and projections, (project(slices) · projections).sum() is (slices ·
    backproject(projections)).sum(), but for rounding. It weighs all projections alike.

    Args:
        projections: (angles, rows, columns), integers or floating point.
        angles: radians, one per projection.
        size: pixels of a slice's side; by default as many as the detector has columns.
        center: as for `project`.
        zoom: as for `project`.
        pixel: as for `project`; what comes out is multiplied by it.
        sinogram_order: projections are (rows, angles, columns).
        threads: as for `project`.
        variant: as for `project`.
        out: array for the result: float32, its rows contiguous, of the result's shape.

    Returns:
        (rows, size, size); a pixel has the sum over all angles of what is measured where it
        projects to, times its side in detector pixels (about; exactly, its weights in `project`).

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadAngles: their number differs from that of the projections, or they are degrees or not
            numbers.
        BadOption: an invalid variant or number.
        BadBuffer: `out` can't take the result.
    """
    given, radians, rows, columns = measured(projections, angles, sinogram_order)
    size = columns if size is None else size
    made = _projector(columns, radians, center, size, zoom, threads, variant)
    result = checked_out(out, (rows, size, size), given)
    per_mm = checked_pixel(pixel)
    for first, last in in_batches(rows, LANES, 4 * radians.size * columns):
        part = sinograms(given, first, last, sinogram_order, result)
        with sentences(BadBuffer):
            bad = made.back_project(part, result[first:last], per_mm)
        if bad is not None:
            raise spoilt_projections(part, bad, first, sinogram_order)
    return result


def _projector(
    columns: int,
    radians: "NDArray[np.float64]",
    center: float | None,
    size: int,
    zoom: float,
    threads: int | None,
    variant: str | None,
) -> native.Projector:
    with sentences():
        return native.Projector(
            whole(columns, COLUMNS, MOST_PIXELS),
            radians.tolist(),
            None if center is None else real(center, CENTER),
            whole(size, SIZE, MOST_PIXELS),
            1 / positive(zoom, ZOOM),
            str(variant or ""),
            checked_threads(threads),
        )
