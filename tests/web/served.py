"""A server in a thread of the test's process, requests to it, and its pages in a browser."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from patience import PATIENCE
from stend.store import Store
from stend.web import Server, Settings

ORIGIN = "https://perf.example.org"
"""Under which a team's server is shown."""
HOST = {"Host": "perf.example.org"}


class Served(NamedTuple):
    """A running server."""

    url: str
    """Without the secret, and behind no proxy."""
    address: str
    """What is printed: on loopback with the secret that makes one its owner."""
    store: Store


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@contextmanager
def served(store: Store, **settings: Any) -> Iterator[Served]:
    """The server ends with the test."""
    server = Server(store, Settings(**settings))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Served(server.listening, server.address, store)
    finally:
        server.stop()
        thread.join()


def owner(site: Served) -> str:
    """The cookie of a browser that opened the printed address."""
    answer = ask(site.url, site.address.removeprefix(site.url))
    return answer.headers["set-cookie"].partition(";")[0]


def ask(
    url: str, path: str, method: str = "GET", body: Any = None, token: str = "", **headers: str
) -> Answer:
    """Send one request; a body that is no bytes goes as JSON. Refusals are answers, too."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        sent.setdefault("Content-Type", "application/json")
    try:
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()
