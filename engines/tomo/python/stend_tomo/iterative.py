"""`sirt` and `cgls`: slices by iterating projection and back projection, of an array in memory."""

from typing import TYPE_CHECKING

from stend_tomo.iterations import ITERATIONS, Told
from stend_tomo.reconstructor import Options, Reconstructor
from stend_tomo.validation import measured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


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
    2008, 918). Fewer iterations smooth more. Ctrl-C is heard between iterations.

    Args:
        projections: line integrals, the negative logarithm of the transmission: (angles, rows,
            columns), integers or floating point.
        angles: radians, one a projection, in any order and over any range.
        iterations: how many.
        non_negative: negative pixels become 0 after each iteration.
        start: slices to begin at, (rows, size, size), as the result is; by default zeros. May be
            `out`.
        progress: called before each iteration of some slices with how many iterations are done, of
            how many (rows · iterations), and the root mean square of what these slices
            leave of their line integrals.
        center: the detector column that the axis of rotation projects to, counted from 0 at
            pixels' centres; by default the middle, (columns - 1) / 2.
        size: pixels of a slice's side; by default as many as the detector has columns. What
            absorbs has to lie inside of the slice.
        zoom: how many pixels of a slice there are to one of the detector, along a side.
        pixel: a detector pixel's side in mm; then the result is in 1/mm.
        sinogram_order: projections are (rows, angles, columns).
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("project")`; by default the machine's best.
        out: where the result goes: float32, its rows contiguous, of the result's shape.

    Returns:
        Attenuation per detector pixel, or per mm where `pixel` is given: (rows, size, size).

    Raises:
        BadProjections: they have another shape or type, or hold what is no finite number.
        BadSlices: the same of the start.
        BadAngles: there are more or fewer than projections, or they are degrees or no numbers.
        BadOption: a variant or number that can't be.
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
