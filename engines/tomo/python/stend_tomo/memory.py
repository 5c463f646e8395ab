"""How many rows of a scan fit under a cap on memory, and arrays read some rows at a time."""

import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import (
    BadBuffer,
    BadOption,
    BadProjections,
    BadSlices,
    TomoError,
    TooLittleMemory,
)
from stend_tomo.validation import lies_in_rows, masked

if TYPE_CHECKING:
    from numpy.typing import NDArray


PATIENCE = 0.1
"""Seconds after which it is time to look whether Ctrl-C was pressed."""
CONVERTED = 1 << 27
"""Bytes that an array of another type than float32 takes at most while it is converted."""
LANES = 16
"""Slices that the widest vectors hold: fewer at a time would leave some empty."""


def in_batches(rows: int, together: int, row: int) -> Iterator[tuple[int, int]]:
    """Give ranges of rows of `row` bytes: at first `together`, more where they take no time."""
    step = together
    most = max(step, CONVERTED // row)
    first = 0
    while first < rows:
        last = min(first + step, rows)
        began = time.perf_counter()
        yield first, last
        if time.perf_counter() - began < PATIENCE and 2 * step <= most:
            step *= 2
        first = last


def sinograms(
    given: Any,
    first: int,
    last: int,
    sinogram_order: bool,
    result: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Give rows first … last - 1 as (rows, angles, columns): a view where that can be.

    What wraps an array shows only here that it lies where the result goes.
    """
    part = _as_asked(given, first, last, sinogram_order)
    if result is not None and np.may_share_memory(part, result):
        raise BadBuffer(
            "The array for the result overlaps the projections; give an array of its own."
        )
    return in_rows(part if sinogram_order else part.transpose(1, 0, 2))


def slices_read(given: Any, first: int, last: int) -> "NDArray[np.float32]":
    """Give slices first … last - 1."""
    shape = (last - first, *given.shape[1:])
    return in_rows(_as_promised(given[first:last], shape, first, "slices", BadSlices))


def _as_asked(given: Any, first: int, last: int, sinogram_order: bool) -> "NDArray[Any]":
    """Read these rows of projections."""
    read = given[first:last] if sinogram_order else given[:, first:last]
    shape = list(given.shape)
    shape[0 if sinogram_order else 1] = last - first
    return _as_promised(read, tuple(shape), first, "projections", BadProjections)


def _as_promised(
    read: Any, shape: tuple[int, ...], first: int, what: str, refusal: type[TomoError]
) -> "NDArray[Any]":
    """Give an array; what only is indexed like one may give others than it promised."""
    if np.ma.is_masked(read):
        raise refusal(masked(what))
    part = np.asarray(read)
    if part.shape != shape or part.dtype.kind not in "iuf":
        raise refusal(
            f"The {what} from row {first} on came as {part.dtype} of shape {part.shape}, not as "
            f"real numbers of shape {shape}."
        )
    return part


def in_rows(part: "NDArray[Any]") -> "NDArray[np.float32]":
    """Give floats whose rows are contiguous: the array itself where it is such."""
    return part if lies_in_rows(part) else np.ascontiguousarray(part, np.float32)


def spoilt_projections(
    part: "NDArray[np.float32]", at: tuple[int, int, int], first: int, sinogram_order: bool
) -> BadProjections:
    """Tell where in (rows, angles, columns) from row `first` on a value is no number."""
    row, angle, column = at
    row_of_all = first + row
    place = (row_of_all, angle, column) if sinogram_order else (angle, row_of_all, column)
    return BadProjections(
        f"projections[{', '.join(map(str, place))}] is {part[at]}: row {row_of_all}, angle {angle},"
        f" column {column}. One such value spoils its whole slice; replace it, by its neighbours' "
        "mean for instance."
    )


def spoilt_slices(part: "NDArray[np.float32]", at: tuple[int, int, int], first: int) -> BadSlices:
    """Tell where in slices from `first` on a value is no number."""
    place = (first + at[0], *at[1:])
    return BadSlices(
        f"slices[{', '.join(map(str, place))}] is {part[at]}; one such value spoils every ray "
        "through it."
    )


UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
MOST = 2**63
"""Bytes, of which no machine has more."""
BINARY_UNITS = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def bytes_of(memory: int | str) -> int:
    """Give bytes as a number: 4_000_000_000, "4 GB" and "3.7 GiB" are such.

    Raises:
        BadOption: it is no size.
    """
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([kmgt]i?|)b?", str(memory).strip().lower())
    if found is None:
        raise BadOption(
            f'"{memory}" is not a memory size; give bytes or, for example, "4 GB".',
            parameter="memory",
        )
    size = float(found[1]) * (UNITS | BINARY_UNITS)[found[2]]
    if size > MOST:
        raise BadOption(
            'No machine has so much memory; give, for example, "4 GB".', parameter="memory"
        )
    return int(size)


SPARE = 10
"""The part of a cap that is left for what allocators keep and pages round up."""


def usable(cap: int) -> int:
    """Give what of a cap may be asked for."""
    return cap - cap // SPARE


def least_cap(needed: int) -> int:
    """Give a cap under which so many bytes may be asked for."""
    return needed * 9 // 8


def refuse_hopeless(cap: int, row: int, tables: int) -> None:
    """Refuse a cap under which not even one row fits, before tables are made.

    Args:
        cap: bytes.
        row: bytes of a slab of one row.
        tables: bytes that tables have at most.

    Raises:
        TooLittleMemory: it doesn't.
    """
    if row > usable(cap):
        raise TooLittleMemory(
            f"Under {cap:,} bytes not even one slice can be made: a row of the scan takes "
            f"{row:,}, and tables come beside. {least_cap(row + tables):,} bytes will do."
        )


def most_of_tables(angles: int, columns: int, side: int, threads: int) -> int:
    """Give what tables of any algorithm take at most: .8 of this were seen, of direct Fourier's.

    Sixteen slices in lanes, four times over, with their sinograms; and what each thread has.
    """
    widest = max(columns, side)
    return 256 * (side * side + angles * widest) + (threads << 13) * widest + (4 + threads << 20)


def rows_that_fit(
    cap: int,
    made: int,
    takes: Callable[[int], int],
    rows: int,
    together: int,
    one: str = "a row of the scan",
) -> int:
    """How many of `rows` fit beside what is made; whole batches, where one fits.

    Args:
        cap: bytes.
        made: bytes of tables.
        takes: rows of a slab → bytes; more rows never take less.
        rows: of the scan; or slices, where each needs several rows.
        together: of a batch.
        one: what a single one is called.

    Raises:
        TooLittleMemory: not even one does.
    """
    room = usable(cap) - made
    if takes(1) > room:
        raise TooLittleMemory(
            f"Under {cap:,} bytes not even one slice can be made: tables take {made:,} and "
            f"{one} {takes(1):,}. Allow at least {least_cap(made + takes(1)):,} bytes."
        )
    low, high = 1, rows + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if takes(middle) <= room else (low, middle)
    return low - low % together if low > together else low
