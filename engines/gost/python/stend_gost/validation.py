"""What callers give: the types that hints name, and the bytes and numbers that are looked at here.

What goes to the compiled part as it is, is looked at there.
"""

from operator import index
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Buffer

    Data: TypeAlias = "Buffer | Array"
    """Any contiguous memory: bytes, bytearray, memoryview, mmap, arrays."""


class Array(Protocol):
    """An array of numpy, whose stubs call it a buffer from Python 3.12 on only."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


def octets(thing: "Data", what: str) -> bytes:
    """Copy something small; `what` begins the sentence for what is no buffer."""
    if type(thing) is bytes:
        return thing
    try:
        return memoryview(thing).tobytes()  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"{what} has to be bytes or another object with the buffer protocol, not "
            f"{type(thing).__name__}."
        ) from None


def number(thing: int, what: str) -> int:
    """Give a whole number; `what` begins the sentence for what is none."""
    try:
        return index(thing)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {type(thing).__name__}.") from None


LARGEST = 1 << 62
"""What sizes in bytes are at most."""


def in_words(value: int) -> str:
    """Give a number as an error says it: one of a million digits helps nobody."""
    return str(value) if abs(value) <= LARGEST else "a number of over 62 bits"
