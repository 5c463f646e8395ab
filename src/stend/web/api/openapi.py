"""Operations → the document that describes them (OpenAPI 3.1)."""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from stend import __version__
from stend.store import Right
from stend.web.answers import Problem
from stend.web.api.operation import BASE, Operation

_REF = "#/components/schemas/{name}"
_ALWAYS = (400, 401, 403, 404, 503)


def document(operations: Sequence[Operation]) -> bytes:
    """The document as JSON."""
    kinds: list[Any] = [Problem]
    for one in operations:
        kinds += [kind for kind in (one.gives, one.body) if kind is not None]
    _, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(BASE + one.path, {})[one.method.lower()] = _described(one)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "stend", "version": __version__},
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def _described(one: Operation) -> dict[str, Any]:
    summary, _, more = one.says.partition("\n\n")
    said: dict[str, Any] = {
        "operationId": one.name,
        "summary": summary,
        "parameters": [*_in_path(one), *_in_query(one)],
        "responses": {str(one.status if one.gives else 204): _given(one), **_refusals(one)},
    }
    if more:
        said["description"] = more
    if one.body is not None:
        said["requestBody"] = {"required": True, "content": _json(one.body)}
    if one.right is not Right.NONE:
        said["security"] = [{"token": []}]
    return said


def _in_path(one: Operation) -> list[dict[str, Any]]:
    names = re.findall(r"\{(\w+)\}", one.path)
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in names
    ]


def _in_query(one: Operation) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    _, components = msgspec.json.schema_components([one.query], ref_template=_REF)
    properties = components[one.query.__name__]["properties"]
    return [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in properties.items()
    ]


def _given(one: Operation) -> dict[str, Any]:
    if one.gives is None:
        return {"description": "Done."}
    return {"description": "Done.", "content": _json(one.gives)}


def _json(kind: Any) -> Mapping[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF)
    return {"application/json": {"schema": schema}}


def _refusals(one: Operation) -> dict[str, Any]:
    said = {status: HTTPStatus(status).phrase for status in _ALWAYS} | dict(one.refusals)
    content = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {str(k): {"description": v, "content": content} for k, v in sorted(said.items())}
