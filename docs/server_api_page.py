"""The operations of a server's API → the text of docs/server-api.md."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from stend.web.api import OPERATIONS
from stend.web.api.openapi import ALWAYS, document
from stend.web.api.operation import BASE, Operation

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
    described = json.loads(document(OPERATIONS))["paths"]
    always = ", ".join(f"{status} ({_short(said)})" for status, said in ALWAYS.items())
    parts = [f"{BEGINNING}{always}.\n", *_table()]
    for one in OPERATIONS:
        parts += _section(one, described[BASE + one.path][one.method.lower()])
    return "\n".join([*parts, ""])


def _table() -> Iterator[str]:
    yield "| | it takes the right to | |"
    yield "| --- | --- | --- |"
    for one in OPERATIONS:
        link = f"[`{one.method} {one.path}`](#{_anchor(one)})"
        yield f"| {link} | {one.right} | {one.says.partition(chr(10))[0]} |"


def _section(one: Operation, said: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## {one.method} {one.path}\n"
    yield said["summary"] + "."
    if more := one.says.partition("\n\n")[2]:
        yield f"\n{more}"
    rows = [_row(parameter) for parameter in said["parameters"]]
    if one.body is not None:
        rows.append(f"| the body | `{one.body.__name__}` | {one.body.__doc__} |")
    if rows:
        yield "\n| | | |\n| --- | --- | --- |"
        yield from rows
    gives = f"`{_name(one.gives)}`" if one.gives is not None else "nothing"
    refusals = "".join(f" {status}: {why}" for status, why in one.refusals.items())
    yield f"\nGives {gives} ({one.status if one.gives is not None else 204}).{refusals}"


def _row(parameter: Mapping[str, Any]) -> str:
    schema = parameter["schema"]
    required = ", needed" if parameter["required"] and parameter["in"] == "query" else ""
    said = parameter.get("description", "")
    return f"| `{parameter['name']}`{required} | {_kind(schema)} | {said} |"


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


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))


def _anchor(one: Operation) -> str:
    """As GitHub makes it of the heading."""
    kept = (c for c in f"{one.method} {one.path}".lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def _short(said: str) -> str:
    return said.partition(";")[0].rstrip(".").lower()
