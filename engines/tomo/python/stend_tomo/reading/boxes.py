"""A box of an array that lies in a file as it is: read, and no more of it than is wanted.

It is not mapped into memory: a map of a file that is cut meanwhile ends who looks at it (SIGBUS).
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray


def box(
    file: int,
    begin: int,
    shape: tuple[int, int, int],
    dtype: np.dtype[Any],
    frames: slice,
    rows: slice,
) -> NDArray[Any]:
    """Some rows of some frames, with all columns, of (frames, rows, columns) behind `begin` bytes.

    Raises:
        EOFError: the file ends before.
    """
    _, height, width = shape
    row = width * dtype.itemsize
    out = np.empty((frames.stop - frames.start, rows.stop - rows.start, width), dtype)
    if (rows.start, rows.stop) == (0, height):  # all of it lies together
        _fill(out, file, begin + frames.start * height * row)
        return out
    for frame, place in zip(range(frames.start, frames.stop), out, strict=True):
        _fill(place, file, begin + (frame * height + rows.start) * row)
    return out


def turned_box(
    file: int,
    begin: int,
    shape: tuple[int, int, int],
    dtype: np.dtype[Any],
    frames: slice,
    rows: slice,
) -> NDArray[Any]:
    """The same of an array in Fortran's order: frames of one pixel lie together."""
    count, height, width = shape
    out = np.empty((frames.stop - frames.start, rows.stop - rows.start, width), dtype)
    for column in range(width):
        here = slice(column, column + 1)
        lying = box(file, begin, (width, height, count), dtype, here, rows)
        out[:, :, column] = lying[0][:, frames].T
    return out


def _fill(values: NDArray[Any], file: int, place: int) -> None:
    room = values.reshape(-1).view(np.uint8).data
    while room:
        count = os.preadv(file, [room], place)
        if not count:
            raise EOFError(f"{len(room):,} bytes are missing")
        room, place = room[count:], place + count
