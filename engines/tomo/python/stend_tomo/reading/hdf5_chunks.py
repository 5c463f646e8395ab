"""Chunks of an HDF5 dataset → refused where they inflate to more than a chunk holds.

The library inflates a chunk to its end, however far that is. So large ones are inflated here first,
up to their size and no further: once, as a slab of rows needs them again and again.
"""

import math
from pathlib import Path
from typing import Any

from stend_tomo.reading.faults import fault
from stend_tomo.reading.packed import SPARE, unpacked

DEFLATE, NBIT, SCALE_OFFSET = 1, 5, 6
"""Numbers of filters."""
TIMES = 1032
"""What deflate packs at most (zlib's Technical Details)."""
UNSEEN = 1 << 26
"""Bytes that a chunk may inflate to without being looked at: small ones are many."""


class Chunks:
    """The chunks of one dataset, and which of them are still to be looked at."""

    def __init__(self) -> None:
        self._large: set[tuple[int, ...]] | None = None
        """Corners of those that could inflate to more than they hold."""

    def refuse_bombs(self, path: Path, dataset: Any, box: tuple[slice, ...]) -> None:
        """Raise ScanFileError for a chunk that holds more than its size.

        Args:
            path: what the error names.
            dataset: open.
            box: what is to be read: a range along each axis.
        """
        filters = _filters(dataset)
        _refuse_other_sizes(path, dataset, filters)
        place = _place_of_deflate(path, filters)
        if place is None:
            return
        room = math.prod(dataset.chunks) * dataset.dtype.itemsize + SPARE
        if self._large is None:
            self._large = _large_chunks(dataset, max(UNSEEN, room))
        for corner in tuple(self._large):  # another thread may take some away
            if not _meet(corner, dataset.chunks, box):
                continue
            left_out, packed = dataset.id.read_direct_chunk(corner)
            if not left_out >> place & 1:
                unpacked(path, "zlib", packed, room)
            self._large.discard(corner)


def _large_chunks(dataset: Any, most: int) -> set[tuple[int, ...]]:
    """Corners of chunks that could inflate to more bytes.

    All are asked for at once: for a single one the library looks through all.
    """
    found = set()

    def seen(stored: Any) -> None:
        if stored.size * TIMES > most:
            found.add(tuple(stored.chunk_offset))

    dataset.id.chunk_iter(seen)
    return found


def _meet(corner: tuple[int, ...], sides: tuple[int, ...], box: tuple[slice, ...]) -> bool:
    """Whether a chunk has a part in a box."""
    places = zip(corner, sides, box, strict=True)
    return all(part.start - side < at < part.stop for at, side, part in places)


def whole(shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Give the box of all of it."""
    return tuple(slice(0, n) for n in shape)


def _filters(dataset: Any) -> list[tuple[int, tuple[int, ...]]]:
    """A dataset's filters in the order of writing: their numbers and parameters."""
    if not dataset.chunks:
        return []
    plan = dataset.id.get_create_plist()
    told = (plan.get_filter(place) for place in range(plan.get_nfilters()))
    return [(code, values) for code, _, values, _ in told]


def _place_of_deflate(path: Path, filters: list[tuple[int, tuple[int, ...]]]) -> int | None:
    places = [place for place, (code, _) in enumerate(filters) if code == DEFLATE]
    if len(places) > 1:
        raise fault(path, "has chunks that were deflated twice.")
    return places[0] if places else None


def _refuse_other_sizes(
    path: Path, dataset: Any, filters: list[tuple[int, tuple[int, ...]]]
) -> None:
    """Refuse filters that are told of more values than a chunk has: the library reads them all."""
    for code, values in filters:
        sizes = values[2:5:2]  # how many, and of how many bytes each
        if code in (NBIT, SCALE_OFFSET) and sizes != (
            math.prod(dataset.chunks),
            dataset.dtype.itemsize,
        ):
            raise fault(path, "has chunks that are packed as if they had other sizes.")
