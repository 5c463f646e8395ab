"""Encrypted files, as `stend-gost encrypt` writes them and docs/gost-file.md describes them.

One stream is read and another written in pieces, in constant memory, on several threads. One thread
reads and writes while others work on the pieces between; each piece is some chunks that lie in one
buffer, sealed or opened in place, and buffers go round.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import RawIOBase
from typing import TYPE_CHECKING, Protocol

from stend_gost.errors import BadKey, OutputError, TooLong, UnreadableFile
from stend_gost.file_format import CIPHERS, HEADER_BYTES, KEY_BYTES, Chunks, Header
from stend_gost.native import checked_threads
from stend_gost.validation import octets

if TYPE_CHECKING:
    from concurrent.futures import Future

    from stend_gost.validation import Data

__all__ = ["CIPHERS", "HEADER_BYTES", "Header", "decrypt", "encrypt"]

PIECE = 1 << 20
"""Bytes that a thread works on at a time, unless a chunk is larger: half a millisecond or more."""


class Reader(Protocol):
    """What is read from: a binary file, raw or buffered."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the beginning of the buffer; 0 at the end, None where it does not wait for more."""


class Writer(Protocol):
    """What is written to: a binary file, raw or buffered."""

    def write(self, data: memoryview | bytes, /) -> object:
        """Write some of it and give how many bytes, or all of it."""


@dataclass
class Piece:
    """Some chunks in a buffer: which they are, where each lies, whether the last is there."""

    buffer: memoryview
    first: int = 0
    places: tuple[slice, ...] = ()
    last: bool = False
    full: bool = False


Work = Callable[[Piece], list[memoryview]]
Told = Callable[[int], None]


def encrypt(
    reader: Reader,
    writer: Writer,
    key: "Data",
    *,
    cipher: str = "kuznyechik",
    chunk: int | None = None,
    threads: int = 0,
    told: Told | None = None,
) -> None:
    """Encrypt a stream; `told` hears how many bytes of it were read; `threads` 0: all CPUs.

    Raises:
        TooLong: the message is longer than the cipher allows; what was written is no whole file.
    """
    threads = checked_threads(threads)
    header = Header.new(_checked(key), cipher, chunk)
    chunks = Chunks(header)
    _write_all(writer, header.data)
    pieces = _Pieces(reader, chunks.plain_bytes, chunks.sealed_bytes, told)
    limit = header.suite.largest_message

    def seal(piece: Piece) -> list[memoryview]:
        for number, is_last, place in _numbered(piece):
            if number * chunks.plain_bytes + place.stop - place.start > limit:
                raise TooLong(
                    f"A message encrypted with {cipher} has at most {limit:,} bytes; "
                    "this one is longer."
                )
            room = slice(place.start, place.stop + header.suite.tag_bytes)
            chunks.seal(number, is_last, piece.buffer[room], place.stop - place.start)
        return [piece.buffer[: piece.places[-1].stop + header.suite.tag_bytes]]

    _run(pieces, seal, writer, threads)


def decrypt(
    reader: Reader,
    writer: Writer,
    key: "Data",
    *,
    threads: int = 0,
    told: Told | None = None,
) -> None:
    """Decrypt a stream; a chunk is written only after its tag and all before it were checked.

    Raises:
        EncryptedFileError: NotEncrypted, WrongKey or DamagedFile. What was written by then is the
            true beginning of the message, or nothing.
    """
    threads = checked_threads(threads)
    start = memoryview(bytearray(HEADER_BYTES))
    header = Header.read(bytes(start[: _filled(reader, start)]), _checked(key))
    chunks = Chunks(header)
    pieces = _Pieces(reader, chunks.sealed_bytes, chunks.sealed_bytes, told)

    def open_(piece: Piece) -> list[memoryview]:
        return [
            chunks.open(number, is_last, piece.buffer[place])
            for number, is_last, place in _numbered(piece)
        ]

    _run(pieces, open_, writer, threads)


