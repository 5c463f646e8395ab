"""Packed bytes → refused where they unpack to more than they have room for.

A megabyte of zeros that deflate packed is a gigabyte, and one of Zstandard's runs is thirty:
libraries unpack to the end, and only then compare with the size of a chunk.
"""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from stend_tomo.reading.faults import fault

SPARE = 1 << 20
"""Bytes beyond a chunk's own that are let pass: checksums, indices, and the last block of a frame
that does not tell its size."""
ZSTD = 0xFD2FB528
"""What frames begin with (RFC 8878, 3.1.1)."""
BLOSC_HEADER = 16
"""Bytes (c-blosc's README_CHUNK_FORMAT)."""
BLOCK = 1 << 17
"""Bytes that a block of Zstandard unpacks to at most (RFC 8878, 3.1.1.2.4)."""


def unpacked(
    path: Path, name: str, packed: bytes, room: int, how: Mapping[str, Any] | None = None
) -> bytes | None:
    """Unpack what doesn't tell its size, up to `room` bytes; None for what tells it.

    Args:
        path: what the error names.
        name: a key of STREAMS or SIZES.
        packed: a whole chunk.
        room: bytes that it may have.
        how: what else the method has to know.

    Raises:
        ScanFileError: there is more.
        ValueError, EOFError, zlib.error, lzma.LZMAError, OSError: it is damaged.
    """
    data = STREAMS[name](packed, room + 1, how or {}) if name in STREAMS else None
    if (SIZES[name](packed) if data is None else len(data)) > room:
        raise fault(path, f"has more packed into a chunk than the {room:,} bytes it has room for.")
    return data


def _inflated(packed: bytes, most: int, how: Mapping[str, Any]) -> bytes:
    inflater = zlib.decompressobj()
    data = inflater.decompress(packed, most)
    if not inflater.eof and len(data) < most:
        raise EOFError("a packed chunk is cut short")
    return data


def _unzipped(packed: bytes, most: int, how: Mapping[str, Any]) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
        return file.read(most)


def _unzipped2(packed: bytes, most: int, how: Mapping[str, Any]) -> bytes:
    with bz2.BZ2File(io.BytesIO(packed)) as file:
        return file.read(most)


def _unzipped_lzma(packed: bytes, most: int, how: Mapping[str, Any]) -> bytes:
    form, filters = how.get("format", lzma.FORMAT_XZ), how.get("filters")
    with lzma.LZMAFile(io.BytesIO(packed), format=form, filters=filters) as file:
        return file.read(most)


STREAMS: dict[str, Callable[[bytes, int, Mapping[str, Any]], bytes]] = {
    "zlib": _inflated,
    "gzip": _unzipped,
    "bz2": _unzipped2,
    "lzma": _unzipped_lzma,
}
"""Methods that tell no size: (packed, bytes at most, how) → what they unpack to."""


def _number(packed: bytes, place: int, size: int = 4) -> int:
    return int.from_bytes(packed[place : place + size], "little")


def _zstd_size(packed: bytes) -> int:
    """What a frame tells, or else what its blocks have at most."""
    total, place = 0, 0
    while place < len(packed):
        flags = _number(packed, place + 4, 1)
        single = flags >> 5 & 1
        if _number(packed, place) != ZSTD:
            raise ValueError("a packed chunk is no frame of Zstandard")
        place += 6 - single + (0, 1, 2, 4)[flags & 3]
        told = (single, 2, 4, 8)[flags >> 6]
        if told:
            # Room is made for the first frame's size, and for no more.
            return _number(packed, place, told) + (256 if told == 2 else 0)
        last = False
        while not last and place < len(packed):
            header = _number(packed, place, 3)
            last, kind, size = bool(header & 1), header >> 1 & 3, header >> 3
            total += BLOCK if kind == 2 else min(size, BLOCK)
            place += 3 + (1 if kind == 1 else size)
        place += flags & 4
    return total


def _blosc_size(packed: bytes) -> int:
    """What a chunk tells; the library believes its header and reads as far as that says."""
    told = _number(packed, 12)
    if len(packed) < BLOSC_HEADER or told != len(packed):
        raise ValueError(f"a chunk packed by Blosc says {told:,} bytes and has {len(packed):,}")
    return _number(packed, 4)


SIZES: dict[str, Callable[[bytes], int]] = {
    "blosc": _blosc_size,
    "lz4": lambda packed: _number(packed, 0),
    "zstd": _zstd_size,
}
"""Methods that tell a size at the beginning, for which room is then made: packed → bytes."""
