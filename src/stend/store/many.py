"""Many texts as one parameter of a statement: databases take so many parameters and no more.

What is looked up in an index is given one by one: SQLite takes a list for large.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ARRAY, Boolean, ColumnElement, String, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class _OneOf(FunctionElement[bool]):
    """Of a column, and the texts as each kind of database takes them."""

    type = Boolean()
    inherit_cache = True


@compiles(_OneOf, "sqlite")
def _in_json(of: _OneOf, compiler: Any, **told: Any) -> str:
    column, json, _ = of.clauses
    texts = f"SELECT value FROM json_each({compiler.process(json, **told)})"
    return f"({compiler.process(column, **told)} IN ({texts}))"


@compiles(_OneOf, "postgresql")
def _in_array(of: _OneOf, compiler: Any, **told: Any) -> str:
    column, _, array = of.clauses
    return f"({compiler.process(column, **told)} = ANY ({compiler.process(array, **told)}))"


def one_of(column: ColumnElement[Any], texts: Iterable[str]) -> ColumnElement[bool]:
    """Whether the column has one of these, however many they are."""
    listed = list(texts)
    json = msgspec.json.encode(listed).decode()
    return _OneOf(column, literal(json, String), literal(listed, ARRAY(String)))
