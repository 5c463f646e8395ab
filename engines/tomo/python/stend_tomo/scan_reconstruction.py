"""Scans larger than memory → a volume in a file: `reconstruct_scan` and `reconstruct_cone_scan`.

Rows of a parallel beam are slices. Rays of a cone beam to a slice meet the detector in a band of
rows: a slab's are read alone.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from stend_tomo.cone import (
    CENTER_ROW,
    ConeMethod,
    ConeOptions,
    checked_beam,
    fdk,
    grid_of,
    made_for,
)
from stend_tomo.errors import BadOption
from stend_tomo.iterations import Told
from stend_tomo.memory import bytes_of, most_of_tables, refuse_hopeless, rows_that_fit
from stend_tomo.reconstructor import Options, Reconstructor
from stend_tomo.scan import Prepare, line_integrals
from stend_tomo.slab_pipeline import PREPARED, Progress, Slab, SlabBySlab
from stend_tomo.validation import checked_angles, checked_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo.beams import ConeBeam
    from stend_tomo.cone import Grid
    from stend_tomo.scan import Scan, Volume

PARTS = 8
"""A volume is made in at least as many slabs, so that reading and computing go side by side."""


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

    To continue after an interruption, call it again with the same arguments.

    Args:
        scan: read a slab of rows at a time.
        volume: receives each slab, from a thread, and is finished at the end; its shape is
            (detector rows, size, size).
        prepare: makes line integrals of stored rows.
        memory: limit on the additional memory of this call: bytes or "4 GB".
        progress: called by that thread with the number of slices done, the number of all, and the
            speed.
        iterating: told before each iteration as the `progress` of `sirt` is; of all slices, those
            that were there before included.
        options: those of `reconstruct`; `pixel` is the scan's unless given.

    Raises:
        BadAngles: the scan has none, or they are degrees or not numbers.
        BadProjections: prepared rows have a wrong shape, or values that are not finite.
        BadOption: an option is invalid, or the volume has another shape, unit or pixel size.
        TooLittleMemory: not even one slice fits under the cap.
    """
    work = ScanReconstruction(scan, prepare=prepare, memory=memory, **options)
    work.into(volume, progress, iterating)


