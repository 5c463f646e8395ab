"""JSON as the tools write it: NaN and Infinity, which no standard knows, are numbers in it."""

import json
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def decoded(text: bytes, kind: type[T], *, strict: bool = True) -> T:
    """Decode it; Python's json, asv and Google Benchmark write NaN, which is slower to read.

    Raises:
        msgspec.DecodeError: it is no JSON, or not of this kind.
        RecursionError: it is nested too deeply.
    """
    try:
        return msgspec.json.decode(text, type=kind, strict=strict)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if not any(word in text for word in (b"NaN", b"nan", b"Infinity", b"inf")):
            raise
        try:
            found: Any = json.loads(text)
        except ValueError:
            found = None
        if found is None:
            raise
    return msgspec.convert(found, kind, strict=strict)
