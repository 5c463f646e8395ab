"""The base of every record, its columns, and the JSON they travel in.

What records there are is said in record.py, and of storage loads in loads.py.
"""

import math
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

T = TypeVar("T", bound="Record")

if TYPE_CHECKING:
    _IntArray = array[int]
    _FloatArray = array[float]
else:  # array takes no subscript before Python 3.12
    _IntArray = _FloatArray = array


class Integers(_IntArray):
    """A column of 64-bit integers; compares by value, gives numpy a view without a copy."""

    def __new__(cls, values: Iterable[int] | bytes = ()) -> Self:
        """Take integers, or the bytes of int64 values in this machine's order."""
        return super().__new__(cls, "q", values)  # type: ignore[return-value]


class Numbers(_FloatArray):
    """A column of float64; NaN where there is no value, written to JSON as null."""

    def __new__(cls, values: Iterable[float] | bytes = ()) -> Self:
        """Take numbers, or the bytes of float64 values in this machine's order."""
        return super().__new__(cls, "d", values)  # type: ignore[return-value]

    def __eq__(self, other: object) -> bool:
        """Compare by value, where no value equals no value."""
        if not isinstance(other, Numbers) or len(self) != len(other):
            return False
        return self.tobytes() == other.tobytes() or all(
            a == b or (a != a and b != b) for a, b in zip(self, other, strict=True)
        )

    __hash__ = None  # as every array: its values can change


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """Base of every record: immutable, compared by value. Fields of a later version are ignored."""


def _encode(value: Any) -> Any:
    if isinstance(value, Integers | Numbers):
        return value.tolist()  # msgspec writes NaN as null
    raise TypeError(f"a {type(value).__name__} can't be part of a record")


def _decode(kind: type[Any], value: Any) -> Any:
    """Make a column of a JSON list; a set of types finds a stray value without a loop."""
    if not isinstance(value, list):
        raise ValueError("a column must be a list of numbers")
    stray = set(map(type, value)) - _IN_COLUMN[kind]
    if stray:
        name = _JSON_NAMES.get(stray.pop(), "something else")
        raise ValueError(f"{_COLUMN_NAMES[kind]} holds {name}")
    try:
        return Integers(value) if kind is Integers else Numbers(_nan_for_null(value))
    except OverflowError as error:
        raise ValueError(f"{_COLUMN_NAMES[kind]} holds a number that is too large") from error


def _nan_for_null(value: list[Any]) -> list[float]:
    return [math.nan if x is None else x for x in value] if None in value else value


_IN_COLUMN: dict[type[Any], set[type[Any]]] = {Integers: {int}, Numbers: {int, float, type(None)}}
_COLUMN_NAMES: dict[type[Any], str] = {
    Integers: "a column of 64-bit integers",
    Numbers: "a column of numbers",
}
_JSON_NAMES: dict[type[Any], str] = {
    bool: "true or false",
    float: "a fraction",
    str: "a string",
    type(None): "null",
    list: "a list",
    dict: "an object",
}


def to_json(record: Record) -> bytes:
    """Encode a record as JSON; NaN in a column becomes null."""
    return msgspec.json.encode(record, enc_hook=_encode)


def from_json(text: bytes, kind: type[T]) -> T:
    """Decode a record of `kind`.

    Raises:
        msgspec.DecodeError: the text is no JSON; its kind msgspec.ValidationError names the place.
        UnicodeDecodeError: a string is not UTF-8.
        RecursionError: lists or objects are nested hundreds deep.
    """
    return msgspec.json.decode(text, type=kind, dec_hook=_decode)
