"""The OpenAPI 3.1 document: FastAPI's of the requests, msgspec's schemas of the answers."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from fastapi.openapi.utils import get_openapi
from msgspec import inspect as types

from stend.record.columns import Integers, Numbers
from stend.store import Right
from stend.web.answers import Problem
from stend.web.api.route import ApiRoute

VERSION = "1"
"""Of the API, which every address has in it; stend's own is told to who may read."""
_ABOUT = """Runs of stend, their figures and comparisons.

Send a token as `Authorization: Bearer stend_…`; `stend token add` makes one. Whoever serves only
this machine (`stend serve` without more) reads without. A refusal is a problem as RFC 9457 has it,
whose `detail` is a sentence for people."""
_REF = "#/components/schemas/{name}"

ALWAYS = {
    400: "A parameter or the body is not what this takes.",
    406: "JSON is not accepted.",
    429: "Too many requests from one place; Retry-After says when to ask again.",
    503: "The store does not answer, or the server is busy; Retry-After says when to ask again.",
}
_OF_RIGHT = {
    401: "It takes a token, and none was shown, or one that is wrong, expired or revoked.",
    403: "The token does not allow it.",
}
_OF_BODY = {413: "The body is too large.", 415: "The body is not JSON."}
_UNKNOWN = {404: "There is none of that name."}


def document(routes: Sequence[ApiRoute]) -> dict[str, Any]:
    """The document; what FastAPI says of answers is replaced."""
    found: dict[str, Any] = get_openapi(
        title="stend", version=VERSION, description=_ABOUT, routes=routes
    )
    for route in routes:
        (method,) = route.methods
        operation = found["paths"][route.path][method.lower()]
        operation |= _text(route)
        operation["responses"] = _results(route) | _refusals(route, "parameters" in operation)
    kinds = [Problem, *(one.result_type for one in routes if one.result_type is not None)]
    _, schemas = _schemas(kinds)
    _describe_fields(kinds, schemas)
    found["components"]["schemas"] |= schemas
    for name in ("HTTPValidationError", "ValidationError"):
        del found["components"]["schemas"][name]
    return found


def _text(route: ApiRoute) -> dict[str, str]:
    text = inspect.getdoc(route.endpoint) or ""
    summary, _, details = text.partition("\n\n")
    if route.description != text:
        details = route.description
    if route.right is not Right.NONE:
        details = f"{details}\n\nIt takes the right to {route.right}.".strip()
    return {"summary": summary.rstrip("."), "description": details}


def _results(route: ApiRoute) -> dict[str, Any]:
    if route.result_type is None:
        return {"204": {"description": "Done."}}
    (schema,), _ = _schemas([route.result_type])
    content = {"application/json": {"schema": schema}}
    result = {"description": "What was asked for.", "content": content}
    statuses = [route.status_code, *(status for status in route.responses if int(status) < 300)]
    found: dict[str, Any] = {str(status): result for status in statuses}
    if "GET" in route.methods:
        found["304"] = {"description": "It is as If-None-Match has it, an earlier answer's ETag."}
    return found


def _refusals(route: ApiRoute, named: bool) -> dict[str, Any]:
    texts = {
        **ALWAYS,
        **(_OF_RIGHT if route.right is not Right.NONE else {}),
        **(_OF_BODY if route.body_field else {}),
        **(_UNKNOWN if named else {}),
        **refusals(route),
    }
    content = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {str(k): {"description": v, "content": content} for k, v in sorted(texts.items())}


def refusals(route: ApiRoute) -> dict[int, str]:
    """What an operation can refuse beside what every one does."""
    return {
        int(status): response["description"]
        for status, response in route.responses.items()
        if int(status) >= 400
    }


def _schemas(kinds: Sequence[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components(kinds, schema_hook=_column, ref_template=_REF)


def _column(kind: type[Any]) -> dict[str, Any]:
    if kind is Integers:
        return {"type": "array", "items": {"type": "integer"}}
    if kind is Numbers:
        return {"type": "array", "items": {"type": ["number", "null"]}}
    raise NotImplementedError  # by which msgspec learns that the hook does not know the type


def _describe_fields(kinds: Sequence[Any], schemas: dict[str, Any]) -> None:
    """Put the strings that stand below the fields of classes into their schemas."""
    for found in set(_classes(tuple(types.multi_type_info(kinds)), set())):
        whole = f"{found.__module__}.{found.__qualname__}"  # where two have one name
        properties = schemas.get(whole, schemas.get(found.__name__, {})).get("properties", {})
        for name, text in _field_texts(found):
            if name in properties:
                properties[name] = {**properties[name], "description": text}


def _classes(node: Any, seen: set[int]) -> Iterator[type[Any]]:
    """The classes with fields in a description of types by msgspec."""
    if isinstance(node, tuple):
        for one in node:
            yield from _classes(one, seen)
    elif isinstance(node, types.Type | types.Field) and id(node) not in seen:
        seen.add(id(node))
        if isinstance(node, types.StructType | types.DataclassType):
            yield node.cls
        yield from _classes(tuple(getattr(node, name) for name in node.__struct_fields__), seen)


def _field_texts(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """The string below each field of a class; nothing where its source is not there."""
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, SyntaxError):
        return
    for member, below in pairwise(definition.body):  # type: ignore[attr-defined]
        match member, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                yield name, inspect.cleandoc(text)
