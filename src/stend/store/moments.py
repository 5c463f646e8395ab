"""Moments as the store counts them, microseconds since 1970, and places in lists by them."""

import re
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

from stend.errors import BadValue
from stend.record.text import printable

MINUTE = 60_000_000
"""Microseconds."""
DAY = 24 * 60 * MINUTE

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def counted(moment: datetime) -> int:
    """Microseconds since 1970 at a moment whose zone is known."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def shown(moment: int) -> str:
    """`2026-11-23T10:00:00Z`."""
    at = _EPOCH + timedelta(microseconds=moment)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


_TEXT = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_PLACE = struct.Struct(">qq")


def place_text(moment: int, number: int) -> str:
    """The place of a row, by its moment in microseconds and its number."""
    return urlsafe_b64encode(_PLACE.pack(moment, number)).decode().rstrip("=")


def read_place(text: str) -> tuple[int, int]:
    """The moment and the number of the row whose place it tells.

    Raises:
        BadValue: it tells none.
    """
    if not _TEXT.fullmatch(text):
        raise BadValue(
            f"{printable(text[:40])!r} is not a place in a list of runs; give the one from the "
            "previous page, or none."
        )
    moment, number = _PLACE.unpack(urlsafe_b64decode(f"{text}=="))
    return moment, number
