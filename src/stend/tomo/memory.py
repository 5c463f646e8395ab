"""How many rows of a scan fit under a cap on memory."""

import re

from stend.tomo.errors import BadOption, TooLittleMemory

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
BINARY_UNITS = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def bytes_of(memory: int | str) -> int:
    """Give bytes as a number: 4_000_000_000, "4 GB" and "3.7 GiB" are such.

    Raises:
        BadOption: it is no size.
    """
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([kmgt]i?|)b?", str(memory).strip().lower())
    if found is None:
        raise BadOption(f'"{memory}" is no size of memory; give bytes or, say, "4 GB".')
    return int(float(found[1]) * (UNITS | BINARY_UNITS)[found[2]])


SPARE = 10
"""The part of a cap that is left for what allocators keep and pages round up."""


def rows_that_fit(cap: int, made: int, row: int, together: int) -> int:
    """How many rows of `row` bytes fit beside what is made; whole batches, where one fits.

    Raises:
        TooLittleMemory: not even one does.
    """
    rows = (cap - cap // SPARE - made) // row
    if rows < 1:
        raise TooLittleMemory(
            f"Under {cap:,} bytes not even one slice can be made: tables take {made:,} and a "
            f"row of the scan {row:,}. Allow at least {(made + row) * 9 // 8:,} bytes."
        )
    return rows - rows % together if rows > together else rows
