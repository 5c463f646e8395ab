"""`sirt` and `cgls`: slices by iterating projection and back projection."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stend.tomo import native
from stend.tomo.batches import LANES, in_batches, sinograms, spoilt_projections, spoilt_slices
from stend.tomo.errors import BadBuffer, BadProjections, BadSlices
from stend.tomo.given import (
    checked_out,
    checked_pixel,
    checked_threads,
    enough_threads,
    measured,
    positive,
    real,
    sentences,
    shaped_slices,
    whole,
)
from stend.tomo.reconstructor import MOST_PIXELS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MOST_ITERATIONS = 1 << 20

Told: TypeAlias = Callable[[int, int, float], None]
"""Told before each iteration of some slices: iterations that slices have had, of how many (those
of all slices), and the root mean square of what these slices leave of their line integrals."""


def sirt(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    iterations: int = 100,
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
    asked = _Asked(
        False, iterations, non_negative, center, size, zoom, pixel, sinogram_order, threads, variant
    )
    return _iterated(projections, angles, asked, start, progress, out)


def cgls(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    iterations: int = 20,
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
    asked = _Asked(
        True, iterations, non_negative, center, size, zoom, pixel, sinogram_order, threads, variant
    )
    return _iterated(projections, angles, asked, start, progress, out)


@dataclass(frozen=True)
class _Asked:
    """How to iterate, as the arguments of `sirt` and `cgls` say."""

    conjugate: bool
    iterations: int
    non_negative: bool
    center: float | None
    size: int | None
    zoom: float
    pixel: float | None
    sinogram_order: bool
    threads: int | None
    variant: str | None

    def made(
        self, columns: int, radians: "NDArray[np.float64]", size: int
    ) -> native.IterativeReconstruction:
        with sentences():
            return native.IterativeReconstruction(
                whole(columns, "The number of detector columns", MOST_PIXELS),
                radians.tolist(),
                None if self.center is None else real(self.center, "The center"),
                size,
                1 / positive(self.zoom, "The zoom"),
                self.conjugate,
                whole(self.iterations, "The number of iterations", MOST_ITERATIONS),
                bool(self.non_negative),
                str(self.variant or ""),
                checked_threads(self.threads),
            )


def _iterated(
    projections: "ArrayLike",
    angles: "ArrayLike",
    asked: _Asked,
    start: "ArrayLike | None",
    progress: Told | None,
    out: "NDArray[np.float32] | None",
) -> "NDArray[np.float32]":
    given, radians, rows, columns = measured(projections, angles, asked.sinogram_order)
    size = whole(columns if asked.size is None else asked.size, "The size of a slice", MOST_PIXELS)
    pixel = checked_pixel(asked.pixel)
    made = asked.made(columns, radians, size)
    slices = checked_out(out, (rows, size, size), given)
    begun = None if start is None else _checked_start(start, slices)
    for first, last in in_batches(rows, LANES, 4 * radians.size * columns):
        part = sinograms(given, first, last, asked.sinogram_order, slices)
        room = slices[first:last]
        if begun is not None:
            _begin(room, begun, first, pixel)
        told = _Telling(progress, first, rows, asked.iterations, radians.size * columns)
        try:
            with enough_threads():  # and what `progress` raises passes as it is
                bad = made.run(part, room, begun is not None, told)
        finally:
            if pixel != 1:  # of what was stopped, too: `start` may be `out`
                room /= np.float32(pixel)
        if bad is not None:
            raise spoilt_projections(part, bad, first, asked.sinogram_order)
        if not np.isfinite(room).all():
            raise BadProjections(
                "These values are too large for float32, their sums are not finite; divide them."
            )
    return slices


def _checked_start(start: "ArrayLike", slices: "NDArray[np.float32]") -> Any:
    given = shaped_slices(start)
    if tuple(given.shape) != slices.shape:
        raise BadSlices(f"The start is of shape {given.shape}; the result's is {slices.shape}.")
    if given is not slices and isinstance(given, np.ndarray) and np.may_share_memory(given, slices):
        raise BadBuffer("The start overlaps the array for the slices; give the same or another.")
    return given


def _begin(room: "NDArray[np.float32]", begun: Any, first: int, pixel: float) -> None:
    """Write where to begin, in attenuation per detector pixel."""
    room[...] = begun[first : first + len(room)]
    if not np.isfinite(room).all():
        row, line, column = (int(i) for i in np.argwhere(~np.isfinite(room))[0])
        raise spoilt_slices(room, (row, line, column), first)
    if pixel != 1:
        room *= np.float32(pixel)


@dataclass(frozen=True)
class _Telling:
    """What the compiled part calls before each iteration of slices of a batch."""

    progress: Told | None
    begins: int
    """The batch's first slice."""
    rows: int
    iterations: int
    rays: int
    """Of a slice."""

    def __call__(self, first: int, iterations: int, norms: list[float]) -> None:
        if self.progress is None:
            return
        done = (self.begins + first) * self.iterations + iterations * len(norms)
        squares = sum(norm * norm for norm in norms)
        self.progress(
            done, self.rows * self.iterations, math.sqrt(squares / (len(norms) * self.rays))
        )
