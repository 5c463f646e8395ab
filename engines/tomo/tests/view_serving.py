"""A viewer's server, in a thread of the test's process, and requests to it."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from stend_tomo.view import Server
from tomo_support import PATIENCE


@contextmanager
def served(shown) -> Iterator[str]:
    """Give the address; the server ends with the test."""
    server = Server(shown)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server.address
    finally:
        server.stop()
        thread.join()


def get(address, **headers):
    """Status, headers and body, of refusals too."""
    asked = urllib.request.Request(
        address, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def plane(address):
    """The values of a plane and what is said of them; waits for an overview."""
    while True:
        status, headers, body = get(address)
        if status != 202:
            break
    assert status == 200, body
    said = json.loads(headers["stend-plane"])
    return np.frombuffer(body, "<f4").reshape(said["shape"]), said
