"""Places in a list as text for addresses."""

import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode

from stend.errors import BadValue
from stend.record.text import printable

_TEXT = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_PLACE = struct.Struct(">qq")


def told(moment: int, number: int) -> str:
    """The place of a row, by its moment in microseconds and its number."""
    return urlsafe_b64encode(_PLACE.pack(moment, number)).decode().rstrip("=")


def read(text: str) -> tuple[int, int]:
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
