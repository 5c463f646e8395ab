"""A scan larger than memory → a volume in a file, a slab of detector rows at a time.

While one slab is reconstructed, the next is read and prepared by a thread.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeAlias, Unpack

import numpy as np

from stend.tomo.errors import BadAngles, BadOption, BadProjections
from stend.tomo.given import check_count
from stend.tomo.memory import bytes_of, rows_that_fit
from stend.tomo.reconstructor import Options, Reconstructor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend.tomo.scan import Scan
    from stend.tomo.volume import Volume

PARTS = 8
"""A volume is made in at least as many slabs, so that reading and computing go side by side."""

Progress: TypeAlias = Callable[[int, int, float], None]
"""Told after each slab: slices that are there, slices in all, slices a second since the start."""


class Prepare(Protocol):
    """What makes line integrals of some rows of a scan: normalisation, ring removal and the like.

    May use as much memory as its result takes, beside that and the rows as they are stored.
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
    return scan.projections.rows(first, last).astype(np.float32, copy=False)


def reconstruct_scan(
    scan: "Scan",
    volume: "Volume",
    *,
    prepare: Prepare = line_integrals,
    memory: int | str = "4 GB",
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> None:
    """Reconstruct a scan into a volume, from the first slice that it lacks.

    What was interrupted goes on when it is called again with the same arguments.

    Args:
        scan: read a slab of rows at a time.
        volume: told of each slab, then to finish; its shape is (detector rows, size, size).
        prepare: what makes line integrals of rows as they are stored.
        memory: what this call may take at most beside what the process has: bytes or "4 GB".
        progress: told after each slab how many slices are there, of how many, and the speed.
        options: those of `reconstruct`; `pixel` is the scan's unless given.

    Raises:
        BadAngles: the scan has none, or they are degrees or no numbers.
        BadProjections: what was prepared has another shape, or holds what is no finite number.
        BadOption: an option can't be, or the volume is of another shape.
        TooLittleMemory: not even one slice can be made under the cap.
    """
    projections, rows, columns = scan.projections.shape
    if scan.angles is None:
        raise BadAngles("The scan's file tells no angles; set them: dataclasses.replace(scan, …).")
    check_count(len(scan.angles), projections)
    named: Options = {"pixel": scan.pixel, **options}
    cap = bytes_of(memory)
    reconstructor = Reconstructor(columns, scan.angles, **named)
    shape = (rows, reconstructor.size, reconstructor.size)
    if volume.shape != shape:
        raise BadOption(f"The volume's shape is {volume.shape}; the scan makes {shape}.")
    fitting = rows_that_fit(
        cap, reconstructor.bytes, _bytes_a_row(scan, shape), reconstructor.together
    )
    slabs = list(_slabs(volume.written, rows, fitting, reconstructor.together))
    _run(scan, volume, prepare, reconstructor, slabs, progress)
    volume.finish()


def _bytes_a_row(scan: "Scan", shape: tuple[int, int, int]) -> int:
    """Of the slab that is computed and of the next, which is read, with what preparing takes.

    Slices twice: whoever writes may need another form of them.
    """
    projections, _, columns = scan.projections.shape
    stored = projections * columns * scan.projections.dtype.itemsize
    prepared = projections * columns * np.dtype(np.float32).itemsize
    written = shape[1] * shape[2] * np.dtype(np.float32).itemsize
    return stored + 3 * prepared + 2 * written


def _slabs(begin: int, rows: int, fitting: int, together: int) -> Iterator[tuple[int, int]]:
    batches = -(-rows // (PARTS * together))
    step = min(fitting, batches * together)
    for first in range(begin, rows, step):
        yield first, min(first + step, rows)


def _run(
    scan: "Scan",
    volume: "Volume",
    prepare: Prepare,
    reconstructor: Reconstructor,
    slabs: list[tuple[int, int]],
    progress: Progress | None,
) -> None:
    began, at_first = time.perf_counter(), volume.written
    if not slabs:
        return
    room = np.empty((slabs[0][1] - slabs[0][0], *volume.shape[1:]), np.float32)
    with ThreadPoolExecutor(1, "stend-tomo-reader") as reader:
        coming = reader.submit(prepare, scan, *slabs[0])
        for (first, last), following in zip(slabs, [*slabs[1:], None], strict=True):
            sinograms = coming.result()
            _check_prepared(sinograms, scan, last - first)
            if following is not None:
                coming = reader.submit(prepare, scan, *following)
            slices = _slices(reconstructor, sinograms, first, room[: last - first])
            del sinograms
            volume.write(first, slices)
            if progress is not None:
                seconds = time.perf_counter() - began
                progress(last, volume.shape[0], (last - at_first) / seconds)


def _slices(
    reconstructor: Reconstructor,
    sinograms: "NDArray[np.float32]",
    first: int,
    room: "NDArray[np.float32]",
) -> "NDArray[np.float32]":
    try:
        return reconstructor(sinograms, out=room)
    except BadProjections as error:
        raise BadProjections(f"With row {first} of the scan as row 0: {error}") from None


def _check_prepared(prepared: "NDArray[np.float32]", scan: "Scan", rows: int) -> None:
    projections, _, columns = scan.projections.shape
    if prepared.shape != (projections, rows, columns):
        raise BadProjections(
            f"What was prepared is of shape {prepared.shape}; (projections, rows, columns) of this "
            f"slab is {(projections, rows, columns)}."
        )
