"""A scan larger than memory → a volume in a file, a slab of slices at a time, by any geometry.

While one slab is reconstructed, a thread reads and prepares the next, and another writes the last.
"""

import ctypes
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from stend_tomo.errors import BadAngles, BadOption, BadProjections
from stend_tomo.iterations import Told
from stend_tomo.scan import Prepare, bytes_preparing, refuse_untrue
from stend_tomo.validation import check_count
from stend_tomo.writing.durable_files import packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo.scan import Scan, Volume

PREPARED = 1 << 29
"""Bytes of line integrals that are prepared at once, if a row allows it: more are not read any
faster, and Ctrl-C is heard when they are read."""
WRITTEN = 1 << 25
"""Bytes of slices that are written at once, for the same reason; compressed, they lie beside."""
REWRITTEN = 7
"""Times its bytes that a slice takes to be put into another form: DICOM 6.5, PNG 6, TIFF 2."""

Progress: TypeAlias = Callable[[int, int, float], None]
"""Told after each part: slices that are there, slices in all, slices a second since the start."""


class Slab(NamedTuple):
    """Slices first … last - 1, and the rows above … below - 1 that they are made of.

    Both ends of the rows grow from slab to slab, or stay.
    """

    first: int
    last: int
    above: int
    below: int


class _Read(NamedTuple):
    """Line integrals of a slab's rows."""

    slab: Slab
    rows: "NDArray[np.float32]"


T = TypeVar("T")


