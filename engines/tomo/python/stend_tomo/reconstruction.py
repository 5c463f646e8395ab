"""`reconstruct`: projections → slices, of an array in memory or of a Dask array."""

from typing import TYPE_CHECKING, Any

from stend_tomo.blocks import is_dask, reconstruct_blocks
from stend_tomo.errors import BadOption
from stend_tomo.reconstructor import Options, Reconstructor
from stend_tomo.validation import measured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def reconstruct(
    projections: "ArrayLike | Any",
    angles: "ArrayLike",
    *,
    algorithm: str = "dfr",
    filter: str = "ram-lak",
    cutoff: float = 1.0,
    iterations: int | None = None,
    non_negative: bool = False,
    center: float | None = None,
    size: int | None = None,
    zoom: float = 1.0,
    pixel: float | None = None,
    taper: float = 0.0,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Reconstruct slices from projections of a parallel beam (Kak and Slaney 1988, chapter 3).

    docs/tomo.md has the conventions. A float32 array whose detector rows are contiguous is read
    where it lies; others, and what is indexed as an array is, are read a slab at a time.

    Args:
        projections: line integrals, the negative logarithm of the transmission: (angles, rows,
            columns), integers or floating point. A Dask array gives a Dask array.
        angles: radians, one a projection, in any order and over any range. Directions that
            repeat modulo π share their weight. A gap counts at most as 5° or 1.62 usual gaps.
        algorithm: one of `algorithms()`; "dfr", direct Fourier reconstruction, is fast, and the
            sharpest of many views with little noise; "fbp" has smaller errors of noisy, few or
            unevenly spread views; "dfr_half" is "dfr" by way of half-precision numbers (IEEE 754
            binary16), with AVX-512 the fastest: within 2e-3 of the slice's largest value, 1e-4 on
            average.
            "sirt" and "cgls" iterate, as the functions of these names tell.
        filter: what the ramp is multiplied by, one of `filters()`.
        cutoff: the part of the band that is kept, above 0 and up to 1.
        iterations: of "sirt", by default 100, and of "cgls", 20.
        non_negative: these have no negative pixels.
        center: the detector column that the axis of rotation projects to, counted from 0 at
            pixels' centres; by default the middle, (columns - 1) / 2. Beside the detector, which
            then sees a ring around the axis and not the middle, as far as the slice reaches.
        size: pixels of a slice's side; by default as many as the detector has columns.
        zoom: how many pixels of a slice there are to one of the detector, along a side.
        pixel: a detector pixel's side in mm; then the result is in 1/mm.
        taper: radians over which projections at both ends of a scan of more than half a turn fade
            into those from the opposite side.
        sinogram_order: projections are (rows, angles, columns).
        threads: by default one for each CPU that this process may use; for a Dask array, which
            has several blocks reconstructed at once, one.
        variant: one of `variants(algorithm)`; by default the machine's best.
        out: where the result goes: float32, its rows contiguous, of the result's shape.

    Returns:
        Attenuation per detector pixel, or per mm where `pixel` is given: (rows, size, size).

    Raises:
        BadProjections: they have another shape or type, or hold what is no finite number.
        BadAngles: there are more or fewer than projections, or they are degrees or no numbers.
        BadOption: an algorithm, filter, variant or number that can't be, or what the algorithm
            doesn't heed.
        BadBuffer: `out` can't take the result.
    """
    options: Options = {
        "algorithm": algorithm,
        "filter": filter,
        "cutoff": cutoff,
        "iterations": iterations,
        "non_negative": non_negative,
        "center": center,
        "size": size,
        "zoom": zoom,
        "pixel": pixel,
        "taper": taper,
        "threads": threads,
        "variant": variant,
    }
    given, radians, _, columns = measured(projections, angles, sinogram_order)
    if is_dask(given):
        if out is not None:
            raise BadOption(
                "A Dask array gives a Dask array; `out` is for arrays in memory.", parameter="out"
            )
        blocks: NDArray[np.float32] = reconstruct_blocks(given, radians, options, sinogram_order)
        return blocks
    return Reconstructor(columns, radians, **options)(given, sinogram_order=sinogram_order, out=out)
