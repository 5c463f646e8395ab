"""A geometry and a method, made once, for any number of slabs: projections → slices."""

import threading
import time
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from stend.tomo import native
from stend.tomo.errors import BadOption, BadProjections
from stend.tomo.given import (
    check_count,
    check_projections,
    checked_angles,
    checked_out,
    checked_threads,
    lies_in_rows,
    not_negative,
    positive,
    real,
    shaped,
    whole,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MOST_PIXELS = 1 << 15
"""Of a side of a slice and of a row of the detector."""
PATIENCE = 0.1
"""Seconds after which it is time to look whether Ctrl-C was pressed."""
CONVERTED = 1 << 27
"""Bytes that projections of another type than float32 take at most while they are converted."""


class Options(TypedDict, total=False):
    """How to reconstruct: the named arguments of `reconstruct` and `Reconstructor`."""

    algorithm: str
    filter: str
    cutoff: float
    center: float | None
    size: int | None
    zoom: float
    pixel: float | None
    taper: float
    threads: int | None
    variant: str | None


class Reconstructor:
    """What `reconstruct` does, with its tables kept for the next slab of the same scan.

    Calls from several threads wait for each other.

        reconstructor = Reconstructor(columns, angles, center=1023.4)
        for slab in slabs:
            slices = reconstructor(slab)
    """

    def __init__(
        self,
        columns: int,
        angles: "ArrayLike",
        *,
        algorithm: str = "dfr",
        filter: str = "ram-lak",
        cutoff: float = 1.0,
        center: float | None = None,
        size: int | None = None,
        zoom: float = 1.0,
        pixel: float | None = None,
        taper: float = 0.0,
        threads: int | None = None,
        variant: str | None = None,
    ) -> None:
        """Make the tables; the arguments are those of `reconstruct`, `columns` the detector's.

        Raises:
            BadAngles: they are missing, in degrees or no numbers.
            BadOption: an algorithm, filter, variant or number that can't be.
        """
        columns = whole(columns, "The number of detector columns", MOST_PIXELS)
        size = columns if size is None else whole(size, "The size of a slice", MOST_PIXELS)
        radians = checked_angles(angles)
        try:
            self._made = native.Reconstruction(
                columns,
                radians.tolist(),
                None if center is None else real(center, "The center"),
                size,
                1 / positive(zoom, "The zoom"),
                str(algorithm),
                str(filter),
                positive(cutoff, "The filter's cutoff"),
                not_negative(taper, "The taper"),
                variant or "",
                checked_threads(threads),
            )
        except ValueError as error:
            raise error if isinstance(error, BadOption) else BadOption(str(error)) from None
        self._per_pixel = 1.0 if pixel is None else 1 / positive(pixel, "The size of a pixel")
        self._sides = (radians.size, columns, size)
        self._lock = threading.Lock()

    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
        return self._made.variant

    @property
    def size(self) -> int:
        """Pixels of a slice's side."""
        return self._sides[2]

    @property
    def together(self) -> int:
        """How many slices are reconstructed at once; slabs of a multiple of it are fastest."""
        return self._made.together

    @property
    def bytes(self) -> int:
        """Of tables and memory that this object holds."""
        return self._made.bytes

    def __call__(
        self,
        projections: "ArrayLike",
        *,
        sinogram_order: bool = False,
        out: "NDArray[np.float32] | None" = None,
    ) -> "NDArray[np.float32]":
        """Reconstruct a slab: the first and last arguments and the result of `reconstruct`.

        Raises:
            BadProjections: they have another shape or type, or hold what is no finite number.
            BadAngles: there are more or fewer projections than angles.
            BadBuffer: `out` can't take the result.
        """
        given = shaped(projections)
        rows, count, found = check_projections(given, sinogram_order)
        angles, columns, size = self._sides
        check_count(angles, count)
        if found != columns:
            raise BadProjections(
                f"These projections have {found} columns; this reconstructor is for {columns}."
            )
        slices = checked_out(out, (rows, size, size), given)
        with self._lock:
            self._run(given, sinogram_order, rows, slices)
        return slices

    def _run(
        self, given: Any, sinogram_order: bool, rows: int, slices: "NDArray[np.float32]"
    ) -> None:
        """Some batches at a time, so that Ctrl-C is heard and little is converted at once."""
        step = self.together
        converted = max(step, CONVERTED // (4 * self._sides[0] * self._sides[1]))
        first = 0
        while first < rows:
            last = min(first + step, rows)
            began = time.perf_counter()
            part = sinograms(given, first, last, sinogram_order)
            bad = self._made.run(part, slices[first:last], self._per_pixel)
            if bad is not None:
                raise _not_finite(part, bad, first, sinogram_order)
            if time.perf_counter() - began < PATIENCE and 2 * step <= converted:
                step *= 2
            first = last


def sinograms(given: Any, first: int, last: int, sinogram_order: bool) -> "NDArray[np.float32]":
    """Give rows first … last - 1 as (rows, angles, columns): a view where that can be."""
    part = given[first:last] if sinogram_order else given[:, first:last]
    part = np.asarray(part)
    if not sinogram_order:
        part = part.transpose(1, 0, 2)
    return part if lies_in_rows(part) else np.ascontiguousarray(part, np.float32)


def _not_finite(
    part: "NDArray[np.float32]", at: tuple[int, int, int], first: int, sinogram_order: bool
) -> BadProjections:
    row, angle, column = at
    row_of_all = first + row
    place = (row_of_all, angle, column) if sinogram_order else (angle, row_of_all, column)
    return BadProjections(
        f"projections[{', '.join(map(str, place))}] is {part[at]}: row {row_of_all}, angle {angle},"
        f" column {column}. One such value spoils its whole slice; replace it, by its neighbours' "
        "mean for instance."
    )
