"""Connections: so many at once, none that doesn't get on, none whose requests are ambiguous.

Who opens connections and says nothing takes descriptors, and needs no secret for that.

In each span of `patience` seconds one of these has to happen: the headers of a request end; its
body brings `slowest` bytes a second, or ends; of an answer that waits to be read, something is.
While an answer is made, a connection may wait as long as that takes.
"""

import asyncio
import struct
import sys
from ipaddress import ip_address
from socket import SO_LINGER, SOL_SOCKET, socket
from typing import Any, NamedTuple

import h11
import uvicorn
from anyio.to_thread import current_default_thread_limiter
from uvicorn.protocols.http.h11_impl import H11Protocol

from stend.web.compute_slots import THREADS
from stend.web.guard import ALWAYS
from stend.web.settings import Limits
from stend.web.visitor import counted_as, plain

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


class _Seen(NamedTuple):
    """How far a connection was when it was looked at."""

    request: Any
    """The latest whose headers ended."""
    state: Any
    """What the other side is at (h11)."""
    received: int
    """Bytes."""
    unread: int
    """Bytes that wait to be read."""
    paused: bool
    """Whether we take nothing ourselves."""


class Connection(FewIdle):
    """As uvicorn makes them: of a class, whose limits are set once."""

    limits = Limits()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (asyncio)."""
        super().connection_made(transport)
        self._received = 0
        self._seen = self._look()
        self._timer = self.loop.call_later(self.limits.patience, self._watch)
        self.address = plain(self.client[0] if self.client else "")
        self.counted_as = counted_as(self.address)
        if len(self.connections) > self.limits.connections or self._is_one_of_too_many():
            self._end(503, "Too many connections are open; try again soon.")

    def connection_lost(self, exc: Exception | None) -> None:
        """End (asyncio)."""
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes (asyncio)."""
        self._received += len(data)
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; `msg` is uvicorn's, which tells less."""
        error = sys.exc_info()[1]
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            self._end(431, "The headers are too large.")
        else:
            self._end(400, "This is no HTTP request.")

    def _is_one_of_too_many(self) -> bool:
        """Whether its address has more than its share; a proxy here has those of all visitors."""
        if not self.address or ip_address(self.address).is_loopback:
            return False
        same = [one for one in self.connections if one.counted_as == self.counted_as]
        return len(same) > self.limits.of_each

    def _look(self) -> _Seen:
        return _Seen(
            self.cycle,
            self.conn.their_state,
            self._received,
            self.transport.get_write_buffer_size(),
            self.flow.read_paused,
        )

    def _watch(self) -> None:
        before, self._seen = self._seen, self._look()
        self._timer = self.loop.call_later(self.limits.patience, self._watch)
        if before.unread and before.unread == self._seen.unread:
            self._reset()
        elif self._is_slow(before, self._seen):
            self._end(408, "This took too long to send.")

    def _is_slow(self, before: _Seen, now: _Seen) -> bool:
        """Whether what is being sent comes too slowly, or comes though it was answered."""
        if (before.request, before.state) != (now.request, now.state):
            return False
        if now.state is h11.IDLE:
            return True
        if now.state is not h11.SEND_BODY or before.paused or now.paused:
            return False
        least = self.limits.slowest * self.limits.patience
        return self.cycle.response_complete or now.received - before.received < least

    def _reset(self) -> None:
        """Close at once: the system would keep what nobody reads, and try again, for minutes."""
        at_once = struct.pack("ii", 1, 0)
        plain_socket = self.transport.get_extra_info("socket")
        plain_socket.setsockopt(SOL_SOCKET, SO_LINGER, at_once)
        self.transport.abort()

    def _end(self, status: int, sentence: str) -> None:
        """Say why, if nothing is being said, and close."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [*ALWAYS.items(), ("content-type", "text/plain; charset=utf-8")]
            begin = h11.Response(status_code=status, headers=[*headers, ("connection", "close")])
            for event in (begin, h11.Data(data=sentence.encode() + b"\n"), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))
        self.transport.close()


class Listening(uvicorn.Server):  # type: ignore[misc]
    """Answers in as many threads as may wait for their turns, and more."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin (uvicorn)."""
        current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)


def with_limits(limits: Limits) -> type[Connection]:
    """The class of a server's connections."""
    shared = {"limits": limits, "most_idle": limits.idle}
    return type("LimitedConnection", (Connection,), shared)
