"""A request → what it asks of an operation, or a refusal in a sentence."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect
from starlette.exceptions import HTTPException
from starlette.requests import Request

from stend.errors import BadValue
from stend.record.text import printable
from stend.web.answers import fault_in
from stend.web.api.operation import BASE, Asked, Operation
from stend.web.api.parameters import kind_of
from stend.web.site import site_of, visitor_of

LARGEST_BODY = 64 << 10
"""Bytes of a body that is JSON."""
_MOST_FIELDS = 200
"""Of a query."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


@asynccontextmanager
async def taken(asked: Request, of: Operation) -> AsyncIterator[Asked]:
    """Check a request; a body that is a file lasts as long as the block.

    Raises:
        BadValue: a parameter or the body is not what the operation takes.
        HTTPException: the answer is wanted in another form, or the body comes in one.
    """
    _refuse_other_forms(asked)
    site = site_of(asked)
    found = Asked(
        request=asked,
        site=site,
        visitor=visitor_of(asked),
        path={name: _in_path(name, asked.path_params[name]) for name in of.in_path},
        query=_query(asked, of.query),
        body=await _json(asked, of.body) if of.body else None,
    )
    if not of.file:
        yield found
        return
    async with site.spool.body(asked, of.file) as file:
        yield replace(found, body=file)


def _refuse_other_forms(asked: Request) -> None:
    accept = asked.headers.get("accept")
    if accept and not any(map(_takes_json, accept.split(","))):
        raise HTTPException(406, "The answer is JSON (application/json); accept that.")


def _takes_json(wanted: str) -> bool:
    kind, *parameters = (part.strip().lower() for part in wanted.split(";"))
    if kind not in ("*/*", "application/*", "application/json"):
        return False
    return not any(re.fullmatch(r"q=0(\.0*)?", parameter) for parameter in parameters)


def _in_path(name: str, value: str) -> str:
    try:
        found: str = msgspec.convert(value, kind_of(name))
    except msgspec.ValidationError as error:
        raise BadValue(f"{printable(value[:80])!r} is no {name}: {fault_in(error)}.") from error
    _refuse_control(name, found)
    return found


def _query(asked: Request, kind: type[msgspec.Struct] | None) -> msgspec.Struct | None:
    given = _pairs(asked)
    fields = _fields(kind) if kind else {}
    words: dict[str, Any] = {}
    for name, text in given:
        if name not in fields:
            raise BadValue(
                f"This takes no parameter {printable(name[:80])!r}; {BASE}/openapi.json lists all."
            )
        _refuse_control(name, text)
        repeated, value = _value(fields[name], text)
        if repeated:
            words.setdefault(name, []).append(value)
        elif name in words:
            raise BadValue(f"The parameter {name} is given twice; give it once.")
        else:
            words[name] = value
    try:
        return msgspec.convert(words, kind) if kind else None
    except msgspec.ValidationError as error:
        raise BadValue(f"A parameter is wrong: {fault_in(error)}.") from error


def _pairs(asked: Request) -> list[tuple[str, str]]:
    text: bytes = asked.scope["query_string"]
    try:
        return parse_qsl(
            text.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError as error:  # UnicodeDecodeError is one
        raise BadValue(
            f"The query is not percent-encoded UTF-8 of at most {_MOST_FIELDS} parameters."
        ) from error


@cache
def _fields(kind: type[msgspec.Struct]) -> Mapping[str, inspect.Type]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return {one.encode_name: one.type for one in described.fields}


def _value(kind: inspect.Type, text: str) -> tuple[bool, Any]:
    """Whether there can be several, and this one: a number where one is wanted and written."""
    if isinstance(kind, inspect.Metadata):
        return _value(kind.type, text)
    if isinstance(kind, inspect.UnionType):
        (kind,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
        return _value(kind, text)
    if isinstance(kind, inspect.ListType):
        return True, _value(kind.item_type, text)[1]
    if isinstance(kind, inspect.IntType):
        return False, int(text) if _WHOLE.fullmatch(text) else text
    if isinstance(kind, inspect.BoolType):
        return False, {"true": True, "false": False}.get(text, text)
    return False, text


def _refuse_control(name: str, text: str) -> None:
    if _CONTROL.search(text):
        raise BadValue(f"The parameter {name} has control characters; leave them out.")


async def _json(asked: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    form = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if form != "application/json":
        raise HTTPException(415, "The body has to be JSON, with content-type: application/json.")
    text = await read(asked, LARGEST_BODY)
    try:
        found = msgspec.json.decode(text, type=kind)
        json.loads(text, object_pairs_hook=_refuse_doubled)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadValue(f"The body is not what this takes: {fault_in(error)}.") from error
    return found


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> None:
    """Of two values for one name another program might take the other one."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise BadValue(f"The body has {printable(name[:80])!r} twice; give it once.")


async def read(asked: Request, most: int) -> bytes:
    """The body of a request.

    Raises:
        HTTPException: it has more bytes than that.
    """
    found = bytearray()
    async for part in asked.stream():
        found += part
        if len(found) > most:
            raise HTTPException(413, f"The body is too large; this takes at most {most:,} bytes.")
    return bytes(found)
