"""Log files of fio, read entry by entry.

numpy.loadtxt reads it, faster than pandas.read_csv (peers/storage/log_reading.py). What it refuses
is looked for again, to name the line.

The value's meaning is told by the file's name alone (`_bw.1.log`), and the unit of latencies by
nothing in most logs: fio 2 wrote µs, fio 3 ns.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from stend.errors import RunFileError
from stend.record.text import printable

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
            _check_line(path, first, width, widths)
        return _table(path, widths[0] if widths else width)
    except OSError as error:
        raise _unread(path, error.strerror) from error


def _check_line(path: Path, first: str, width: int, widths: range | None) -> None:
    if path.suffix in (".gz", ".bz2", ".xz"):  # numpy would unpack it, however large it gets
        raise _no_log(path, "it is compressed; unpack it")
    if not first.strip():
        raise _no_log(path, "its first line is blank")
    if len(first) >= _LONGEST:
        raise _no_log(path, f"its first line has {_LONGEST:,} bytes or more")
    if widths and width not in widths:
        raise _no_log(
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
    return _no_log(
        path, f"line {number:,} reads “{begins}”, where {wanted} whole numbers with commas belong"
    )


def _is_number(field: bytes) -> bool:
    digits = field.strip()
    return digits.isdigit() and len(digits) < 1000 and int(digits) < 1 << 63


def _no_log(path: Path, said: str) -> RunFileError:
    return RunFileError(f"{printable(str(path))} is not a log of fio: {said}.")


def _unread(path: Path, said: str | None) -> RunFileError:
    return RunFileError(f"The log {printable(str(path))} can't be read: {said}.")


Kind = Literal["bw", "iops", "lat", "clat", "slat", "hist"]

_NAME = re.compile(r"(?:^|_)(bw|iops|lat|clat|slat|(?:clat_)?hist)(?:\.(\d+))?\.log(?:\..+)?$")
"""HOWTO, write_bw_log: `NAME_bw.JOB.log`; a server's host follows it."""

_WIDTHS = range(4, 7)
"""HOWTO, Log File Formats: time, value, direction, block size, offset, priority. The fifth is
the offset or the priority, by version and options; neither is needed here."""

_LATEST = 1 << 42
"""ms since the run began, with room to become ns."""

_BITS = 6
_BINS = {19 << _BITS: 1000, 29 << _BITS: 1}
"""stat.h, FIO_IO_U_PLAT_NR: how many bins of how many ns there are in fio 2 and in fio 3."""


@dataclass(frozen=True)
class Log:
    """The entries of one job."""

    path: Path
    kind: Kind
    job: int
    ms: Table
    """Since the run began: when it ended, or the window that it is of."""
    values: Table
    """KiB/s, IOPS, or latency in the unit of fio's version; of `hist` a row for each bin."""
    directions: Table
    """0: read, 1: write, 2: trim."""
    blocks: Table
    """Bytes; 0 where an entry is the mean of a window (log_avg_msec)."""
    unit: int | None = None
    """ns that a latency's unit has, where the log tells it: histograms do."""

    @property
    def name(self) -> str:
        """What the names of this run's logs begin with."""
        return _NAME.sub("", self.path.name)

    @property
    def single(self) -> bool:
        """Whether each entry is one operation."""
        return self.kind != "hist" and len(self.blocks) > 0 and bool(self.blocks.min() > 0)


def names_a_log(path: Path) -> bool:
    """Whether the file is named as fio names its logs."""
    return _NAME.search(path.name) is not None


def looks_like_a_log(text: bytes) -> bool:
    """Whether a file's beginning reads as a log's first line does."""
    return re.match(rb"\d+, ?\d+, ?[0-2], ?\d+[,\r\n]", text) is not None


def read_log(path: Path) -> Log:
    """Read a log.

    Raises:
        RunFileError: its name does not tell what it holds, a line is none of a log, or the file
            can't be read.
    """
    named = _NAME.search(path.name)
    if named is None:
        raise RunFileError(
            f"{printable(str(path))} looks like a log of fio, but its name does not tell what was "
            "logged: name it as fio does, such as `NAME_bw.1.log` (or iops, lat, clat, slat, "
            "clat_hist)."
        )
    kind = cast(Kind, named[1].removeprefix("clat_"))
    table = columns_of(path, None if kind == "hist" else _WIDTHS)
    if not table.size:
        nothing = np.zeros(0, np.int64)
        return Log(path, kind, int(named[2] or 0), nothing, nothing, nothing, nothing)
    return _histograms(path, named, table) if kind == "hist" else _series(path, kind, named, table)


def _series(path: Path, kind: Kind, named: re.Match[str], table: Table) -> Log:
    ms, values, directions, blocks = table
    _check(path, ms, directions)
    return Log(path, kind, int(named[2] or 0), ms, values, directions, blocks)


def _histograms(path: Path, named: re.Match[str], table: Table) -> Log:
    """Time, direction, block size, and the bins: all, or sums of neighbours (the coarseness)."""
    ms, directions, blocks = table[:3] if len(table) > 3 else np.zeros((3, 1), np.int64)
    bins = table[3:]
    whole = {len(bins) << coarseness for coarseness in range(_BITS + 1)}.intersection(_BINS)
    if not len(bins) or not whole:
        raise _unfit(path, f"a line has {len(table)} columns, which no histogram of fio has")
    _check(path, ms, directions)
    unit = _BINS[whole.pop()]
    return Log(path, "hist", int(named[2] or 0), ms, bins, directions, blocks, unit)


def bin_values(log: Log) -> Table:
    """The ns that stand for each bin of a histogram log: the middle of what it covers.

    stat.c, plat_idx_to_val, for the bin in the middle of those that were added up.
    """
    unit = log.unit or 1
    n = next(n for n, of in _BINS.items() if of == unit)
    stride = n // len(log.values)
    index = np.arange(len(log.values), dtype=np.int64) * stride + stride // 2
    octave = np.maximum((index >> _BITS) - 1, 0)
    low = np.where(index >> _BITS > 0, 1 << _BITS, 0) + index % (1 << _BITS)
    values: Table = ((low << octave) + (np.int64(1) << octave >> 1)) * unit
    return values


def _check(path: Path, ms: Table, directions: Table) -> None:
    if directions.max() > 2:
        line = int(np.argmax(directions > 2)) + 1
        raise _unfit(
            path,
            f"line {line:,} has the direction {directions[line - 1]}, and there are 0, 1 and 2 "
            "(logs with log_window_value=both are not read)",
        )
    if ms.max() >= _LATEST:
        line = int(np.argmax(ms >= _LATEST)) + 1
        raise _unfit(path, f"line {line:,} has the time {ms[line - 1]:,} ms")


def _unfit(path: Path, said: str) -> RunFileError:
    return RunFileError(f"{printable(str(path))} is not a log of fio: {said}.")
