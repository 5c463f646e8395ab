"""The OpenAPI 3.1 document of all operations."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from stend.record.columns import Integers, Numbers
from stend.store import Right
from stend.web.answers import Problem
from stend.web.api.operation import BASE, PRINTABLE, Operation, kind_of, said_of_fields

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
_FILE = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_UNKNOWN = {404: "There is none of that name."}


def document(operations: Sequence[Operation]) -> bytes:
    """The document as JSON."""
    kinds: list[Any] = [Problem]
    for one in operations:
        kinds += [kind for kind in (one.gives, one.body) if kind is not None]
    _, components = _components(kinds)
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(BASE + one.path, {})[one.method.lower()] = _described(one)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "stend", "version": VERSION, "description": _ABOUT},
            "paths": paths,
            "components": {
                "schemas": said_of_fields(kinds, components),
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def _described(one: Operation) -> dict[str, Any]:
    summary, _, more = one.says.partition("\n\n")
    said: dict[str, Any] = {
        "operationId": one.name,
        "summary": summary,
        "description": f"{more}\n\nIt takes the right to {one.right}.".strip()
        if one.right is not Right.NONE
        else more,
        "parameters": [*_in_path(one), *_in_query(one)],
        "responses": {**_given(one), **_refusals(one)},
        "security": [{"token": []}] if one.right is not Right.NONE else [],
    }
    if one.body is not None:
        said["requestBody"] = {"required": True, "content": _json(one.body)}
    if one.file:
        said["requestBody"] = {"required": True, "content": _FILE}
    return said


def _in_path(one: Operation) -> list[dict[str, Any]]:
    return [_parameter(name, "path", _schema(kind_of(name)), True) for name in one.in_path]


def _in_query(one: Operation) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    _, components = _components([one.query])
    described = components[one.query.__name__]
    required = described.get("required", [])
    return [
        _parameter(name, "query", _never_null(schema), name in required)
        for name, schema in described["properties"].items()
    ]


def _parameter(name: str, where: str, schema: dict[str, Any], required: bool) -> dict[str, Any]:
    """What a schema says for people stands beside it."""
    said = {name: schema.pop(name) for name in ("description", "examples") if name in schema}
    found: dict[str, Any] = {"name": name, "in": where, "required": required}
    found["schema"] = _printable(schema)
    if "description" in said:
        found["description"] = said["description"]
    if "examples" in said:
        found["examples"] = {str(i): {"value": v} for i, v in enumerate(said["examples"], 1)}
    return found


def _printable(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "array":
        return {**schema, "items": _printable(schema["items"])}
    if schema.get("type") == "string" and not {"pattern", "enum", "format"} & schema.keys():
        return {**schema, "pattern": PRINTABLE}
    return schema


def _never_null(schema: dict[str, Any]) -> dict[str, Any]:
    """What is not given is null for us, and can't be written in an address."""
    if "anyOf" not in schema:
        return schema
    (kind,) = (one for one in schema["anyOf"] if one != {"type": "null"})
    return dict(kind)


def _given(one: Operation) -> dict[str, Any]:
    if one.gives is None:
        return {"204": {"description": "Done."}}
    said = {"description": "What was asked for.", "content": _json(one.gives)}
    found: dict[str, Any] = {str(status): said for status in (one.status, one.also) if status}
    if one.method == "GET":
        found["304"] = {"description": "It is as If-None-Match has it, an earlier answer's ETag."}
    return found


def _refusals(one: Operation) -> dict[str, Any]:
    said = {
        **ALWAYS,
        **(_OF_RIGHT if one.right is not Right.NONE else {}),
        **(_OF_BODY if one.body else {}),
        **({413: _OF_BODY[413]} if one.file else {}),
        **(_UNKNOWN if one.in_path or one.query else {}),
        **one.refusals,
    }
    content = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {str(k): {"description": v, "content": content} for k, v in sorted(said.items())}


def _json(kind: Any) -> Mapping[str, Any]:
    return {"application/json": {"schema": _schema(kind)}}


def _schema(kind: Any) -> dict[str, Any]:
    (schema,), _ = _components([kind])
    return schema


def _components(kinds: Sequence[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components(kinds, schema_hook=_column, ref_template=_REF)


def _column(kind: type[Any]) -> dict[str, Any]:
    if kind is Integers:
        return {"type": "array", "items": {"type": "integer"}}
    if kind is Numbers:
        return {"type": "array", "items": {"type": ["number", "null"]}}
    raise NotImplementedError  # what msgspec takes for: this kind is none of ours
