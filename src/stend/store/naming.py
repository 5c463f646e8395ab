"""A case's record → the columns that it is found by over runs: its benchmark, and its kind."""

import msgspec

from stend.record import CaseRecord, Scalar

UNNAMED = ""
"""The kind of a case that an older stend stored."""
UNTOLD = "-"
"""The kind of a case that only its record tells: it is damaged, or the kind is too long."""

_LONGEST = 1000
"""Bytes: PostgreSQL refuses rows of an index beyond 2,700."""


class Kind(msgspec.Struct, frozen=True, array_like=True):
    """Which of a benchmark's cases it is; a case of the same kind in another run is alike."""

    parameters: dict[str, Scalar]
    variant: str | None
    further: tuple[str, ...]
    """Its further figures, by the column that they are in."""


class Named(msgspec.Struct):
    """What is wanted of a case's record."""

    benchmark: str = ""
    parameters: dict[str, Scalar] = {}
    variant: str | None = None
    further: dict[str, msgspec.Raw] = {}


def named(record: str) -> Named | None:
    """What a stored record says of its case; None where it is damaged."""
    try:
        return msgspec.json.decode(record, type=Named)
    except (TypeError, ValueError, RecursionError):
        return None


def kind_of(case: CaseRecord | Named) -> str:
    """Its kind as the column has it."""
    kind = msgspec.json.encode(Kind(case.parameters, case.variant, tuple(case.further)))
    return kind.decode() if len(kind) <= _LONGEST else UNTOLD


def kind_said(text: str) -> Kind | None:
    """The kind that a column has; None of a case that only its record tells."""
    try:
        return msgspec.json.decode(text, type=Kind)
    except (TypeError, ValueError, RecursionError):
        return None
