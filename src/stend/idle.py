"""HTTP connections on which no request is under way: only so many are kept.

Who opens connections and says nothing takes descriptors, and needs no secret for that.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class FewIdle(H11Protocol):  # type: ignore[misc]
    """One connection. A new one too many ends the one that has been there longest."""

    most_idle = 32
    """Browsers keep six."""

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
