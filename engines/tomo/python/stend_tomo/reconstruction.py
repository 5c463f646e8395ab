"""Projections in memory → slices: `reconstruct`, of a Dask array as well, `sirt` and `cgls`.

Dask is not imported unless such an array is given: each block of rows is then reconstructed where
it lies.
"""

import importlib
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import BadOption
from stend_tomo.iterations import ITERATIONS, Told
from stend_tomo.reconstructor import Options, Reconstructor
from stend_tomo.validation import measured

if TYPE_CHECKING:
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

    docs/tomo.md has the conventions. A float32 array whose detector rows are contiguous is read in
    place; others, and objects that are indexed like arrays, are read a slab at a time.

    Args:
        projections: line integrals, the negative logarithm of the transmission: (angles, rows,
            columns), integers or floating point. A Dask array gives a Dask array.
        angles: radians, one per projection, in any order and over any range. Directions that
            repeat modulo π share their weight. A gap counts at most as 5° or 1.62 usual gaps.
        algorithm: one of `algorithms()`; "dfr", direct Fourier reconstruction, is fast, and the
            sharpest with many views and little noise; "fbp" has smaller errors with noisy, few or
            unevenly spread views; "dfr_half" is "dfr" with half-precision intermediate results
            (IEEE 754 binary16), the fastest with AVX-512: within 2e-3 of the slice's largest value,
            1e-4 on average. "sirt" and "cgls" iterate; see the functions of these names.
        filter: the window of the ramp, one of `filters()`.
        cutoff: share of the band that is kept, above 0 and up to 1.
        iterations: number of iterations; default: 100 for "sirt", 20 for "cgls".
        non_negative: keep pixels non-negative in "sirt" and "cgls".
        center: the detector column that the axis of rotation projects to, counted from 0 at
            pixels' centres; by default the middle, (columns - 1) / 2. It may lie off the detector,
            which then sees a ring around the axis but not the middle.
        size: pixels of a slice's side; by default as many as the detector has columns.
        zoom: pixels of a slice per detector pixel, along a side.
        pixel: a detector pixel's side in mm; then the result is in 1/mm.
        taper: radians over which projections at both ends of a scan of more than half a turn fade
            into those from the opposite side.
        sinogram_order: projections are (rows, angles, columns).
        threads: by default one for each CPU that this process may use; for a Dask array, which
            has several blocks reconstructed at once, one.
        variant: one of `variants(algorithm)`; by default the machine's best.
        out: array for the result: float32, its rows contiguous, of the result's shape.

    Returns:
        Attenuation per detector pixel, or per mm where `pixel` is given: (rows, size, size).

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadAngles: their number differs from that of the projections, or they are degrees or not
            numbers.
        BadOption: an invalid algorithm, filter, variant or number, or one that the algorithm does
            not use.
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


