"""A geometry and a method, made once, for any number of slabs: projections → slices."""

import math
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from stend_tomo import native
from stend_tomo.errors import CENTER, COLUMNS, SIZE, ZOOM, BadBuffer, BadOption, BadProjections
from stend_tomo.iterations import Course, Told, checked_iterations, checked_start
from stend_tomo.memory import in_batches, sinograms, spoilt_projections
from stend_tomo.validation import (
    center_near,
    check_count,
    check_projections,
    checked_angles,
    checked_cutoff,
    checked_out,
    checked_pixel,
    checked_taper,
    checked_threads,
    positive,
    real,
    sentences,
    shaped,
    whole,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MOST_PIXELS = 1 << 15
"""Of a side of a slice and of a row of the detector."""


class Options(TypedDict, total=False):
    """How to reconstruct: the named arguments of `reconstruct` and `Reconstructor`."""

    algorithm: str
    filter: str
    cutoff: float
    iterations: int | None
    non_negative: bool
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
        iterations: int | None = None,
        non_negative: bool = False,
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
            BadOption: an invalid algorithm, filter, variant or number, or one that the algorithm
                does not use.
        """
        columns = whole(columns, COLUMNS, MOST_PIXELS)
        size = columns if size is None else whole(size, SIZE, MOST_PIXELS)
        radians, algorithm = checked_angles(angles), str(algorithm)
        if algorithm == "fdk":
            raise BadOption(
                '"fdk" has a function of its own, stend_tomo.fdk, with its own options.',
                parameter="algorithm",
            )
        self._iterations = checked_iterations(
            algorithm, iterations, non_negative, filter=filter, cutoff=cutoff, taper=taper
        )
        side = 1 / positive(zoom, ZOOM)
        about = _checked_center(center, columns, size * side)
        geometry = columns, radians.tolist(), about, size, side
        how = str(variant or ""), checked_threads(threads)
        self._made: native.Reconstruction | native.IterativeReconstruction
        with sentences():
            if self._iterations:
                self._made = native.IterativeReconstruction(
                    *geometry, algorithm, self._iterations, bool(non_negative), *how
                )
            else:
                self._made = native.Reconstruction(
                    *geometry,
                    algorithm,
                    str(filter),
                    checked_cutoff(cutoff),
                    checked_taper(taper, radians),
                    *how,
                )
        self._pixel = checked_pixel(pixel)
        self._sides = (radians.size, columns, size)
        self._lock = threading.RLock()  # an array that is read may reconstruct as well

    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
        return self._made.variant

    @property
    def size(self) -> int:
        """Pixels of a slice's side."""
        return self._sides[2]

    @property
    def iterations(self) -> int:
        """How many each slice has; 0 of algorithms that don't iterate."""
        return self._iterations

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
        start: "ArrayLike | None" = None,
        progress: Told | None = None,
    ) -> "NDArray[np.float32]":
        """Reconstruct a slab: arguments and the result are those of `reconstruct`, and of `sirt`.

        Only what iterates can begin at a `start` and has `progress` to tell.

        Raises:
            BadProjections: they have a wrong shape or type, or values that are not finite.
            BadSlices: the same for the start.
            BadAngles: there are more or fewer projections than angles.
            BadOption: there is a start for an algorithm that doesn't iterate.
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
        if start is not None and not self._iterations:
            raise BadOption(
                "Only iterating algorithms take a start; leave it out.", parameter="start"
            )
        begun = None if start is None else checked_start(start, slices)
        with self._lock:
            self._run(given, sinogram_order, slices, _Whole(0, sinogram_order), begun, progress)
        return slices

    def block(
        self, sinograms: "ArrayLike", first: int, sinogram_order: bool
    ) -> "NDArray[np.float32]":
        """Reconstruct sinograms from row `first` on of an array in this order, which faults name.

        Raises:
            BadProjections: they have a wrong shape or type, or values that are not finite.
        """
        given = shaped(sinograms)
        rows, _, _ = check_projections(given, sinogram_order=True)
        slices = np.empty((rows, self.size, self.size), np.float32)
        with self._lock:
            self._run(given, True, slices, _Whole(first, sinogram_order))
        return slices

    def _run(
        self,
        given: Any,
        sinogram_order: bool,
        slices: "NDArray[np.float32]",
        of: "_Whole",
        start: Any = None,
        progress: Told | None = None,
    ) -> None:
        angles, columns, _ = self._sides
        course = Course(self._iterations, len(slices), angles * columns, start, progress)
        for first, last in in_batches(len(slices), self.together, 4 * angles * columns):
            part = sinograms(given, first, last, sinogram_order, slices)
            room = slices[first:last]
            if isinstance(self._made, native.IterativeReconstruction):
                bad = course.iterate(self._made, part, room, first, self._pixel)
            else:
                with sentences(BadBuffer):
                    bad = self._made.run(part, room, 1 / self._pixel)
            if bad is not None:
                raise spoilt_projections(part, bad, of.first + first, of.sinogram_order)


class _Whole(NamedTuple):
    """What a slab is part of, and users know: its row of that is the slab's row 0."""

    first: int
    sinogram_order: bool


def _checked_center(center: float | None, columns: int, across: float) -> float | None:
    """Give the axis's column; `across` is a slice's side in columns.

    It may be beside the detector, which then sees a ring around the axis; where that ring is
    outside of the slice as well, the slice would be empty.
    """
    if center is None:
        return None
    value = real(center, CENTER)
    beside = max(-value, value - (columns - 1))
    if beside > (reach := across / math.sqrt(2)):
        raise BadOption(
            f"The center is {value:g}, {beside:g} columns outside of a detector of {columns}; it "
            f"sees nothing of the slice, which reaches {reach:g} from the axis. Centers are "
            "columns counted from 0.",
            parameter="center",
        )
    return center_near(value, columns)
