"""How large a scan may claim to be: a file of a kilobyte can declare, or unpack to, petabytes."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike

from stend_tomo.reading.faults import fault

UNASKED = 1 << 30
"""Bytes that need no file of a matching size."""
EXPANSION = 100
"""Times its size on the disk that a file may unpack to: detectors' noise compresses two- to
fourfold, and empty images hundreds of times, but a scan is not made of those."""
SMALL = 10_000_000
"""Values of a list that is read at once: angles, keys."""


def refuse_bomb(
    path: Path,
    shape: tuple[int, ...],
    dtype: DTypeLike,
    limit: int | None,
    stored: Path,
    *,
    what: str = "",
) -> None:
    """Raise ScanFileError when images of this shape are out of proportion to what is `stored`.

    Args:
        path: what the error names.
        shape: of what is declared.
        dtype: of its values.
        limit: bytes that the user allows, or None.
        stored: the file or folder that holds it.
        what: is declared, where it isn't all: "chunks of ".
    """
    declared = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    if limit is not None and declared <= limit:
        return
    if limit is None and (declared <= UNASKED or declared <= EXPANSION * size_of(stored)):
        return
    shown = " × ".join(f"{n:,}" for n in shape)
    allowed = (
        f"above the limit of {limit:,}" if limit is not None else "out of all proportion to it"
    )
    raise fault(
        path,
        f"declares {what}{shown} values, {declared:,} bytes, {allowed}. "
        f"If you trust it, read it with limit={declared}.",
    )


def refuse_bomb_chunks(
    path: Path, chunks: tuple[int, ...] | None, dtype: DTypeLike, limit: int | None
) -> None:
    """Raise ScanFileError for chunks of such a size: a library unpacks them as wholes.

    They may reach beyond the array, so its own size says nothing of theirs.
    """
    if chunks is not None:
        refuse_bomb(path, chunks, dtype, limit, path, what="chunks of ")


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    if not path.is_dir():
        return path.stat().st_size
    return sum(
        (Path(folder) / name).lstat().st_size
        for folder, _, names in os.walk(path)
        for name in names
    )