def sirt(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    iterations: int = ITERATIONS["sirt"],
    non_negative: bool = False,
    start: "ArrayLike | None" = None,
    progress: Told | None = None,
    center: float | None = None,
    size: int | None = None,
    zoom: float = 1.0,
    pixel: float | None = None,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Reconstruct by the simultaneous iterative reconstruction technique.

    For few, missing or noisy projections of a parallel beam, at some hundred times the time of
    `reconstruct`: slices x ← x + C Aᵀ R (projections - A x), A being `project`, R and C one over
    the sums of its rows and columns (Gregor and Benson, IEEE Transactions on Medical Imaging 27(7),
    2008, 918). Fewer iterations smooth more. Ctrl-C takes effect between iterations.

    Args:
        projections: line integrals, the negative logarithm of the transmission: (angles, rows,
            columns), integers or floating point.
        angles: radians, one per projection, in any order and over any range.
        iterations: how many.
        non_negative: negative pixels become 0 after each iteration.
        start: initial slices, (rows, size, size) like the result; default: zeros. May be
            `out`.
        progress: called before each iteration of some slices with the number of iterations done,
            the number of all (rows · iterations), and the root mean square residual of these
            slices' line integrals.
        center: the detector column that the axis of rotation projects to, counted from 0 at
            pixels' centres; by default the middle, (columns - 1) / 2.
        size: pixels of a slice's side; by default as many as the detector has columns. Everything
            that absorbs must be inside the slice.
        zoom: pixels of a slice per detector pixel, along a side.
        pixel: a detector pixel's side in mm; then the result is in 1/mm.
        sinogram_order: projections are (rows, angles, columns).
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("project")`; by default the machine's best.
        out: array for the result: float32, its rows contiguous, of the result's shape.

    Returns:
        Attenuation per detector pixel, or per mm where `pixel` is given: (rows, size, size).

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadSlices: the same for the start.
        BadAngles: their number differs from that of the projections, or they are degrees or not
            numbers.
        BadOption: an invalid variant or number.
        BadBuffer: `out` can't take the result.
    """
    options: Options = {
        "algorithm": "sirt",
        "iterations": iterations,
        "non_negative": non_negative,
        "center": center,
        "size": size,
        "zoom": zoom,
        "pixel": pixel,
        "threads": threads,
        "variant": variant,
    }
    return _iterated(projections, angles, options, sinogram_order, start, progress, out)


def cgls(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    iterations: int = ITERATIONS["cgls"],
    non_negative: bool = False,
    start: "ArrayLike | None" = None,
    progress: Told | None = None,
    center: float | None = None,
    size: int | None = None,
    zoom: float = 1.0,
    pixel: float | None = None,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Reconstruct by conjugate gradients of the least squares ‖projections - A x‖₂.

    It comes as near in ten or twenty iterations as `sirt` in a hundred, and then begins to fit
    noise (Björck, Numerical Methods for Least Squares Problems, 1996, 7.4). Where pixels are to be
    `non_negative`, those that aren't become 0 after every eighth iteration and the last, and it
    begins anew from there (Polyak, USSR Computational Mathematics and Mathematical Physics 9(4),
    1969, 94). Other arguments, the result and errors are those of `sirt`.
    """
    options: Options = {
        "algorithm": "cgls",
        "iterations": iterations,
        "non_negative": non_negative,
        "center": center,
        "size": size,
        "zoom": zoom,
        "pixel": pixel,
        "threads": threads,
        "variant": variant,
    }
    return _iterated(projections, angles, options, sinogram_order, start, progress, out)


def _iterated(
    projections: "ArrayLike",
    angles: "ArrayLike",
    options: Options,
    sinogram_order: bool,
    start: "ArrayLike | None",
    progress: Told | None,
    out: "NDArray[np.float32] | None",
) -> "NDArray[np.float32]":
    given, radians, _, columns = measured(projections, angles, sinogram_order)
    made = Reconstructor(columns, radians, **options)
    return made(given, sinogram_order=sinogram_order, out=out, start=start, progress=progress)


Key = tuple[int, bytes, tuple[tuple[str, object], ...]]
_kept = threading.local()
"""Of each thread of a worker: the reconstructor of its last block, which is the next one's, too."""


def is_dask(given: Any) -> bool:
    """Whether this is an array of Dask's, or of what goes by its protocol.

    What wraps arrays of any kind (xarray) has the method, too, and gives None for one in memory.
    """
    graph = getattr(given, "__dask_graph__", None)
    return graph is not None and graph() is not None


def reconstruct_blocks(
    projections: Any, angles: "NDArray[np.float64]", options: Options, sinogram_order: bool
) -> Any:
    """Give slices as a Dask array, in the blocks of rows that the projections have.

    A block holds all angles and all columns of its rows; projections in other blocks are cut
    anew, by Dask. What can't be is raised now, not by a worker.
    """
    array: Any = importlib.import_module("dask.array")  # typed in part only
    sinograms = projections if sinogram_order else projections.transpose(1, 0, 2)
    rows = "auto" if sinograms.numblocks[0] == 1 else sinograms.chunks[0]
    sinograms = sinograms.rechunk((rows, -1, -1))
    if options["threads"] is None:
        options = {**options, "threads": 1}
    columns = sinograms.shape[2]
    size = Reconstructor(columns, angles, **options).size
    key = (columns, angles.tobytes(), tuple(sorted(options.items())))
    return array.map_blocks(
        partial(_reconstruct_block, key, sinogram_order),
        sinograms,
        dtype=np.float32,
        chunks=(sinograms.chunks[0], (size,), (size,)),
        meta=np.empty((0, 0, 0), np.float32),
    )


def _reconstruct_block(
    key: Key, sinogram_order: bool, block: "NDArray[np.generic]", block_info: Any
) -> "NDArray[np.float32]":
    """Reconstruct a block; Dask tells where it lies, for faults to be named there."""
    first: int = block_info[0]["array-location"][0][0]
    return _reconstructor(key).block(block, first, sinogram_order)


def _reconstructor(key: Key) -> Reconstructor:
    if getattr(_kept, "key", None) != key:
        columns, angles, options = key
        named: Any = dict(options)
        _kept.reconstructor = Reconstructor(columns, np.frombuffer(angles), **named)
        _kept.key = key
    made: Reconstructor = _kept.reconstructor
    return made
