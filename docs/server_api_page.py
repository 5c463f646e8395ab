"""The operations of a server's API → the text of docs/server-api.md."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from stend.web.api import OPERATIONS
from stend.web.api.openapi import ALWAYS, document, refusals
from stend.web.api.request import BASE
from stend.web.api.route import ApiRoute

BEGINNING = f"""# The server's API

Every operation of a server (`stend serve`), as its own description has it, which is at
`{BASE}/openapi.json` (OpenAPI 3.1) with every field of every answer.
[The server](server.md#the-api) shows them at work.

A run in an address is its id, or at least 4 digits of its beginning that no other id has. Answers
are JSON, packed with gzip for who accepts that, and have an `ETag`: who sends it back as
`If-None-Match` gets 304 while nothing has changed. A refusal is `application/problem+json`
(RFC 9457) with a sentence in `detail`; beside those that an operation names, every one can answer
"""


def text() -> str:
    """All operations, an address after the other."""
    paths = document(OPERATIONS)["paths"]
    always = ", ".join(f"{status} ({_short(said)})" for status, said in ALWAYS.items())
    described = [(one, paths[one.path][_method(one).lower()]) for one in OPERATIONS]
    parts = [f"{BEGINNING}{always}.\n", *_table(described)]
    for one, operation in described:
        parts += _section(one, operation)
    return "\n".join([*parts, ""])


def _table(described: Iterable[tuple[ApiRoute, Mapping[str, Any]]]) -> Iterator[str]:
    yield "| | it takes the right to | |"
    yield "| --- | --- | --- |"
    for one, operation in described:
        link = f"[`{_name(one)}`](#{_anchor(one)})"
        yield f"| {link} | {one.right} | {operation['summary']} |"


def _section(one: ApiRoute, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## {_name(one)}\n"
    yield operation["summary"] + "."
    if more := operation["description"].removesuffix(f"It takes the right to {one.right}.").strip():
        yield f"\n{more}"
    rows = [_row(parameter) for parameter in operation.get("parameters", ())]
    if one.body_field is not None:
        model = one.body_field.field_info.annotation
        rows.append(f"| the body | `{model.__name__}` | {model.__doc__} |")
    if rows:
        yield "\n| | | |\n| --- | --- | --- |"
        yield from rows
    gives = f"`{one.result_type.__name__}`" if one.result_type is not None else "nothing"
    own = "".join(f" {status}: {why}" for status, why in refusals(one).items())
    yield f"\nGives {gives} ({one.status_code}).{own}"


def _row(parameter: Mapping[str, Any]) -> str:
    schema = parameter["schema"]
    required = ", needed" if parameter["required"] and parameter["in"] == "query" else ""
    text = " ".join(parameter.get("description", "").split())
    return f"| `{parameter['name']}`{required} | {_kind(schema)} | {text} |"


def _kind(schema: Mapping[str, Any]) -> str:
    """In words, with its default."""
    if schema.get("type") == "array":
        return f"several of: {_kind(schema['items'])}"
    words = [schema.get("type", "string")]
    if "enum" in schema:
        words = [", ".join(f"`{one}`" for one in schema["enum"])]
    if "minimum" in schema:
        words.append(f"from {schema['minimum']}")
    if "maximum" in schema:
        words.append(f"to {schema['maximum']}")
    default = schema.get("default")
    return " ".join(words) + (f"; default {default}" if default not in (None, "", []) else "")


def _method(one: ApiRoute) -> str:
    (method,) = one.methods
    return method


def _name(one: ApiRoute) -> str:
    return f"{_method(one)} {one.path.removeprefix(BASE)}"


def _anchor(one: ApiRoute) -> str:
    """As GitHub makes it of the heading."""
    kept = (c for c in _name(one).lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def _short(said: str) -> str:
    return said.partition(";")[0].rstrip(".").lower()
