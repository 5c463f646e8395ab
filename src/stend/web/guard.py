"""Who asks and from where: a request in, refused in a sentence or passed on with its visitor."""

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse

from stend.store import Right
from stend.web.settings import Settings
from stend.web.visitor import Visitor

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "stend"
ALWAYS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Stands before the application (ASGI)."""

    def __init__(self, app: App, settings: Settings, secret: str) -> None:
        self._app, self._settings, self._secret = app, settings, secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        asked = Request(scope)
        key = asked.query_params.get("key")
        if self._settings.own_machine and key and self._is_secret(key):
            answer = RedirectResponse(asked.url.path, 303)
            answer.set_cookie(COOKIE, self._secret, httponly=True, samesite="strict")
            await answer(scope, receive, _with_headers(send))
            return
        scope["visitor"] = self._visitor(asked)
        await self._app(scope, receive, _with_headers(send))

    def _visitor(self, asked: Request) -> Visitor:
        if self._settings.own_machine:
            if self._is_secret(asked.cookies.get(COOKIE, "")):
                return Visitor("here", Right.ADMIN, by_cookie=True)
            return Visitor("", Right.READ)
        return Visitor("", Right.READ if self._settings.public_read else Right.NONE)

    def _is_secret(self, said: str) -> bool:
        return secrets.compare_digest(said.encode("utf-8", "replace"), self._secret.encode())


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = [(name.encode(), value.encode()) for name, value in ALWAYS.items()]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sent