class Ahead(Generic[T]):
    """The result of a call that a thread makes."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._future: Future[T] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(make,), name="stend-tomo-ahead", daemon=True
        )

    def start(self) -> None:
        """Begin, once."""
        self._thread.start()

    def _run(self, make: Callable[[], T]) -> None:
        try:
            made = make()
        except BaseException as error:
            self._future.set_exception(error)
        else:
            self._future.set_result(made)

    def result(self) -> T:
        """Wait for what is made; raises what making it raised."""
        return self._future.result()

    def check(self) -> None:
        """Raise what making it has raised so far, without waiting."""
        if self._future.done():
            self._future.result()

    def give_up(self) -> None:
        """End it between two steps, and wait for that; what it had made is dropped.

        For calls that start no threads: up to Python 3.11 a starting thread has its starter's
        number, would be hit in its place, and waited for without end. Python has one way to end a
        thread that is not asked whether to end, an exception in it; SystemExit is the one that
        threads are silent about.
        """
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        if self._thread.is_alive():
            stop(ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(SystemExit))
        self.wait()

    def wait(self) -> None:
        """Wait for the end of the call, however it ends."""
        if self._thread.is_alive():
            self._thread.join()


class SlabBySlab(ABC):
    """Makes a scan's slices by slabs; a geometry says what these are made of, and how."""

    shape: tuple[int, int, int]
    """Of the volume: slices, rows, columns."""
    _iterations = 0
    """Of each slice, where it is iterated."""
    _unit: str | None = None
    """Of the slices' values; None: not known."""
    _side: float | None = None
    """Of a slice's pixel in mm; None: not known."""

    def __init__(self, scan: "Scan", prepare: Prepare) -> None:
        """Look at what any geometry needs of a scan."""
        if 0 in scan.projections.shape:
            raise BadProjections(
                f"There is no data in projections of shape {scan.projections.shape}."
            )
        if scan.angles is None:
            raise BadAngles(
                "The scan has no angles; set them: dataclasses.replace(scan, angles=…)."
            )
        check_count(len(scan.angles), scan.projections.shape[0])
        self._scan, self._prepare, self._angles = scan, prepare, scan.angles

    @property
    @abstractmethod
    def _step(self) -> int:
        """Slices of a slab; the last one may have fewer."""

    @abstractmethod
    def _slab(self, first: int, last: int) -> Slab:
        """Slices first … last - 1."""

    @abstractmethod
    def _compute(
        self,
        sinograms: "NDArray[np.float32]",
        slab: Slab,
        room: "NDArray[np.float32]",
        iterating: Told | None,
    ) -> None:
        """Make the slab's slices of line integrals of its rows, and tell of iterations."""

    def slice(self, index: int, iterating: Told | None = None) -> "NDArray[np.float32]":
        """Reconstruct one slice, (size, size)."""
        slab, room = self._slab(index, index + 1), np.empty((1, *self.shape[1:]), np.float32)
        made: NDArray[np.float32] = self._slices(self._read(slab), slab, room, iterating)[0]
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
                f"The volume has {volume.written} of {self.shape[0]} slices written; begin a new "
                "one."
            )
        if slabs := list(self._slabs(volume.written)):
            self._run(volume, slabs, progress, iterating)
        volume.finish()

    def _slabs(self, begin: int) -> Iterator[Slab]:
        for first in range(begin, self.shape[0], self._step):
            yield self._slab(first, min(first + self._step, self.shape[0]))

    def _bytes(self, rows: int, slices: int) -> int:
        """Of a slab while it is computed, the last written, the next prepared."""
        projections, _, columns = self._scan.projections.shape
        prepared = 4 * projections * columns * rows
        slice_ = 4 * self.shape[1] * self.shape[2]
        at_once = min(slices, _written_at_once(slice_))
        return (
            prepared
            + self._bytes_reading(rows)
            + (2 * slices + at_once + REWRITTEN * packing(at_once)) * slice_
        )

    def _run(
        self,
        volume: "Volume",
        slabs: list[Slab],
        progress: Progress | None,
        iterating: Told | None,
    ) -> None:
        stop = threading.Event()
        write = partial(_write, volume, progress, stop, volume.written, time.perf_counter())
        most = slabs[0].last - slabs[0].first
        rooms = [np.empty((most, *self.shape[1:]), np.float32) for _ in slabs[:2]]
        coming, writing = self._ahead(slabs[0]), Ahead(lambda: None)
        try:  # an interrupt while a thread starts finds it by its name already
            coming.start()
            writing.start()
            for number, slab in enumerate(slabs):
                sinograms = coming.result()
                writing.check()  # a full disk is told before more is read and computed
                if number + 1 < len(slabs):
                    coming = self._ahead(slabs[number + 1], _Read(slab, sinograms))
                    coming.start()
                room = rooms[number % 2][: slab.last - slab.first]
                slices = self._slices(sinograms, slab, room, self._of_all(slab.first, iterating))
                del sinograms
                writing.result()
                writing = Ahead(partial(write, slab.first, slices))
                writing.start()
            writing.result()
        except BaseException:
            stop.set()  # and no exception in the writer, where it may hit a thread being started
            coming.give_up()
            writing.wait()
            raise

    def _ahead(self, slab: Slab, before: _Read | None = None) -> Ahead["NDArray[np.float32]"]:
        return Ahead(partial(self._read, slab, before))

    def _read(self, slab: Slab, before: _Read | None = None) -> "NDArray[np.float32]":
        """Give line integrals of the slab's rows: (projections, rows, columns).

        Rows that the slab before had as well are not read and prepared again.
        """
        at_once, rows = self._prepared_at_once, slab.below - slab.above
        kept = 0 if before is None else max(0, before.slab.below - slab.above)
        if not kept and rows <= at_once:
            return self._prepared(slab.above, slab.below)
        projections, _, columns = self._scan.projections.shape
        all_rows = np.empty((projections, rows, columns), np.float32)
        if before is not None and kept:
            all_rows[:, :kept] = before.rows[:, -kept:]
        for row in range(kept, rows, at_once):
            part = all_rows[:, row : row + at_once]
            part[...] = self._prepared(slab.above + row, slab.above + row + part.shape[1])
        return all_rows

    @property
    def _prepared_at_once(self) -> int:
        projections, _, columns = self._scan.projections.shape
        return max(1, PREPARED // (4 * projections * columns))

    def _bytes_reading(self, rows: int) -> int:
        at_once = self._prepared_at_once
        if rows <= at_once:
            return bytes_preparing(self._prepare, self._scan, rows)
        return self._bytes_put_together(rows, at_once)

    def _bytes_put_together(self, rows: int, part: int) -> int:
        """Of rows that are prepared in parts and copied."""
        projections, _, columns = self._scan.projections.shape
        prepared = 4 * projections * columns * rows
        return prepared + bytes_preparing(self._prepare, self._scan, part)

    def _prepared(self, above: int, below: int) -> "NDArray[np.float32]":
        prepared = self._prepare(self._scan, above, below)
        projections, _, columns = self._scan.projections.shape
        expected, found = (projections, below - above, columns), getattr(prepared, "shape", None)
        if found != expected:
            what = type(prepared).__name__ if found is None else f"of shape {found}"
            raise BadProjections(
                f"What was prepared is {what}; (projections, rows, columns) of this slab is "
                f"{expected}."
            )
        return prepared

    def _of_all(self, first: int, iterating: Told | None) -> Told | None:
        """Give who is told of the iterations of a slab as of those of all slices."""
        each, slices = self._iterations, self.shape[0]
        return iterating and (
            lambda done, _, residual: iterating(first * each + done, slices * each, residual)
        )

    def _slices(
        self,
        sinograms: "NDArray[np.float32]",
        slab: Slab,
        room: "NDArray[np.float32]",
        iterating: Told | None,
    ) -> "NDArray[np.float32]":
        try:
            self._compute(sinograms, slab, room, iterating)
        except BadProjections as error:
            raise BadProjections(
                f"With row {slab.above} of the scan as row 0: ", *error.args
            ) from None
        return room


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
