"""Who may ask: few connections, only pages of this server, only to read.

Who opens connections and says nothing takes descriptors, and needs no secret for that.

Any page that is open in a browser can send requests to loopback, and by a name that it makes
resolve to 127.0.0.1 (DNS rebinding) could read the answers too. So the name that was asked for has
to be loopback's, and the path begins with a secret that is new each time.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_TWO_LENGTHS = frozenset({b"content-length", b"transfer-encoding"})


class OneLength(h11.Connection):  # type: ignore[misc]
    """Refuses a request that tells its length twice.

    A proxy that goes by the one and a server that goes by the other take different bytes for the
    next request (RFC 9112, 6.3). h11 goes by Transfer-Encoding and says nothing.
    """

    def next_event(self) -> Any:
        """Give what comes next (h11)."""
        event = super().next_event()
        if isinstance(event, h11.Request) and {name for name, _ in event.headers} >= _TWO_LENGTHS:
            raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class FewIdle(H11Protocol):  # type: ignore[misc]
    """One connection. A new one too many ends the one that has been there longest."""

    most_idle = 32
    """Browsers keep six."""

    def __init__(self, *words: Any, **named: Any) -> None:
        """Read requests strictly (uvicorn)."""
        super().__init__(*words, **named)
        self.conn = OneLength(h11.SERVER)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (asyncio)."""
        super().connection_made(transport)
        self.made = self.loop.time()
        idle = [one for one in self.connections if one.idle()]
        if len(idle) > self.most_idle:
            min(idle, key=lambda one: one.made).transport.abort()

    def idle(self) -> bool:
        """Whether the headers of its next request haven't ended."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()


Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HOSTS = {"127.0.0.1", "localhost"}
"""By any port, so that the page can be seen through an SSH tunnel."""
ALWAYS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Refuses in one sentence, or passes on without the secret in the path."""

    def __init__(self, app: App, secret: str) -> None:
        self._app, self._secret = app, secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request (ASGI)."""
        refusal = self._refusal(scope)
        if refusal is None:
            _, _, rest = scope["path"].removeprefix("/").partition("/")
            await self._app({**scope, "path": "/" + rest}, receive, _with_headers(send))
            return
        status, sentence = refusal
        headers = [("content-type", "text/plain; charset=utf-8"), *ALWAYS.items()]
        begin = {"type": "http.response.start", "status": status, "headers": _encoded(headers)}
        await send(begin)
        await send({"type": "http.response.body", "body": sentence.encode() + b"\n"})

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").partition(":")[0]
        if host.lower() not in HOSTS:
            return 403, "This server answers to 127.0.0.1 and localhost only."
        first = scope["path"].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(first.encode("utf-8", "replace"), self._secret):
            return 403, "The address is incomplete; use the one that stend printed."
        if scope["method"] not in ("GET", "HEAD"):
            return 405, "This server is read-only."
        return None


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *_encoded(list(ALWAYS.items()))]}
        await send(message)

    return sent


def _encoded(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers]
