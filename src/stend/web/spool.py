"""Bodies of requests on the disk, as they are: their sizes cost no memory, and are bounded."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from stend.errors import NoSpace

IN_MEMORY = 256 << 10
"""Bytes; more go to a file without a name in the system's temporary folder, so many at a time."""
MOST = 1 << 30
"""Bytes of all bodies together."""


class Spool:
    """The bodies that one server is being sent, or reads. Only its event loop uses this."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._held = most, 0

    @asynccontextmanager
    async def body(self, asked: Request, most: int) -> AsyncIterator[IO[bytes]]:
        """The body from its first byte on, until the block ends.

        Raises:
            HTTPException: it has more bytes than that (413), or all together have too many (503);
                the rest is not read.
            ClientDisconnect: who sent it left before its end.
            NoSpace: the disk is full.
        """
        declared = asked.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise _too_large(most)
        size = 0
        try:
            with SpooledTemporaryFile(IN_MEMORY) as file:
                some = bytearray()
                async for part in asked.stream():
                    size, self._held = size + len(part), self._held + len(part)
                    if size > most:
                        raise _too_large(most)
                    if self._held > self._most:
                        raise _full()
                    some += part
                    if len(some) > IN_MEMORY:
                        await _write(file, some)
                        some = bytearray()
                await _write(file, some)
                file.seek(0)
                yield file
        finally:
            self._held -= size


async def _write(file: IO[bytes], some: bytearray) -> None:
    """In another thread where that takes time: a disk that is slow holds up nobody else."""
    try:
        if len(some) > IN_MEMORY:
            await run_in_threadpool(file.write, some)
        else:
            file.write(some)
    except OSError as error:
        raise NoSpace(
            f"The server can't store what was sent in its temporary folder: {error.strerror}."
        ) from error


def _too_large(most: int) -> HTTPException:
    return HTTPException(413, f"The body is too large; this takes at most {most:,} bytes.")


def _full() -> HTTPException:
    said = "The server is receiving too much at once; send this again in a few seconds."
    return HTTPException(503, said, headers={"retry-after": "5"})
