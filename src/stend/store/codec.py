"""Records as the store keeps them: JSON, and a blob of their columns.

In the JSON each column is `[first, count]`: where its values begin in the blob and how many
there are. A value is 8 bytes, little-endian. A column lies byte plane by byte plane (all lowest
bytes first): neighbouring repetitions share their high bytes, which makes the blob about a third
smaller and faster to compress (Alted, "Why modern CPUs are starving", 2010).
"""

import sys
import zlib
from typing import Any, TypeVar

import msgspec

from stend.record import Integers, Numbers, Record

T = TypeVar("T", bound=Record)
C = TypeVar("C", bound=Integers | Numbers)

_WIDTH = 8
"""Bytes of one value."""


def pack(record: Record) -> tuple[str, bytes]:
    """Split a record into its JSON and its columns, which come back bit by bit."""
    planes: list[bytes] = []
    packed = 0

    def put(column: Integers | Numbers) -> tuple[int, int]:
        nonlocal packed
        first, packed = packed, packed + len(column)
        planes.append(_to_planes(_little_endian(column).tobytes()))
        return first, len(column)

    text = msgspec.json.encode(record, enc_hook=put).decode()
    return text, zlib.compress(b"".join(planes), level=1)


def unpack(text: str, blob: bytes, kind: type[T]) -> T:
    """Put a record of `kind` together again.

    Raises:
        ValueError: the JSON and the columns do not fit together (msgspec's errors are its kinds).
        zlib.error: the blob is damaged.
    """
    planes = memoryview(zlib.decompress(blob))

    def take(column: type[Any], where: list[int]) -> Integers | Numbers:
        first, count = where
        part = planes[first * _WIDTH : (first + count) * _WIDTH]
        if len(part) != count * _WIDTH:
            raise ValueError(f"{count} values are said to be stored, not {len(part) // _WIDTH}")
        values: Integers | Numbers = column(_from_planes(part))
        return _little_endian(values)

    return msgspec.json.decode(text, type=kind, dec_hook=take)


def text_of(stored: Any) -> str:
    """A column's text; SQLite hands out bytes where damage changed their kind."""
    return str(stored, errors="backslashreplace") if isinstance(stored, bytes) else str(stored)


def _to_planes(values: bytes) -> bytes:
    return b"".join(values[i::_WIDTH] for i in range(_WIDTH))


def _from_planes(planes: memoryview) -> bytes:
    values = bytearray(len(planes))
    count = len(planes) // _WIDTH
    for i in range(_WIDTH):
        values[i::_WIDTH] = planes[i * count : (i + 1) * count]
    return bytes(values)


def _little_endian(column: C) -> C:
    if sys.byteorder == "little":
        return column
    swapped = type(column)(column.tobytes())
    swapped.byteswap()
    return swapped
