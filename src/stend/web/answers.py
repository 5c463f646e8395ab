"""Complaints of msgspec as parts of sentences."""

import secrets
import sys
import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus

import msgspec
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from stend.errors import (
    Conflict,
    Damaged,
    InvalidToken,
    NoSpace,
    QuotaExceeded,
    RunFileError,
    StendError,
    StoreError,
    UnknownName,
    Unsound,
    UsageError,
    WrongPlace,
)
from stend.record.text import printable
from stend.web.settings import TooMany
from stend.web.site import site_of


def fault_in(error: Exception) -> str:
    """Its `Fault - at `$.name`` with the name alone, no capital and no full stop."""
    said = printable(str(error)).replace(" - at `$.", ", at `").replace(" - at `$`", "")
    return (said[:1].lower() + said[1:]).rstrip(".")


API = "/api/"

_STATUS: tuple[tuple[type[StendError], int], ...] = (
    (InvalidToken, 401),
    (TooMany, 429),
    (UnknownName, 404),
    (UsageError, 400),
    (RunFileError, 422),
    (Unsound, 422),
    (NoSpace, 507),
    (Conflict, 409),
    (WrongPlace, 409),
    (QuotaExceeded, 429),
    (StoreError, 503),
)


class Problem(msgspec.Struct):
    """What an answer that is none says (RFC 9457)."""

    title: str
    status: int
    detail: str
    """A sentence: what happened, what to do next."""
    type: str = "about:blank"


def refused(asked: Request, error: Exception) -> Response:
    """Answer with what an error says; what nobody foresaw goes to stderr."""
    if isinstance(error, HTTPException):
        detailed = error.detail != HTTPStatus(error.status_code).phrase
        sentence = error.detail if detailed else _SAID.get(error.status_code, error.detail)
        return problem(asked, error.status_code, sentence, error.headers)
    if isinstance(error, RequestValidationError):
        return problem(asked, 400, _invalid(error))
    if isinstance(error, StendError):
        return problem(asked, _status(error), _sentence(asked, error), _headers(error))
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # nobody is there to read more
    return problem(
        asked, 500, f"The server failed to answer this. Its log has more at {_log_failure(error)}."
    )


def of_api(asked: Request) -> bool:
    """Whether a program asks."""
    path: str = asked.scope["path"]  # its url is made with a header, Host
    return path.startswith(API)


_SAID = {
    404: "There is nothing at this address.",
    405: "This address does not support that method.",
}
_TO_ASK_AGAIN = {429: "30", 503: "5"}
"""Seconds after which it may be otherwise."""


def problem(
    asked: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Say it as who asked reads it."""
    title = HTTPStatus(status).phrase
    more = dict(headers or {})
    if status in _TO_ASK_AGAIN:
        more.setdefault("retry-after", _TO_ASK_AGAIN[status])
    if status == 401:
        more.setdefault("www-authenticate", 'Bearer realm="stend"')
    if of_api(asked):
        said = msgspec.json.encode(Problem(title, status, sentence))
        return Response(said, status, more, "application/problem+json")
    values = {"title": title, "status": status, "sentence": sentence}
    answer = site_of(asked).page(asked, "refused.html", values, status)
    answer.headers.update(more)
    return answer


def _invalid(error: RequestValidationError) -> str:
    """What pydantic says of the first parameter, or part of the body, that is wrong."""
    first = error.errors()[0]
    where, *names = first["loc"]
    name = printable(_place(names)[:80])
    fault = first["msg"].removeprefix("Value error, ")
    fault = fault[:1].lower() + fault[1:]
    if where == "path":
        return f"{printable(first['input'][:80])!r} is no {name}: {fault}."
    if where == "query":
        return f"The parameter {name} is wrong: {fault}."
    return f"The body is not what this takes: {fault}{f', at `{name}`' if name else ''}."


def _place(names: Sequence[str | int]) -> str:
    """`runs[3]`."""
    return "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in names)[1:]


_STORE = {
    503: "The server's store failed; the server's log has more.",
    507: "No space is left on the server; what was stored before is intact.",
}
"""What others than its own users are told: where a database is, is not for strangers."""


def _sentence(asked: Request, error: StendError) -> str:
    said = _STORE.get(_status(error))
    if said is None or isinstance(error, Damaged):
        return str(error)
    print(f"stend: {error}", file=sys.stderr, flush=True)
    return str(error) if site_of(asked).settings.own_machine else said


def _headers(error: StendError) -> dict[str, str]:
    if isinstance(error, InvalidToken):
        return {"www-authenticate": 'Bearer error="invalid_token"'}  # RFC 6750, 3.1
    if isinstance(error, TooMany):
        return {"retry-after": str(error.seconds)}
    return {}


def _log_failure(error: Exception) -> str:
    """Print what happened, and give the name that finds it."""
    name = secrets.token_hex(4)
    said = "".join(traceback.format_exception(error))
    print(f"stend: request {name} failed:\n{said}", end="", file=sys.stderr, flush=True)
    return name


def _status(error: StendError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
