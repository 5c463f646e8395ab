"""Requests: the types of their parameters and bodies, and checks that FastAPI lacks."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qsl

import msgspec
from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from starlette.exceptions import HTTPException
from starlette.requests import Request

from stend.errors import BadValue
from stend.record.text import LONGEST, printable
from stend.web.answers import fault_in

BASE = "/api/v1"
LARGEST_BODY = 64 << 10
"""Bytes of a body that is JSON."""
_MOST_PARAMETERS = 200
"""Of a query."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_accept(request: Request) -> None:
    """Raise 406 where the answer is wanted in another form than JSON."""
    accept = request.headers.get("accept")
    if accept and not any(map(_takes_json, accept.split(","))):
        raise HTTPException(406, "The answer is JSON (application/json); accept that.")


def _takes_json(wanted: str) -> bool:
    kind, *parameters = (part.strip().lower() for part in wanted.split(";"))
    if kind not in ("*/*", "application/*", "application/json"):
        return False
    return not any(re.fullmatch(r"q=0(\.0*)?", parameter) for parameter in parameters)


def check_parameters(request: Request, repeatable: Mapping[str, bool]) -> None:
    """Check the names in a query, of which some can be given several times, and all characters.

    Raises:
        BadValue: one is unknown, given twice, or has characters that nothing stored has.
    """
    pairs = _query(request)
    for name, value in (*request.path_params.items(), *pairs):
        if _CONTROL.search(value):
            raise BadValue(f"The parameter {name} has control characters; leave them out.")
    for name, count in Counter(name for name, _ in pairs).items():
        if name not in repeatable:
            raise BadValue(
                f"This takes no parameter {printable(name[:80])!r}; {BASE}/openapi.json lists all."
            )
        if count > 1 and not repeatable[name]:
            raise BadValue(f"The parameter {name} is given twice; give it once.")


def _query(request: Request) -> list[tuple[str, str]]:
    """Starlette would replace what is no UTF-8."""
    text: bytes = request.scope["query_string"]
    try:
        return parse_qsl(
            text.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except ValueError as error:  # UnicodeDecodeError is one
        raise BadValue(
            f"The query is not percent-encoded UTF-8 of at most {_MOST_PARAMETERS} parameters."
        ) from error


async def read_json(request: Request) -> Request:
    """Read the body, and give the request with what was read.

    Raises:
        HTTPException: it is no JSON by its content-type (415), or too large (413).
        BadValue: it is not sound, or has a name twice.
    """
    form = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if form != "application/json":
        raise HTTPException(415, "The body has to be JSON, with content-type: application/json.")
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > LARGEST_BODY:
            sentence = f"The body is too large; this takes at most {LARGEST_BODY:,} bytes."
            raise HTTPException(413, sentence)
    try:
        msgspec.json.decode(content)  # json takes NaN, UTF-16 and halves of characters, too
        json.loads(content, object_pairs_hook=_refuse_doubled)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadValue(f"The body is not what this takes: {fault_in(error)}.") from error

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": bytes(content)}

    return Request(request.scope, receive)


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> None:
    """Of two values for one name another program might take the other one."""
    for name, count in Counter(name for name, _ in pairs).items():
        if count > 1:
            raise BadValue(f"The body has {printable(name[:80])!r} twice; give it once.")


_DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_LITERAL = re.compile(r"true|false|-?(0|[1-9][0-9]{0,17})")


class Model(BaseModel):
    """A query or a body: nothing that is unknown, nothing of another type."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, strict=True)


def _literal(text: str) -> Any:
    return json.loads(text) if _LITERAL.fullmatch(text) else text


def _day(text: str) -> Any:
    return date.fromisoformat(text) if re.fullmatch(_DAY, text) else text


LITERAL = BeforeValidator(_literal)
"""Of an integer or a truth value in a query: written as in JSON, not ` 1_0.0` or `off`."""
Absent: TypeAlias = SkipJsonSchema[None]
"""None of a parameter that was left out; nobody can write null in an address."""
Printable = Annotated[str, Field(pattern=r"^[^\u0000-\u001f\u007f]*$")]
"""Nothing that is stored has control characters."""
Text = Annotated[Printable, Field(max_length=LONGEST)]
Day = Annotated[date, BeforeValidator(_day)]
"""In UTC."""
Moment = Annotated[
    str,
    Field(
        pattern=rf"^{_DAY}(T{_TIME}(:[0-5][0-9](\.[0-9]{{1,6}})?)?(Z|[+-]{_TIME})?)?$",
        examples=["2026-03-02", "2026-03-02T08:00"],
    ),
]
"""A date or a time, in UTC unless it names its zone."""
RunId = Annotated[
    str,
    Path(
        pattern="^[0-9a-f]{4,32}$",
        description="The run's id, or at least 4 digits of its beginning that no other id has.",
        examples=["0123456789abcdef0123456789abcdef"],
    ),
]
"""Labels are none: what they mean can change between two requests."""


class Paging(Model):
    """Which part of a list."""

    limit: Annotated[int, Field(ge=1, le=500), LITERAL] = 50
    """At most this many."""
    after: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{22}$")] | Absent = None
    """The page that follows: `next` of the one before."""
