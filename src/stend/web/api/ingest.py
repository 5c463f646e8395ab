"""Storing a run file that was sent, or refusing it; hostile files take bounded memory.

A run file of n bytes takes up to eleven times as many while it is read: numbers in a list are
objects before they become a column. So large ones are read one at a time.
"""

import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from itertools import chain
from typing import IO

import msgspec
from starlette.exceptions import HTTPException

from stend.comparing.history import MEDIANS
from stend.errors import RunFileError
from stend.record import Run
from stend.record.run_file import from_run_file, may_grow
from stend.record.text import SET
from stend.store import Store

LARGEST = 128 << 20
"""Bytes of a run file: a run of five million repetitions. A quick run on two cores has 11 MB."""
SMALL = 16 << 20
"""Bytes of one that may be read while others are, and that may be packed at any ratio."""
RATIO = 200
"""Bytes that one byte of gzip may stand for. Samples pack at 3 to 4, a thousand skipped cases
that are all alike at 92, and a bomb at up to 1,032."""
AT_ONCE = 64 << 10
"""Bytes that are unpacked at a time."""

MOST_CASES, MOST_BENCHMARKS = 20_000, 1_000
"""Of one run: all that there is in full has some thousands of cases of a hundred benchmarks."""

_MAGIC = b"\x1f\x8b"
_ALONE = threading.Lock()
_PATIENCE = 20.0
"""Seconds that a large one waits for another, while it holds a turn."""


class IngestResult(msgspec.Struct):
    """What became of a run file."""

    run: str
    """The run's id."""
    new: bool
    """Whether it was stored now; else the same run was there already."""


def ingest(
    store: Store, parts: Iterable[bytes], *, sender: str, address: str, run_id: str | None = None
) -> IngestResult:
    """Store the run in a file that came in these parts, from this sender at this address.

    Raises:
        HTTPException: it is larger than `LARGEST`.
        RunFileError: it is no sound run file, has another run than `run_id`, or one without an end.
        Conflict: another run with this id is there, or it was removed.
    """
    text = unpacked(parts)
    with _turn(len(text)):
        run = from_run_file(text, "that was sent")
        if run_id not in (None, run.id):
            raise RunFileError(f"The file holds the run {run.id}, but was sent as {run_id}.")
        if may_grow(run.started, run.finished):
            raise RunFileError(
                f"The run {run.id} has not ended: it is being measured, or was killed less than "
                "a day ago. Send it when it has ended."
            )
        _refuse_odd(run)
        digest = sha256(text).hexdigest()
        new = store.add(run, digest=digest, sender=sender, address=address, of=MEDIANS)
    return IngestResult(run.id, new)


def _refuse_odd(run: Run) -> None:
    """What has no time, would be the newest for years, or makes every list long, is refused.

    Raises:
        RunFileError: the run is so.
    """
    began = datetime.fromisoformat(run.started)
    if began < SET:
        raise RunFileError(
            f"The run {run.id} begins on {run.started}: the clock of its machine was never set. "
            "Set it, and measure again."
        )
    if began - datetime.now(UTC) > timedelta(days=1):
        raise RunFileError(
            f"The run {run.id} begins on {run.started}, which is in the future: its machine's "
            "clock is ahead. Set the clock, and measure again."
        )
    benchmarks = len({case.benchmark for case in run.cases})
    if len(run.cases) > MOST_CASES or benchmarks > MOST_BENCHMARKS:
        raise RunFileError(
            f"The run {run.id} has {len(run.cases):,} cases of {benchmarks:,} benchmarks; the "
            f"limit is {MOST_CASES:,} of {MOST_BENCHMARKS:,}. `stend import` takes more."
        )


def in_parts(file: IO[bytes]) -> Iterator[bytes]:
    """A file's bytes, some at a time."""
    while part := file.read(AT_ONCE):
        yield part


def unpacked(parts: Iterable[bytes]) -> bytes:
    """The run file in what was sent, packed by gzip or as it is.

    Raises:
        HTTPException: it is too large, or is packed as no run file is.
        RunFileError: what is packed ends before its end, or goes on behind it.
    """
    whole = BytesIO()  # gives its bytes without a copy
    for part in _as_sent_or_unpacked(iter(parts)):
        whole.write(part)
        if whole.tell() > LARGEST:
            raise HTTPException(
                413,
                f"The run file has more than {LARGEST:,} bytes unpacked, the server's limit. "
                "`stend import` on the server's machine takes it.",
            )
    return whole.getvalue()


@contextmanager
def _turn(size: int) -> Iterator[None]:
    """Hold the turn of large files, where it is one.

    Raises:
        HTTPException: others hold it for too long (503).
    """
    if size <= SMALL:
        yield
        return
    if not _ALONE.acquire(timeout=_PATIENCE):
        said = "The server is reading other large runs; send this one again in a few seconds."
        raise HTTPException(503, said, headers={"retry-after": "5"})
    try:
        yield
    finally:
        _ALONE.release()


def _as_sent_or_unpacked(parts: Iterator[bytes]) -> Iterator[bytes]:
    first = next(parts, b"")
    if len(first) < len(_MAGIC):
        first += next(parts, b"")
    all_parts = chain([first], parts)
    return _unpacked(all_parts) if first.startswith(_MAGIC) else all_parts


def _unpacked(parts: Iterator[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    taken = given = 0
    try:
        for piece in _pieces(parts):
            taken += len(piece)
            while piece and not unpacker.eof:
                some = unpacker.decompress(piece, AT_ONCE)
                given += len(some)
                _refuse_bomb(taken, given)
                yield some
                piece = unpacker.unconsumed_tail
            if unpacker.unused_data or piece:
                raise RunFileError("The gzip data is followed by other bytes.")
    except zlib.error as error:
        raise RunFileError(f"The gzip data is damaged: {error}.") from error
    if not unpacker.eof:
        raise RunFileError("The gzip data is cut off.")


def _pieces(parts: Iterator[bytes]) -> Iterator[bytes]:
    for part in parts:
        for first in range(0, len(part), AT_ONCE):
            yield part[first : first + AT_ONCE]


def _refuse_bomb(taken: int, given: int) -> None:
    if given > max(SMALL, RATIO * taken):
        raise HTTPException(
            413,
            f"The gzip data unpacks to more than {RATIO} times its size, which no run file does.",
        )
