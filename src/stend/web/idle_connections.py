"""HTTP connections: few without a request, and none whose requests two servers read differently.

Who opens connections and says nothing takes descriptors, and needs no secret for that.
"""

import asyncio
from typing import Any

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
