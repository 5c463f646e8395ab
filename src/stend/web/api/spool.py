"""The body of a request, as it is, on the disk: its size costs no memory."""

from tempfile import SpooledTemporaryFile
from typing import IO

from starlette.exceptions import HTTPException
from starlette.requests import Request

from stend.errors import NoSpace

IN_MEMORY = 256 << 10
"""Bytes; more go to a file without a name in the system's temporary folder."""


async def spooled(asked: Request, most: int) -> IO[bytes]:
    """The body from its first byte on.

    Raises:
        HTTPException: it has more bytes than that; the rest is not read.
        ClientDisconnect: who sent it left before its end.
        NoSpace: the disk is full.
    """
    declared = asked.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(most)
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - whom it is given to closes it
    try:
        async for part in asked.stream():
            file.write(part)
            if file.tell() > most:
                raise _too_large(most)
        file.seek(0)
    except OSError as error:
        file.close()
        raise NoSpace(
            f"The server's temporary folder does not take what was sent: {error.strerror}."
        ) from error
    except BaseException:
        file.close()
        raise
    return file


def _too_large(most: int) -> HTTPException:
    return HTTPException(413, f"The body is too large; this takes at most {most:,} bytes.")
