"""A scan larger than memory → a volume in a file, a slab of detector rows at a time.

While one slab is reconstructed, a thread reads and prepares the next, and another writes the last.
"""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias, Unpack

import numpy as np

from stend.tomo.ahead import Ahead
from stend.tomo.errors import BadAngles, BadOption, BadProjections
from stend.tomo.given import check_count, checked_threads
from stend.tomo.iterating import Told
from stend.tomo.memory import bytes_of, most_of_tables, refuse_hopeless, rows_that_fit
from stend.tomo.reconstructor import Options, Reconstructor
from stend.tomo.told import refuse_untrue
from stend.tomo.writing.durable import packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend.tomo.scan import Scan
    from stend.tomo.volume import Volume

PARTS = 8
"""A volume is made in at least as many slabs, so that reading and computing go side by side."""
PREPARED = 1 << 29
"""Bytes of line integrals that a slab has at most, if one batch allows it: more are not read any
faster, and Ctrl-C is heard when they are read."""
WRITTEN = 1 << 25
"""Bytes of slices that are written at once, for the same reason; compressed, they lie beside."""
REWRITTEN = 7
"""Times its bytes that a slice takes to be put into another form: DICOM 6.5, PNG 6, TIFF 2."""

Progress: TypeAlias = Callable[[int, int, float], None]
"""Told after each part: slices that are there, slices in all, slices a second since the start."""


