"""What went wrong → an answer: a page with a sentence, or a problem as the API tells it."""

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from stend.errors import (
    NoSpace,
    RunFileError,
    StendError,
    StoreError,
    UnknownName,
    Unsound,
    UsageError,
)
from stend.web.site import site_of

API = "/api/"

_STATUS: tuple[tuple[type[StendError], int], ...] = (
    (UnknownName, 404),
    (UsageError, 400),
    (RunFileError, 422),
    (Unsound, 422),
    (NoSpace, 507),
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
    """Answer with what an error says."""
    if isinstance(error, HTTPException):
        sentence = _SAID.get(error.status_code, error.detail)
        return problem(asked, error.status_code, sentence)
    if isinstance(error, StendError):
        return problem(asked, _status(error), str(error))
    return problem(
        asked, 500, f"This failed here: {type(error).__name__}. The server's log has more."
    )


_SAID = {404: "There is nothing at this address.", 405: "That can't be done at this address."}


def problem(asked: Request, status: int, sentence: str) -> Response:
    """Say it as who asked reads it."""
    title = HTTPStatus(status).phrase
    if asked.url.path.startswith(API):
        said = msgspec.json.encode(Problem(title, status, sentence))
        return Response(said, status, media_type="application/problem+json")
    values = {"title": title, "status": status, "sentence": sentence}
    return site_of(asked).page(asked, "refused.html", values, status)


def _status(error: StendError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
