"""One operation of the API: its address, what it takes and gives, who may ask for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stend.errors import BadValue
from stend.store import Right
from stend.web.rights import refusal
from stend.web.site import Site, site_of, visitor_of
from stend.web.visitor import Visitor

BASE = "/api/v1"
LARGEST_BODY = 64 << 10
"""Bytes of a body that is JSON."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to an operation, checked against what it takes."""

    request: Request
    site: Site
    visitor: Visitor
    path: Mapping[str, str]
    query: Any
    """As the operation's `query`, or None."""
    body: Any
    """As the operation's `body`, or None."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What is at one address for one method."""

    name: str
    """Of all operations one is called so: `list_runs`."""
    method: str
    path: str
    """Below `BASE`, with names of parameters: `/runs/{run}`."""
    says: str
    """One line, then what else there is to say."""
    right: Right
    answer: Callable[[Asked], Any]
    """Gives what `gives` says, or a Response."""
    gives: Any = None
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    status: int = 200
    refusals: Mapping[int, str] = field(default_factory=dict)
    """Answers of its own, beside 400, 401, 403, 404 and 503."""


def route(of: Operation) -> Route:
    """Where Starlette finds it."""

    async def answered(asked: Request) -> Response:
        refused = refusal(asked, of.right)
        if refused is not None:
            return refused
        taken = Asked(
            request=asked,
            site=site_of(asked),
            visitor=visitor_of(asked),
            path=asked.path_params,
            query=of.query and _query(asked, of.query),
            body=of.body and _body(await read(asked, LARGEST_BODY), of.body),
        )
        return await run_in_threadpool(_answer, of, taken)

    return Route(BASE + of.path, answered, methods=[of.method])


def _answer(of: Operation, asked: Asked) -> Response:
    given = of.answer(asked)
    if isinstance(given, Response):
        return given
    if of.gives is None:
        return Response(status_code=204)
    return Response(msgspec.json.encode(given), of.status, media_type="application/json")


def _query(asked: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    words = dict(asked.query_params)
    stray = sorted(words.keys() - set(kind.__struct_encode_fields__))
    if stray:
        raise BadValue(f"This takes no parameter {stray[0]!r}; see {BASE}/openapi.json.")
    try:
        return msgspec.convert(words, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadValue(f"A parameter is wrong: {error}.") from error


def _body(text: bytes, kind: type[msgspec.Struct]) -> msgspec.Struct:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadValue(f"The body is not what this takes: {error}.") from error


async def read(asked: Request, most: int) -> bytes:
    """The body of a request.

    Raises:
        BadValue: it has more bytes than that.
    """
    found = bytearray()
    async for part in asked.stream():
        found += part
        if len(found) > most:
            raise BadValue(f"The body is too large; this takes at most {most:,} bytes.")
    return bytes(found)
