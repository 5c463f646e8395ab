"""Chunks of an HDF5 dataset → refused where they inflate to more than a chunk holds.

The library inflates a chunk to its end, however far that is. So large ones are inflated here first,
up to their size and no further: once, as a slab of rows needs them again and again.
"""

import math
from itertools import product
from pathlib import Path
from typing import Any

from stend.tomo.reading.faults import fault
from stend.tomo.reading.packed import SPARE, unpacked

DEFLATE = 1
"""The filter's number."""
TIMES = 1032
"""What deflate packs at most (zlib's Technical Details)."""
UNSEEN = 1 << 26
"""Bytes that a chunk may inflate to without being looked at: small ones are many."""


def refuse_bombs(path: Path, dataset: Any, box: tuple[slice, ...], sound: set[int]) -> None:
    """Raise ScanFileError for a chunk that holds more than its size.

    Args:
        path: what the error names.
        dataset: open.
        box: what is to be read: a range along each axis.
        sound: where chunks begin in the file that were looked at before; it grows.
    """
    place = _place_of_deflate(path, dataset)
    if place is None:
        return
    room = math.prod(dataset.chunks) * dataset.dtype.itemsize + SPARE
    sides = zip(box, dataset.chunks, strict=True)
    corners = product(*(range(part.start // n * n, part.stop, n) for part, n in sides))
    for corner in corners:
        stored = dataset.id.get_chunk_info_by_coord(corner)
        large = stored.byte_offset is not None and stored.size * TIMES > max(UNSEEN, room)
        if large and stored.byte_offset not in sound:
            left_out, packed = dataset.id.read_direct_chunk(corner)
            if not left_out >> place & 1:
                unpacked(path, "zlib", packed, room)
            sound.add(stored.byte_offset)


def whole(shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Give the box of all of it."""
    return tuple(slice(0, n) for n in shape)


def _place_of_deflate(path: Path, dataset: Any) -> int | None:
    """Which of a dataset's filters it is; None where nothing is deflated."""
    plan = dataset.id.get_create_plist()
    places = [n for n in range(plan.get_nfilters()) if plan.get_filter(n)[0] == DEFLATE]
    if len(places) > 1:
        raise fault(path, "has chunks that were deflated twice.")
    return places[0] if places and dataset.chunks else None
