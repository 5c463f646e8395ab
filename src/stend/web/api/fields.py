"""What the sources say of each field of a record, below it → descriptions in its schema."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import inspect as types


def said_of_fields(kinds: Sequence[Any], components: dict[str, Any]) -> dict[str, Any]:
    """The schemas of these kinds and all that is in them, with what is said of their fields."""
    for found in _structs(types.multi_type_info(kinds), set()):
        whole = f"{found.__module__}.{found.__qualname__}"  # where two have one name
        schema = components.get(whole, components.get(found.__name__, {})).get("properties", {})
        for name, said in _said(found).items():
            if name in schema:
                schema[name] = {**schema[name], "description": said}
    return components


def _structs(kinds: Sequence[Any], seen: set[Any]) -> Iterator[type[Any]]:
    for kind in kinds:
        if isinstance(kind, types.StructType | types.DataclassType):
            if kind.cls in seen:
                continue
            seen.add(kind.cls)
            yield kind.cls
            yield from _structs([field.type for field in kind.fields], seen)
        elif isinstance(kind, types.Type):
            yield from _structs(list(_inside(kind)), seen)


def _inside(kind: types.Type) -> Iterator[types.Type]:
    """The types that a list, a dictionary, a union or an annotation has in it."""
    for name in kind.__struct_fields__:
        value = getattr(kind, name)
        yield from (
            one
            for one in (value if isinstance(value, tuple) else (value,))
            if isinstance(one, types.Type)
        )


def _said(kind: type[Any]) -> dict[str, str]:
    """The string below each field of a class; nothing where its source is not there."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, SyntaxError):
        return {}
    (definition,) = tree.body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[field.target.id] = inspect.cleandoc(below.value.value)
    return found