class ScanReconstruction(SlabBySlab):
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
        super().__init__(scan, prepare)
        projections, rows, columns = scan.projections.shape
        cap = bytes_of(memory)
        named: Options = {"pixel": scan.pixel, **options}
        side = options.get("size") or columns
        if isinstance(side, int) and side > 0:  # else a sentence of the reconstructor's
            self.shape = rows, side, side
            threads = checked_threads(options.get("threads"))
            tables = most_of_tables(projections, columns, side, threads)
            refuse_hopeless(cap, self._taken(1), tables)
        self._reconstructor = made = Reconstructor(columns, self._angles, **named)
        self.shape, self._iterations = (rows, made.size, made.size), made.iterations
        pixel = named["pixel"]
        self._unit = "1/pixel" if pixel is None else "1/mm"
        self._side = None if pixel is None else pixel / named.get("zoom", 1.0)
        self._fitting = rows_that_fit(cap, made.bytes, self._taken, rows, made.together)

    def _taken(self, rows: int) -> int:
        return self._bytes(rows, rows)

    @property
    def _step(self) -> int:
        rows, together = self.shape[0], self._reconstructor.together
        projections, _, columns = self._scan.projections.shape
        enough = PREPARED // (4 * projections * columns * together)
        batches = min(-(-rows // (PARTS * together)), max(1, enough))
        if self._iterations:
            batches = 1  # takes long enough, and what is not written yet is lost by Ctrl-C
        return min(self._fitting, batches * together)

    def _slab(self, first: int, last: int) -> Slab:
        return Slab(first, last, first, last)

    def _compute(
        self,
        sinograms: "NDArray[np.float32]",
        slab: Slab,
        room: "NDArray[np.float32]",
        iterating: Told | None,
    ) -> None:
        self._reconstructor(sinograms, out=room, progress=iterating)


CONE_PARTS = 8
"""Slabs of a large volume, if memory allows it: in more of them, more rows are filtered again. And
parts of a slab's rows that are prepared one after the other."""
ENOUGH = 128
"""Slices of a slab that take no longer than in a larger one; among 64 each takes 1.1 times as long,
among 32 1.6 times, among 16 2.4 times (512² voxels, AVX-512)."""
MARGIN = 1
"""Rows beyond those that are interpolated between, for rounding."""
PADDED = 32
"""Rows that the compiled part's memory grows by."""


def reconstruct_cone_scan(
    scan: "Scan",
    volume: "Volume",
    beam: "ConeBeam",
    *,
    prepare: Prepare = line_integrals,
    memory: int | str = "4 GB",
    progress: Progress | None = None,
    **options: Unpack[ConeOptions],
) -> None:
    """Reconstruct a cone beam's scan into a volume, from the first slice that it lacks.

    What `fdk` makes of all projections, to the rounding of single precision: where rows are counted
    from and which are filtered together differs. To continue after an interruption, call it again
    with the same arguments.

    Args:
        scan: read a band of rows at a time. Its `pixel` is not heeded; the beam has the pitch.
        volume: receives each slab, from a thread, and is finished at the end; its shape is (slices,
            size, size).
        beam: where source, axis and detector are.
        prepare: makes line integrals of stored rows.
        memory: limit on the additional memory of this call: bytes or "4 GB".
        progress: called by that thread with the number of slices done, the number of all, and the
            speed.
        options: those of `fdk`: size, slices, voxel, middle, filter, cutoff, threads, variant.

    Raises:
        BadAngles: the scan has none, or they are degrees or not numbers.
        BadProjections: prepared rows have a wrong shape, or values that are not finite.
        BadOption: a geometry or option can't be, the scan is too short, or the volume is of another
            shape.
        TooLittleMemory: not even one slice fits under the cap.
    """
    made = ConeScanReconstruction(scan, beam, prepare=prepare, memory=memory, **options)
    made.into(volume, progress)


class ConeScanReconstruction(SlabBySlab):
    """What `reconstruct_cone_scan` does, for single slices and then for all."""

    def __init__(
        self,
        scan: "Scan",
        beam: "ConeBeam",
        *,
        prepare: Prepare = line_integrals,
        memory: int | str = "4 GB",
        size: int | None = None,
        slices: int | None = None,
        voxel: float | None = None,
        middle: float = 0.0,
        **method: Unpack[ConeMethod],
    ) -> None:
        """See how many slices fit under the cap; as `reconstruct_cone_scan`."""
        super().__init__(scan, prepare)
        _, rows, columns = scan.projections.shape
        cap = bytes_of(memory)
        self._beam, self._method = checked_beam(beam), method
        self._center_row = _center_row_of(self._beam, rows)
        self._grid = grid_of(
            self._beam, rows, columns, size=size, slices=slices, voxel=voxel, middle=middle
        )
        self.shape = self._grid.slices, self._grid.size, self._grid.size
        self._side = self._grid.voxel
        self._of_one_row, self._of_each = self._bytes_computing(columns)
        self._above, self._below = bands(self._beam, self._grid, self._center_row, rows)
        self._fitting = rows_that_fit(
            cap,
            self._of_one_row,
            self._taken,
            self._grid.slices,
            1,
            "the rows of the scan that it needs",
        )

    @property
    def voxel(self) -> float:
        """A voxel's side, in the beam's unit."""
        return self._grid.voxel

    def _bytes_computing(self, columns: int) -> tuple[int, int]:
        """Of `fdk` for one row, and for each one more; what can't be is refused before."""
        radians = checked_angles(self._angles)
        beam = replace(self._beam, center_row=0)
        one, more = (
            made_for(beam, self._grid, rows, columns, radians, **self._method).bytes
            for rows in (1, 1 + PADDED)
        )
        return one, -(-(more - one) // PADDED)

    def _taken(self, slices: int) -> int:
        """Of a slab of so many slices, wherever it is, beside what one row takes."""
        rows = self._rows_of(slices)
        return self._bytes(rows, slices) + self._of_each * (rows - 1)

    def _rows_of(self, slices: int) -> int:
        """As many as a slab of so many slices needs at most."""
        return int((self._below[slices - 1 :] - self._above[: self.shape[0] - slices + 1]).max())

    def _bytes_reading(self, rows: int) -> int:
        return self._bytes_put_together(rows, self._part_of(rows))

    @property
    def _prepared_at_once(self) -> int:
        return self._part_of(self._rows_of(self._step))

    def _part_of(self, rows: int) -> int:
        """How many rows of a slab are prepared at once: preparing takes more than they do then."""
        return min(super()._prepared_at_once, -(-rows // CONE_PARTS))

    @property
    def _step(self) -> int:
        slices = self.shape[0]
        most = min(self._fitting, max(ENOUGH, -(-slices // CONE_PARTS)))
        return -(-slices // -(-slices // most))

    def _slab(self, first: int, last: int) -> Slab:
        return Slab(first, last, int(self._above[first]), int(self._below[last - 1]))

    def _compute(
        self,
        sinograms: "NDArray[np.float32]",
        slab: Slab,
        room: "NDArray[np.float32]",
        iterating: Told | None,
    ) -> None:
        grid = self._grid
        fdk(
            sinograms,
            self._angles,
            replace(self._beam, center_row=self._center_row - slab.above),
            size=grid.size,
            slices=slab.last - slab.first,
            voxel=grid.voxel,
            middle=grid.middle + (slab.first + slab.last - grid.slices) / 2 * grid.voxel,
            out=room,
            **self._method,
        )


def bands(
    beam: "ConeBeam", grid: "Grid", center_row: float, rows: int
) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Give the detector rows, from the first to before the second, that each slice's rays meet.

    At the height z of a slice they are between z · source_to_detector / (source_to_axis ± r), r
    being how far its corners are from the axis. Where rays pass the detector it is the row next to
    them. Both grow with the slice.
    """
    corner = (grid.size - 1) / math.sqrt(2) * grid.voxel
    heights = grid.middle + (np.arange(grid.slices) - (grid.slices - 1) / 2) * grid.voxel
    depths = beam.source_to_axis + np.array([[-corner], [corner]])
    at = np.floor(center_row + heights * (beam.source_to_detector / beam.pitch) / depths)
    above = np.clip(at.min(axis=0) - MARGIN, 0, rows - 1).astype(np.int64)
    return above, np.clip(at.max(axis=0) + 2 + MARGIN, 1, rows).astype(np.int64)


def _center_row_of(beam: "ConeBeam", rows: int) -> float:
    center_row = (rows - 1) / 2 if beam.center_row is None else beam.center_row
    if not -rows < center_row < 2 * rows:
        raise BadOption(
            CENTER_ROW,
            f" is {center_row:g}, more than a detector's height away from its {rows} rows.",
        )
    return center_row
