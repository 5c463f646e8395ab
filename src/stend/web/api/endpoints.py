"""Endpoints: parse a request for its operation, render its result, list the routes."""

import gzip
import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.errors import BadValue
from stend.record.columns import to_json
from stend.record.text import printable
from stend.web.answers import fault_in
from stend.web.api.operation import BASE, Asked, Operation, kind_of
from stend.web.guard import refusal
from stend.web.site import site_of, visitor_of

_WORTH_PACKING = 1000
"""Bytes: less is hardly smaller packed."""
_LEVEL = 3
"""Of gzip: a run file of 11 MB takes 0.2 s, at 6 it takes 0.6 s and is 4% smaller."""


def given(of: Operation, asked: Asked) -> Response:
    """Ask the operation, and answer."""
    found = of.answer(asked)
    if isinstance(found, Response):
        return found
    if of.gives is None:
        return Response(status_code=204)
    content = found if isinstance(found, bytes) else to_json(found)
    if of.method != "GET":
        return _json(content, of.status, {"cache-control": "no-store"}, asked)
    headers = {"cache-control": "private, no-cache", "etag": _tag(content), "vary": _VARY}
    if _is_known(headers["etag"], _said(asked, "if-none-match")):
        return Response(status_code=304, headers=headers)
    return _json(content, of.status, headers, asked)


_VARY = "authorization, cookie"


def _said(asked: Asked, header: str) -> str:
    return str(asked.request.headers.get(header, ""))


def _json(content: bytes, status: int, headers: dict[str, str], asked: Asked) -> Response:
    """Packed in this thread: the site's middleware would keep all others waiting meanwhile."""
    if len(content) >= _WORTH_PACKING and "gzip" in _said(asked, "accept-encoding"):
        content = gzip.compress(content, _LEVEL, mtime=0)
        headers = {**headers, "content-encoding": "gzip"}
    return Response(content, status, headers, media_type="application/json")


def _tag(content: bytes) -> str:
    """Weak: it is the same packed."""
    return f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'


def _is_known(tag: str, said: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in said.split(",")}
    return said.strip() == "*" or tag.removeprefix("W/") in known


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
        body=await _body(asked, of.body) if of.body else None,
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


async def _body(asked: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
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


def routes_of(operations: Sequence[Operation]) -> list[BaseRoute]:
    """A route for each address; those whose names are parameters come last."""
    at: dict[str, list[Operation]] = {}
    for one in operations:
        at.setdefault(one.path, []).append(one)
    return [Route(BASE + path, _Address(at[path])) for path in sorted(at, key=_order)]


def _order(path: str) -> str:
    return path.replace("{", "~")  # behind all letters


class _Address:
    """Answers every method at one address (ASGI)."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._of = {one.method: one for one in operations}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        answer = await self._answer(Request(scope, receive))
        await answer(scope, receive, send)

    async def _answer(self, asked: Request) -> Response:
        of = self._of.get("GET" if asked.method == "HEAD" else asked.method)
        if of is None:
            raise HTTPException(405, headers={"allow": ", ".join(self._methods())})
        refused = refusal(asked, of.right)
        if refused is not None:
            return refused
        async with taken(asked, of) as found:
            return await run_in_threadpool(_in_turn, of, found)

    def _methods(self) -> list[str]:
        return [*self._of, *(["HEAD"] if "GET" in self._of else [])]


def _in_turn(of: Operation, asked: Asked) -> Response:
    with asked.site.turns.taken() if of.heavy else nullcontext():
        return given(of, asked)
