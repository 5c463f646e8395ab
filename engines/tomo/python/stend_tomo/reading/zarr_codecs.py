"""A Zarr array → the same, whose chunks are looked at before they are unpacked.

Each codec that packs is put into one that looks at what comes first. (Zarr's own setting of how
chunks are unpacked is the whole process's, other threads' arrays included.) Imports Zarr, which an
installation without the extra `files` has not.
"""

import asyncio
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numcodecs.abc
from zarr.abc.codec import BytesBytesCodec
from zarr.codecs import ShardingCodec

from stend_tomo.reading.limits import SIZES, SPARE, STREAMS, UNASKED, unpacked

WIDEST = 8
"""Bytes of a value, in whichever type codecs keep it."""


def bounded(path: Path, array: Any) -> Any:
    """Give an array to read from; what is refused of it is a ScanFileError about `path`."""
    inner = array._async_array  # `async_array` since zarr 3.1 only
    given, item = inner.metadata, array.dtype.itemsize
    if given.zarr_format == 2:
        room = _room(given.chunks, item)
        parts = {
            "compressor": _numcodec(path, given.compressor, room),
            "filters": tuple(_numcodec(path, each, room) for each in given.filters or ()) or None,
        }
    else:
        parts = {"codecs": tuple(_codec(path, each, item) for each in given.codecs)}
    return type(array)(replace(inner, metadata=replace(given, **parts)))


def _room(shape: tuple[int, ...], item: int) -> int:
    """Bytes that a chunk of this shape may unpack to."""
    values = math.prod(shape)
    return min(WIDEST * values, max(UNASKED, item * values)) + SPARE


def _packs(name: str) -> bool:
    return name in STREAMS or name in SIZES


def _numcodec(path: Path, codec: Any, room: int) -> Any:
    if codec is None or not _packs(codec.codec_id):
        return codec
    return BoundedNumcodec(path, codec, room)


def _codec(path: Path, codec: Any, item: int) -> Any:
    if isinstance(codec, ShardingCodec):
        inner = tuple(_codec(path, each, item) for each in codec.codecs)
        return replace(codec, codecs=inner)
    said = codec.to_dict()
    name = said["name"].removeprefix("numcodecs.")
    return (
        Bounded(path, codec, name, said.get("configuration", {}), item) if _packs(name) else codec
    )


@dataclass(frozen=True)
class Bounded(BytesBytesCodec):  # type: ignore[misc]
    """A codec of format 3."""

    path: Path
    codec: Any
    name: str
    how: dict[str, Any]
    item: int
    is_fixed_size = False

    async def _decode_single(self, chunk: Any, spec: Any) -> Any:
        room = _room(spec.shape, self.item)
        data = await asyncio.to_thread(
            unpacked, self.path, self.name, chunk.to_bytes(), room, self.how
        )
        if data is not None:
            return spec.prototype.buffer.from_bytes(data)
        (decoded,) = await self.codec.decode([(chunk, spec)])
        return decoded

    def evolve_from_array_spec(self, array_spec: Any) -> "Bounded":
        """Tell the codec of the array, as zarr does."""
        return replace(self, codec=self.codec.evolve_from_array_spec(array_spec))

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: Any) -> int:
        """Tell what the codec does, of those that pack nothing."""
        return int(self.codec.compute_encoded_size(input_byte_length, chunk_spec))


class BoundedNumcodec(numcodecs.abc.Codec):  # type: ignore[misc]
    """A codec of format 2."""

    codec_id = "bounded"

    def __init__(self, path: Path, codec: Any, room: int) -> None:
        self._path, self._codec, self._room = path, codec, room

    def encode(self, buf: Any) -> Any:
        """Pack, as the codec does."""
        return self._codec.encode(buf)

    def decode(self, buf: Any, out: Any = None) -> Any:
        """Unpack what is not too large."""
        packed, how = bytes(memoryview(buf).cast("B")), self._codec.get_config()
        data = unpacked(self._path, self._codec.codec_id, packed, self._room, how)
        return self._codec.decode(buf, out) if data is None else data
