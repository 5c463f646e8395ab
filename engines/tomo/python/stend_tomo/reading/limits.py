"""What a file may claim and unpack to, and what goes wrong with it, in a sentence.

A megabyte of zeros that deflate packed is a gigabyte, and one of Zstandard's runs is thirty:
libraries unpack to the end, and only then compare with the size of a chunk.
"""

import bz2
import gzip
import io
import logging
import lzma
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from stend_tomo.errors import Keyword, Part, ScanFileError, TomoError, printable

TALKATIVE = ("tifffile", "pydicom")
"""Loggers that print a line for each fault of a file."""
LONGEST = 200
"""Characters of what a library said that are shown."""

_reading = ContextVar("reading", default=False)
"""Whether this thread reads a file here; others may use the same libraries meanwhile."""


def _elsewhere(record: logging.LogRecord) -> bool:
    """Whether a line was logged for somebody else (a filter of `logging`)."""
    return not _reading.get()


def fault(path: Path, *wrong: Part) -> ScanFileError:
    """An error about a file: its path, then what is wrong with it."""
    return ScanFileError(f"{printable(str(path))} ", *wrong)


@contextmanager
def told(path: Path, kind: str) -> Iterator[None]:
    """Tell whatever a library raises while it reads `path` as a fault of that file.

    Libraries raise nearly anything for a malformed file (KeyError, struct.error, zlib.error,
    RecursionError …), and log about what they refuse anyway.
    """
    for name in TALKATIVE:
        logging.getLogger(name).addFilter(_elsewhere)  # once: a second time it does nothing
    before = _reading.set(True)
    try:
        yield
    except TomoError:
        raise
    except MemoryError as error:
        raise fault(path, f"needs more memory than the machine has ({kind}).") from error
    except FileNotFoundError as error:
        why = "is incomplete" if path.exists() else "does not exist"
        raise fault(path, f"{why}.") from error
    except (PermissionError, IsADirectoryError) as error:
        raise fault(path, f"can't be read: {error.strerror}.") from error
    except Exception as error:
        said = printable(" ".join(str(error).split()) or type(error).__name__)[:LONGEST].rstrip(".")
        raise fault(path, f"can't be read as {kind}: {said}. It may be incomplete.") from error
    finally:
        _reading.reset(before)


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
        "If you trust it, read it with ",
        Keyword("limit", declared),
        ".",
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


def refuse_other_types(path: Path, dtype: np.dtype[Any], what: str = "pixels") -> None:
    """Raise ScanFileError unless these are integers or real floating-point numbers."""
    if dtype.kind not in "uif":
        raise fault(path, f"holds {what} of type {dtype}; they must be integers or real numbers.")
