"""A scan larger than memory → a volume in a file, a slab of detector rows at a time."""

from typing import TYPE_CHECKING, Unpack

from stend_tomo.iterating import Told
from stend_tomo.memory import bytes_of, most_of_tables, refuse_hopeless, rows_that_fit
from stend_tomo.prepare import Prepare, line_integrals
from stend_tomo.reconstructor import Options, Reconstructor
from stend_tomo.slab_by_slab import PREPARED, Progress, Slab, SlabBySlab
from stend_tomo.validation import checked_threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo.scan import Scan
    from stend_tomo.volume import Volume

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
