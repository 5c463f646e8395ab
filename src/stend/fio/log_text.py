"""The text of a fio log in; its first columns out, as numpy arrays.

numpy.loadtxt reads it, faster than pandas.read_csv (peers/storage/log_reading.py). What it refuses
is looked for again, to name the line.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from stend.errors import RunFileError
from stend.printable import printable

Table = npt.NDArray[np.int64]
"""A row for each column of the log."""

_LONGEST = 1 << 16
"""Bytes of a line: fio's longest, of a histogram, has 1,859 numbers."""


def columns_of(path: Path, widths: range | None = None) -> Table:
    """Read a log.

    Args:
        path: the file.
        widths: how many columns there may be; of these, as many are read as there must be. None:
            any number, the same in each line, and all are read.

    An empty log has no columns: fio opens one for submissions whatever the engine.

    Raises:
        RunFileError: a line is none of a log, or the file can't be read.
    """
    try:
        with path.open(encoding="latin-1") as file:
            first = file.readline(_LONGEST)
            if not first:
                return np.zeros((0, 0), np.int64)
            width = first.count(",") + 1
            _check(path, first, width, widths)
        return _table(path, widths[0] if widths else width)
    except OSError as error:
        raise _unread(path, error.strerror) from error


def _check(path: Path, first: str, width: int, widths: range | None) -> None:
    if path.suffix in (".gz", ".bz2", ".xz"):  # numpy would unpack it, however large it gets
        raise _unfit(path, "it is compressed; unpack it")
    if not first.strip():
        raise _unfit(path, "its first line is blank")
    if len(first) >= _LONGEST:
        raise _unfit(path, f"its first line has {_LONGEST:,} bytes or more")
    if widths and width not in widths:
        raise _unfit(
            path, f"a line has {width} columns, and one of fio has {widths[0]} to {widths[-1]}"
        )


def _table(path: Path, wanted: int) -> Table:
    """Read by path, which takes half the time of a file that is open: absolute, so no URL."""
    try:
        columns: Table = np.loadtxt(
            path.absolute(),
            np.int64,
            comments=None,
            delimiter=",",
            usecols=range(wanted),
            ndmin=2,
        ).T
    except ValueError as error:
        raise _wrong(path, wanted) from error
    if columns.min(initial=0) < 0:
        raise _wrong(path, wanted)
    return columns


def _wrong(path: Path, wanted: int) -> RunFileError:
    """Name the first line that has not the wanted numbers, without a sign and within 64 bits."""
    number = 0
    with path.open("rb") as file:
        while line := file.readline(_LONGEST):
            number += 1
            fields = line.split(b",")
            if line.strip() and not (
                len(fields) >= wanted and all(map(_is_number, fields[:wanted]))
            ):
                break
    begins = printable(line[:60].decode("ascii", "backslashreplace").rstrip())
    return _unfit(
        path, f"line {number:,} reads “{begins}”, where {wanted} whole numbers with commas belong"
    )


def _is_number(field: bytes) -> bool:
    digits = field.strip()
    return digits.isdigit() and len(digits) < 1000 and int(digits) < 1 << 63


def _unfit(path: Path, said: str) -> RunFileError:
    return RunFileError(f"{printable(str(path))} is no log of fio: {said}.")


def _unread(path: Path, said: str | None) -> RunFileError:
    return RunFileError(f"The log {printable(str(path))} can't be read: {said}.")
