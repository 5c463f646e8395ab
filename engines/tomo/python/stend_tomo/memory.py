"""How many rows of a scan fit under a cap on memory."""

import re
from collections.abc import Callable

from stend_tomo.errors import BadOption, TooLittleMemory

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
        raise BadOption(f'"{memory}" is no size of memory; give bytes or, say, "4 GB".')
    size = float(found[1]) * (UNITS | BINARY_UNITS)[found[2]]
    if size > MOST:
        raise BadOption('There is no memory of so many bytes; give, say, "4 GB".')
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
