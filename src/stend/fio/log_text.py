"""The text of a fio log in; its first columns out, as numpy arrays.

A block of the text is turned into numbers digit by digit for all of its lines at once. What is
not laid out as fio does it goes through `slowly`, line by line, which is also what the fast way is
tested against.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stend.errors import RunFileError
from stend.printable import printable

Table = npt.NDArray[np.int64]
"""A row for each column of the log."""

BLOCK = 1 << 21
"""Bytes that are read at a time: what is made of a block is some 15 times as large."""

_NEWLINE, _COMMA, _SPACE, _ZERO = b"\n, 0"
_DIGITS = 18
"""A number of more may leave 64 bits."""

_MOST = 1 << 62


def columns_of(path: Path, widths: range | None = None) -> Table:
    """Read a log, each line of which has as many columns.

    Args:
        path: the file.
        widths: how many columns there may be; of these, as many are read as there must be. None:
            any number, and all are read.

    An empty log has no columns: fio opens one for submissions whatever the engine.

    Raises:
        RunFileError: a line is none of a log, or the file can't be read.
    """
    blocks = []
    width = None
    line = 1
    for text in _blocks(path):
        if width is None:
            width = text.split(b"\n", 1)[0].count(b",") + 1
            if widths and width not in widths:
                raise RunFileError(
                    f"{printable(str(path))} is no log of fio: a line has {width} columns, and one "
                    f"of fio has {widths[0]} to {widths[-1]}."
                )
        wanted = widths[0] if widths else width
        block = quickly(text, width, wanted)
        blocks.append(slowly(text, width, wanted, line, path) if block is None else block)
        line += text.count(b"\n")
    return np.concatenate(blocks, axis=1) if blocks else np.zeros((0, 0), np.int64)


def _blocks(path: Path) -> Iterator[bytes]:
    """Give the file's text in blocks of whole lines."""
    kept = b""
    try:
        with path.open("rb") as file:
            while more := file.read(BLOCK):
                ends = more.rfind(b"\n") + 1
                if not ends and len(kept) > BLOCK:
                    raise RunFileError(
                        f"{printable(str(path))} is no log of fio: it has a line of over "
                        f"{BLOCK:,} bytes."
                    )
                if ends:
                    yield kept + more[:ends]
                    kept = b""
                kept += more[ends:]
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise RunFileError(f"The log {printable(str(path))} can't be read: {said}.") from error
    if kept:
        yield kept + b"\n"


def quickly(text: bytes, width: int, wanted: int) -> Table | None:
    """Read lines laid out as fio does it: `1000, 42, 0, 4096`. None: some line is not."""
    b = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(b == _NEWLINE)
    commas = np.flatnonzero(b == _COMMA)
    if len(commas) != len(ends) * (width - 1):
        return None
    marks = np.empty((width + 1, len(ends)), np.int64)
    marks[0, 0] = -1
    marks[0, 1:] = ends[:-1]
    marks[1:-1] = commas.reshape(len(ends), width - 1).T
    marks[-1] = ends
    if (marks[1] <= marks[0]).any() or (marks[-2] >= marks[-1]).any():
        return None  # one line has too many, another too few
    table = np.zeros((wanted, len(ends)), np.int64)
    for column in range(wanted):
        starts = marks[column] + 1
        if column:
            starts = starts + (b[starts] == _SPACE)
        if not _numbers(b, starts, marks[column + 1], table[column]):
            return None
    return table


def _numbers(b: npt.NDArray[np.uint8], starts: Table, ends: Table, into: Table) -> bool:
    """Add up the digits from the last to the first; whether there were only digits."""
    widths = ends - starts
    most = int(widths.max(initial=0))
    if widths.min(initial=1) < 1 or most > _DIGITS:
        return False
    least = int(widths.min(initial=1))
    for place in range(most):
        digits = b[np.maximum(ends - 1 - place, 0)] - np.uint8(_ZERO)
        if place >= least:
            digits[widths <= place] = 0
        if digits.max(initial=0) > 9:
            return False
        into += digits * np.int64(10**place)
    return True


def slowly(text: bytes, width: int, wanted: int, first: int, path: Path) -> Table:
    """Read lines one by one; `first` is the number of the first.

    Raises:
        RunFileError: with the number of the line that is none of a log.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), first):
        fields = line.split(b",")
        row = [_number(field) for field in fields[:wanted]]
        if len(fields) != width or None in row:
            begins = printable(line[:60].decode("ascii", "backslashreplace"))
            raise RunFileError(
                f"{printable(str(path))} is no log of fio: line {number:,} reads “{begins}”, where "
                f"{width} whole numbers with commas between them belong."
            )
        rows.append(row)
    return np.array(rows, np.int64).reshape(len(rows), wanted).T


def _number(field: bytes) -> int | None:
    digits = field.strip(b" \t")
    if not digits.isdigit() or len(digits) > 19 or int(digits) > _MOST:
        return None
    return int(digits)
