"""The words that a run is searched by, and the columns that a case is found by.

What is looked up in an index is given one by one: SQLite takes a list for large.

Databases fold letters each in its own way, and some only A to Z: so both sides are folded here.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ARRAY, Boolean, ColumnElement, String, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from stend.errors import BadValue
from stend.record import CaseRecord, Run, Scalar
from stend.record.text import printable


class _OneOf(FunctionElement[bool]):
    """Of a column, and the texts as each kind of database takes them."""

    type = Boolean()
    inherit_cache = True


@compiles(_OneOf, "sqlite")
def _in_json(of: _OneOf, compiler: Any, **options: Any) -> str:
    column, json, _ = of.clauses
    texts = f"SELECT value FROM json_each({compiler.process(json, **options)})"
    return f"({compiler.process(column, **options)} IN ({texts}))"


@compiles(_OneOf, "postgresql")
def _in_array(of: _OneOf, compiler: Any, **options: Any) -> str:
    column, _, array = of.clauses
    return f"({compiler.process(column, **options)} = ANY ({compiler.process(array, **options)}))"


def one_of(column: ColumnElement[Any], texts: Iterable[str]) -> ColumnElement[bool]:
    """Whether the column has one of these, however many they are."""
    listed = list(texts)
    json = msgspec.json.encode(listed).decode()
    return _OneOf(column, literal(json, String), literal(listed, ARRAY(String)))


UNNAMED = ""
"""The kind of a case that an older stend stored."""
UNTOLD = "-"
"""The kind of a case that only its record tells: it is damaged, or the kind is too long."""

_LONGEST_KIND = 1000
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
    return kind.decode() if len(kind) <= _LONGEST_KIND else UNTOLD


def kind_said(text: str) -> Kind | None:
    """The kind that a column has; None of a case that only its record tells."""
    try:
        return msgspec.json.decode(text, type=Kind)
    except (TypeError, ValueError, RecursionError):
        return None


_LONGEST = 4_000
"""Characters: looking through ten thousand runs shall stay quick, whatever their commands hold."""
_MOST = 16
"""Words of a search."""


def words_of(run: Run) -> str:
    """Its label, its host and its command, one below the other; no word reaches over a line."""
    return folded_lines(run.label, run.machine.host, run.command)


def folded_lines(label: str, host: str | None, command: tuple[str, ...]) -> str:
    """The same of their parts."""
    return "\n".join((label, host or "", " ".join(command))).casefold()[:_LONGEST]


def words_in(search: str) -> tuple[str, ...]:
    """The words that all have to be found, each once.

    Raises:
        BadValue: they are too many.
    """
    words = tuple(dict.fromkeys(printable(search).casefold().split()))
    if len(words) > _MOST:
        raise BadValue(f"The search has {len(words)} words; give at most {_MOST}.")
    return words


class _Told(msgspec.Struct):
    """What is wanted of a run's record."""

    command: tuple[str, ...] = ()


def command_in(record: str) -> tuple[str, ...]:
    """The command that a stored record has; a damaged one has none.

    Loading the run says what is wrong with it.
    """
    try:
        return msgspec.json.decode(record, type=_Told).command
    except (TypeError, ValueError, RecursionError):
        return ()