class Prepare(Protocol):
    """What makes line integrals of some rows of a scan: normalisation, ring removal and the like.

    May use as much memory as its result takes, beside that and the rows as they are stored. One
    that takes more has `bytes(scan, rows)`: of all that preparing so many rows takes at its
    height, its result included.
    """

    def __call__(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give detector rows first … last - 1: (projections, rows, columns)."""


def line_integrals(scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
    """Read rows of a scan that needs no preparation.

    Raises:
        BadProjections: it holds intensities.
    """
    if not scan.normalized:
        raise BadProjections(
            "The scan holds intensities, not line integrals; give a `prepare` that normalises them."
        )
    stored = scan.projections.rows(first, last)
    if stored.dtype.kind not in "iuf":
        raise BadProjections(f"Pixels are integers or floating point, not {stored.dtype}.")
    return stored.astype(np.float32, copy=False)


def reconstruct_scan(
    scan: "Scan",
    volume: "Volume",
    *,
    prepare: Prepare = line_integrals,
    memory: int | str = "4 GB",
    progress: Progress | None = None,
    iterating: Told | None = None,
    **options: Unpack[Options],
) -> None:
    """Reconstruct a scan into a volume, from the first slice that it lacks.

    What was interrupted goes on when it is called again with the same arguments.

    Args:
        scan: read a slab of rows at a time.
        volume: told of each slab, by a thread, then to finish; its shape is (detector rows, size,
            size).
        prepare: what makes line integrals of rows as they are stored.
        memory: what this call may take at most beside what the process has: bytes or "4 GB".
        progress: told by that thread how many slices are there, of how many, and the speed.
        iterating: told before each iteration as the `progress` of `sirt` is; of all slices, those
            that were there before included.
        options: those of `reconstruct`; `pixel` is the scan's unless given.

    Raises:
        BadAngles: the scan has none, or they are degrees or no numbers.
        BadProjections: what was prepared has another shape, or holds what is no finite number.
        BadOption: an option can't be, or the volume is of another shape, unit or pixel.
        TooLittleMemory: not even one slice can be made under the cap.
    """
    work = ScanReconstruction(scan, prepare=prepare, memory=memory, **options)
    work.into(volume, progress, iterating)


class ScanReconstruction:
    """What `reconstruct_scan` does, with its tables made, for single slices and then for all."""

    def __init__(
        self,
        scan: "Scan",
        *,
        prepare: Prepare = line_integrals,
        memory: int | str = "4 GB",
        **options: Unpack[Options],
    ) -> None:
        """Make tables, and see how many rows fit under the cap; as `reconstruct_scan`."""
        projections, rows, columns = scan.projections.shape
        if 0 in scan.projections.shape:
            raise BadProjections(f"There is nothing in projections of {scan.projections.shape}.")
        if scan.angles is None:
            raise BadAngles(
                "The scan's file tells no angles; set them: dataclasses.replace(scan, …)."
            )
        check_count(len(scan.angles), projections)
        cap = bytes_of(memory)
        named: Options = {"pixel": scan.pixel, **options}
        self._scan, self._prepare = scan, prepare
        side = options.get("size") or columns
        if isinstance(side, int) and side > 0:  # else a sentence of the reconstructor's
            self.shape = rows, side, side
            threads = checked_threads(options.get("threads"))
            tables = most_of_tables(projections, columns, side, threads)
            refuse_hopeless(cap, self._bytes(1), tables)
        self._reconstructor = made = Reconstructor(columns, scan.angles, **named)
        self.shape = rows, made.size, made.size
        pixel = named["pixel"]
        self._unit = "1/pixel" if pixel is None else "1/mm"
        self._side = None if pixel is None else pixel / named.get("zoom", 1.0)
        self._fitting = rows_that_fit(cap, made.bytes, self._bytes, rows, made.together)

    def _bytes(self, rows: int) -> int:
        """Of a slab of so many rows while it is computed, the last written, the next prepared."""
        projections, _, columns = self._scan.projections.shape
        prepared = 4 * projections * columns * rows
        slice_ = 4 * self.shape[1] * self.shape[2]
        at_once = min(rows, _written_at_once(slice_))
        return (
            prepared
            + bytes_preparing(self._prepare, self._scan, rows)
            + (2 * rows + at_once + REWRITTEN * packing(at_once)) * slice_
        )

    def slice(self, row: int, iterating: Told | None = None) -> "NDArray[np.float32]":
        """Reconstruct one slice, (size, size)."""
        prepared = self._prepare(self._scan, row, row + 1)
        self._check_prepared(prepared, 1)
        made: NDArray[np.float32] = self._slices(
            prepared, row, np.empty((1, *self.shape[1:]), np.float32), iterating
        )[0]
        return made

    def into(
        self, volume: "Volume", progress: Progress | None = None, iterating: Told | None = None
    ) -> None:
        """Reconstruct what the volume lacks; as `reconstruct_scan`."""
        if volume.shape != self.shape:
            raise BadOption(f"The volume's shape is {volume.shape}; the scan makes {self.shape}.")
        refuse_untrue(volume, self._unit, self._side)
        if not 0 <= volume.written <= self.shape[0]:
            raise BadOption(
                f"The volume tells of {volume.written} slices written, of {self.shape[0]}; begin a "
                "new one."
            )
        if slabs := list(self._slabs(volume.written)):
            self._run(volume, slabs, progress, iterating)
        volume.finish()

    def _slabs(self, begin: int) -> Iterator[tuple[int, int]]:
        rows, together = self.shape[0], self._reconstructor.together
        projections, _, columns = self._scan.projections.shape
        enough = PREPARED // (4 * projections * columns * together)
        batches = min(-(-rows // (PARTS * together)), max(1, enough))
        if self._reconstructor.iterations:
            batches = 1  # takes long enough, and what is not written yet is lost by Ctrl-C
        step = min(self._fitting, batches * together)
        for first in range(begin, rows, step):
            yield first, min(first + step, rows)

    def _run(
        self,
        volume: "Volume",
        slabs: list[tuple[int, int]],
        progress: Progress | None,
        iterating: Told | None,
    ) -> None:
        stop = threading.Event()
        write = partial(_write, volume, progress, stop, volume.written, time.perf_counter())
        rows = slabs[0][1] - slabs[0][0]
        rooms = [np.empty((rows, *self.shape[1:]), np.float32) for _ in slabs[:2]]
        coming, writing = self._ahead(slabs[0]), Ahead(lambda: None)
        try:  # an interrupt while a thread starts finds it by its name already
            coming.start()
            writing.start()
            for number, (first, last) in enumerate(slabs):
                sinograms = coming.result()
                self._check_prepared(sinograms, last - first)
                writing.check()  # a full disk is told before more is read and computed
                if number + 1 < len(slabs):
                    coming = self._ahead(slabs[number + 1])
                    coming.start()
                room = rooms[number % 2][: last - first]
                slices = self._slices(sinograms, first, room, self._of_all(first, iterating))
                del sinograms
                writing.result()
                writing = Ahead(partial(write, first, slices))
                writing.start()
            writing.result()
        except BaseException:
            stop.set()  # and no exception in the writer, where it may hit a thread being started
            coming.give_up()
            writing.wait()
            raise

    def _ahead(self, slab: tuple[int, int]) -> Ahead["NDArray[np.float32]"]:
        return Ahead(partial(self._prepare, self._scan, *slab))

    def _of_all(self, first: int, iterating: Told | None) -> Told | None:
        """Give who is told of the iterations of a slab as of those of all slices."""
        each, rows = self._reconstructor.iterations, self.shape[0]
        return iterating and (
            lambda done, _, residual: iterating(first * each + done, rows * each, residual)
        )

    def _slices(
        self,
        sinograms: "NDArray[np.float32]",
        first: int,
        room: "NDArray[np.float32]",
        told: Told | None,
    ) -> "NDArray[np.float32]":
        try:
            return self._reconstructor(sinograms, out=room, progress=told)
        except BadProjections as error:
            raise BadProjections(f"With row {first} of the scan as row 0: {error}") from None

    def _check_prepared(self, prepared: "NDArray[np.float32]", rows: int) -> None:
        projections, _, columns = self._scan.projections.shape
        found = getattr(prepared, "shape", None)
        if found != (projections, rows, columns):
            what = type(prepared).__name__ if found is None else f"of shape {found}"
            raise BadProjections(
                f"What was prepared is {what}; (projections, rows, columns) of this slab is "
                f"{(projections, rows, columns)}."
            )


def bytes_preparing(prepare: Prepare, scan: "Scan", rows: int) -> int:
    """Give what preparing so many rows takes at its height, with the rows as they are stored."""
    told: Callable[[Scan, int], int] | None = getattr(prepare, "bytes", None)
    if told is not None:
        return told(scan, rows)
    projections, _, columns = scan.projections.shape
    return (scan.projections.dtype.itemsize + 2 * 4) * projections * columns * rows


def _written_at_once(slice_: int) -> int:
    """How many slices of so many bytes."""
    return max(1, WRITTEN // slice_)


def _write(
    volume: "Volume",
    progress: Progress | None,
    stop: threading.Event,
    at_first: int,
    began: float,
    first: int,
    slices: "NDArray[np.float32]",
) -> None:
    """Write a slab in parts, each of which is there for good, until told to stop."""
    part = _written_at_once(slices[0].nbytes)
    for begin in range(0, len(slices), part):
        if stop.is_set():
            return
        volume.write(first + begin, slices[begin : begin + part])
        if progress is not None:
            rate = (volume.written - at_first) / (time.perf_counter() - began)
            progress(volume.written, volume.shape[0], rate)
