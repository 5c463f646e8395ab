"""Rows of the detector that the beam reaches: of others nothing can be made."""

from typing import TYPE_CHECKING

from stend_tomo.cli.opening import row_of
from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from stend_tomo import Scan

Ranges = list[tuple[int, int]]
BEAM = "where the beam does not reach the detector"
NAMED = 3
"""Ranges that a sentence has at most."""


def lit_middle(scan: "Scan", first: int, end: int) -> int:
    """Give the middle of the rows that the beam reaches, the same for any rows first … end - 1.

    Raises:
        BadOption: it does not reach some of these.
    """
    lit = _lit(scan)
    of_these = [(max(a, first), min(b, end)) for a, b in lit if a < end and b > first]
    if of_these != [(first, end)]:
        ways = " or ".join(f"--rows {a}:{b}" for a, b in (of_these or lit)[:NAMED])
        raise BadOption(
            f"The flat fields are dark in {_dark(of_these, first, end)}, {BEAM}; give {ways}."
        )
    return _middle(lit)


def lit_row(given: int | None, scan: "Scan") -> int:
    """Give the row that was asked for, or the middle of those that the beam reaches.

    Raises:
        BadOption: there is no such row, or the beam does not reach it.
    """
    row = None if given is None else row_of(given, scan.projections.shape[1])
    lit = _lit(scan)
    if row is None:
        return _middle(lit)
    if not any(first <= row < end for first, end in lit):
        ways = " or ".join(f"{first} to {end - 1}" for first, end in lit[:NAMED])
        raise BadOption(f"The flat fields are dark in row {row}, {BEAM}; give --row {ways}.")
    return row


def _lit(scan: "Scan") -> Ranges:
    from stend_tomo.preparation import lit_rows

    lit = lit_rows(scan)
    if not lit:
        raise BadOption(
            "The flat fields are nowhere brighter than the dark fields; were they mixed up, or "
            "taken with the shutter closed?"
        )
    return lit


def _middle(lit: Ranges) -> int:
    first, end = max(lit, key=lambda rows: rows[1] - rows[0])
    return (first + end) // 2


def _dark(lit: Ranges, first: int, end: int) -> str:
    """What lies between lit rows, as `rows 0 to 4 and row 88`."""
    begins, ends = [first, *(b for _, b in lit)], [*(a for a, _ in lit), end]
    dark = [(a, b - 1) for a, b in zip(begins, ends, strict=True) if a < b]
    names = [f"row {a}" if a == b else f"rows {a} to {b}" for a, b in dark]
    return " and ".join(names[:NAMED] + ["others"] * (len(names) > NAMED))