def _checked(key: "Data") -> bytes:
    held = octets(key, "A key")
    if len(held) != KEY_BYTES:
        raise BadKey(f"A key has {KEY_BYTES} bytes, not {len(held)}.")
    return held


def _filled(reader: Reader, buffer: memoryview) -> int:
    """Fill the buffer, and give how much of it; less only at the end of the stream."""
    done = 0
    while done < len(buffer):
        count = reader.readinto(buffer[done:])
        if count is None:
            raise UnreadableFile("The input is non-blocking and has no data yet; make it blocking.")
        if not 0 <= count <= len(buffer) - done:
            raise UnreadableFile(
                f"The input claims to have read {count} bytes, which is impossible."
            )
        if count == 0:
            break
        done += count
    return done


def _write_all(writer: Writer, data: memoryview | bytes) -> None:
    """A raw file may take a part at a time; what else gives no number has taken all."""
    left = memoryview(data)
    while left:
        count = writer.write(left)
        if count is None and isinstance(writer, RawIOBase):
            raise OutputError("The output is non-blocking and full; make it blocking.")
        taken = count if isinstance(count, int) else len(left)
        if not 0 <= taken <= len(left):
            raise OutputError(
                f"The output claims to have written {taken} bytes, which is impossible."
            )
        left = left[taken:]


class _Pieces:
    """A stream cut into pieces of chunks, each `taken` bytes long and put `apart` bytes apart."""

    def __init__(self, reader: Reader, taken: int, apart: int, told: Told | None) -> None:
        self._reader, self._taken, self._apart, self._told = reader, taken, apart, told
        self._chunks = max(1, PIECE // taken)
        self._free: list[memoryview] = []
        self._read = 0

    def give_back(self, piece: Piece) -> None:
        self._free.append(piece.buffer)

    def __iter__(self) -> Iterator[Piece]:
        """Give all pieces; at least one, of one empty chunk, as long as there is a stream."""
        piece = self._next(0)
        while piece.full:
            following = self._next(piece.first + self._chunks)
            if not following.places:
                break
            yield piece
            piece = following
        piece.last = True
        piece.places = piece.places or (slice(0, 0),)
        yield piece

    def _next(self, first: int) -> Piece:
        buffer = self._free.pop() if self._free else self._new()
        places = []
        for i in range(self._chunks):
            start = i * self._apart
            count = _filled(self._reader, buffer[start : start + self._taken])
            if count:
                places.append(slice(start, start + count))
            if count < self._taken:
                break
        read = sum(place.stop - place.start for place in places)
        self._read += read
        if self._told:
            self._told(self._read)
        full = read == self._chunks * self._taken
        return Piece(buffer, first, tuple(places), full=full)

    def _new(self) -> memoryview:
        return memoryview(bytearray(self._chunks * self._apart))


def _numbered(piece: Piece) -> Iterator[tuple[int, bool, slice]]:
    end = len(piece.places) - 1
    for i, place in enumerate(piece.places):
        yield piece.first + i, piece.last and i == end, place


def _run(pieces: _Pieces, work: Work, writer: Writer, threads: int) -> None:
    """Have all pieces worked on, and write the results in order."""
    from concurrent.futures import ThreadPoolExecutor

    count = threads or len(os.sched_getaffinity(0))
    pool = ThreadPoolExecutor(count, thread_name_prefix="stend-gost")
    waiting: deque[tuple[Piece, Future[list[memoryview]]]] = deque()

    def write_first() -> None:
        piece, result = waiting.popleft()
        for part in result.result():
            _write_all(writer, part)
        pieces.give_back(piece)

    try:
        for piece in pieces:
            waiting.append((piece, pool.submit(work, piece)))
            if len(waiting) > count:
                write_first()
        while waiting:
            write_first()
    finally:
        pool.shutdown(cancel_futures=True)
