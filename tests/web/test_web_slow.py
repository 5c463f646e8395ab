"""Connections that don't get on are ended, and hold up nobody else."""

import re
import select
import socket
import time
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from patience import PATIENCE
from stend.web.settings import Limits
from stend.web.site import static
from web.served import ask, served

SOON = Limits(patience=0.15, slowest=10_000)
LATER = Limits(patience=2, slowest=10_000)
"""Where a thread that the machine stops for a moment must not be taken for a slow client."""
LOGOUT = b"POST /logout HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LOGIN = (
    b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.fixture
def site(store):
    with served(store, limits=SOON) as running:
        yield running


@contextmanager
def connected(url):
    with socket.create_connection(
        ("127.0.0.1", urlsplit(url).port), timeout=PATIENCE
    ) as connection:
        yield connection


def rest(connection):
    """What comes until the connection ends."""
    found = b""
    with suppress(ConnectionResetError, TimeoutError):
        while part := connection.recv(1 << 16):
            found += part
    return found


def drip(connection, part, until=20.0):
    """Send it again and again, until the other side has enough; give what it says."""
    end = time.monotonic() + until
    connection.settimeout(0.02)
    while time.monotonic() < end:
        try:
            connection.sendall(part)
            if said := connection.recv(1 << 16):
                return said
            return b""
        except TimeoutError:
            continue
        except (ConnectionResetError, BrokenPipeError):
            return rest(connection)  # what was said before the connection was cut
    raise AssertionError("the connection is still open")


def test_who_says_nothing_is_not_waited_for(site):
    with connected(site.url) as connection:
        assert b" 408 " in rest(connection)


def test_headers_that_never_end_are_not_waited_for(site):
    with connected(site.url) as connection:
        connection.sendall(b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        said = drip(connection, b"X-Slow: 1\r\n")
        assert b" 408 " in said
        assert b"content-security-policy" in said.lower()


def test_a_body_that_comes_by_drops_is_not_waited_for(site):
    with connected(site.url) as connection:
        connection.sendall(LOGIN + b"Content-Length: 60000\r\n\r\n")
        assert b" 408 " in drip(connection, b"a")


def test_a_body_that_nobody_takes_is_not_read_forever(store):
    with served(store, limits=LATER) as site, connected(site.url) as connection:
        connection.sendall(LOGOUT + b"Content-Length: 1000000000\r\n\r\n")
        assert b" 303 " in connection.recv(1 << 16)
        drip(connection, b"a" * 50_000)


def test_an_answer_that_nobody_reads_is_not_kept(site):
    largest = max(static(), key=lambda path: len(static()[path]))
    with connected(site.url) as connection:
        asked = f"GET {largest} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        connection.sendall(asked * 10)
        ended = select.poll()
        ended.register(connection, 0)  # errors are told of always
        assert ended.poll(20_000)


def test_one_who_sends_steadily_is_waited_for(store):
    body = b"a" * 60_000
    with served(store, limits=LATER) as site, connected(site.url) as connection:
        head = LOGIN + b"Connection: close\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % len(body))
        for first in range(0, len(body), 6000):
            connection.sendall(body[first : first + 6000])
            time.sleep(0.03)
        assert b" 401 " in rest(connection)


def test_too_many_connections_are_refused_and_room_is_made_again(store):
    with served(store, limits=Limits(connections=3, idle=100)) as running:
        held = [socket.create_connection(("127.0.0.1", urlsplit(running.url).port)) for _ in "123"]
        with connected(running.url) as connection:
            assert b" 503 " in rest(connection)
        for one in held:
            one.close()
        end = time.monotonic() + PATIENCE
        while (status := ask(running.url, "/runs").status) == 503 and time.monotonic() < end:
            pass
        assert status == 200


def test_many_who_say_nothing_keep_nobody_out(store):
    with served(store, limits=Limits(idle=5)) as running:
        held = [
            socket.create_connection(("127.0.0.1", urlsplit(running.url).port)) for _ in "1" * 30
        ]
        assert ask(running.url, "/runs").status == 200
        for one in held:
            one.close()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"\x16\x03\x01\x02\x00", b" 400 "),
        (b"GET /runs HTTP/1.1\r\n\r\n", b" 400 "),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b" 400 "),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", b" 400 "),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", b" 400 "),
        (b"GET /" + b"a" * 300_000, b" 431 "),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 300_000, b" 431 "),
    ],
)
def test_what_is_no_http_is_refused_under_the_same_policy(store, said, status):
    with served(store) as running, connected(running.url) as connection:
        connection.sendall(said)
        answer = rest(connection)
        assert status in answer.partition(b"\r\n")[0]
        assert b"default-src 'none'" in answer
        assert b"uvicorn" not in answer


_CHUNKED = b"Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize("order", [1, -1], ids=["length first", "encoding first"])
@pytest.mark.parametrize("before", [b"", b"GET /static HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
def test_a_request_of_two_lengths_is_refused_and_what_follows_is_no_request(store, order, before):
    lengths = b"".join([b"Content-Length: 5\r\n", _CHUNKED][::order])
    hidden = b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served(store) as running, connected(running.url) as connection:
        connection.sendall(before + LOGOUT + lengths + b"\r\n0\r\n\r\n" + hidden)
        answers = rest(connection)
    statuses = re.findall(rb"HTTP/1\.1 (\d+)", answers)
    assert statuses == [b"404"] * bool(before) + [b"400"]
    assert answers.lower().count(b"connection: close") == 1


def test_a_chunked_body_alone_is_taken(store):
    with served(store) as running, connected(running.url) as connection:
        connection.sendall(LOGIN + _CHUNKED + b"Connection: close\r\n\r\n7\r\ntoken=x\r\n0\r\n\r\n")
        assert b" 401 " in rest(connection)
