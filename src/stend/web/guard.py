"""What a page or an operation takes: asked before it is answered.

A request in; refused in a sentence, or passed on with its visitor. Also adds what every answer has.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stend.store import Right
from stend.web.answers import problem, refused
from stend.web.settings import Counted, Settings, TooMany
from stend.web.site import visitor_of, way_back
from stend.web.visitor import (
    SAFE,
    Authentication,
    Visitor,
    bearer,
    counted_as,
    forged,
    misdirected,
    published,
)

Answer = Callable[[Request], Response]


def needs(right: Right, answer: Answer) -> Answer:
    """An answer that only who has this right gets."""

    def answered(asked: Request) -> Response:
        return refusal(asked, right) or answer(asked)

    return answered


def missing_right(visitor: Visitor, right: Right) -> HTTPException | None:
    """None where a visitor has a right; else why they are refused."""
    if visitor.right.includes(right):
        return None
    if visitor.name:
        sentence = f"This needs the right to {right}, but {visitor.name} may only {visitor.right}."
        return HTTPException(403, sentence)
    sentence = "This needs a token, and none was sent."
    return HTTPException(401, sentence, {"www-authenticate": "Bearer"})


def refusal(asked: Request, right: Right) -> Response | None:
    """None where the visitor may; else what they are told, or where they can show a token."""
    error = missing_right(visitor_of(asked), right)
    if error is None:
        return None
    if error.status_code == 401 and asked.method in ("GET", "HEAD"):
        return RedirectResponse("/login?" + urlencode({"next": way_back(asked)}), 303)
    return refused(asked, error)


Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

ALWAYS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
NOBODY = Visitor("", Right.NONE)


class Guard:
    """Stands before the application (ASGI)."""

    def __init__(self, app: Starlette, settings: Settings, known: Authentication) -> None:
        self._app, self._settings, self._known = app, settings, known
        self._asking = Counted(settings.limits.asking)
        self._changing = Counted(settings.limits.changing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        scope.update(app=self._app, visitor=NOBODY)  # refusals are pages, too
        asked, send = Request(scope), _with_headers(send)
        try:
            answer = await self._refusal(asked)
        except Exception as error:
            answer = refused(asked, error)
        await (answer or self._app)(scope, receive, send)

    async def _refusal(self, asked: Request) -> Response | None:
        """Find out who asks; None: they may go on."""
        answer = self._not_for_here(asked) or self._of_owner(asked)
        if answer is not None:
            return answer
        visitor = await run_in_threadpool(self._known.visitor, asked)
        asked.scope["visitor"] = visitor
        if bearer(asked) is None and (sentence := forged(asked, self._settings, visitor.by_cookie)):
            return problem(asked, 403, sentence)
        self._count(asked, visitor)
        return None

    def _not_for_here(self, asked: Request) -> Response | None:
        limits = self._settings.limits
        if len(asked.scope["raw_path"]) + len(asked.scope["query_string"]) > limits.target:
            return problem(asked, 414, f"The address has more than {limits.target:,} bytes.")
        if sum(len(name) + len(value) for name, value in asked.scope["headers"]) > limits.headers:
            return problem(asked, 431, f"The headers have more than {limits.headers:,} bytes.")
        if sentence := misdirected(asked, self._settings):
            return problem(asked, 421, sentence)
        if sentence := published(asked, self._settings):
            return problem(asked, 403, sentence)
        return None

    def _of_owner(self, asked: Request) -> Response | None:
        """The printed address of the own machine leads to the same without its secret."""
        said = asked.query_params.get("key")
        if not (self._settings.own_machine and asked.scope["path"] == "/" and said):
            return None
        if not self._known.is_key(said):
            sentence = "This address belongs to a server that has ended; use the one printed last."
            return problem(asked, 403, sentence)
        answer = RedirectResponse("/", 303)
        self._known.let_owner_in(answer)
        return answer

    def _count(self, asked: Request, visitor: Visitor) -> None:
        """Raise TooMany where it comes too early; on the own machine none does."""
        if self._settings.own_machine:
            return
        of = visitor.token or counted_as(visitor.address)
        seconds = self._asking.wait(of)
        if not seconds and asked.method not in SAFE:
            seconds = self._changing.wait(of)
        if seconds:
            raise TooMany(seconds)


def _with_headers(send: Send) -> Send:
    more = [(name.encode(), value.encode()) for name, value in ALWAYS.items()]

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], *more]
            if b"cache-control" not in dict(headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return sent
