"""One connection to a server: a request in, its answer out; what fails is told apart.

The standard library's client: it follows no redirect, so that a token goes to no other server,
and takes no proxy from the environment.
"""

import http.client
import json
import socket
import ssl
from collections.abc import Mapping
from typing import Any, NamedTuple

from stend import __version__
from stend.errors import ServerError
from stend.printable import printable
from stend.pushing.server import Server

PATIENCE = 120.0
"""Seconds without a byte: a server may wait for its turn to read a large run."""
_LARGEST_ANSWER = 1 << 20
"""Bytes; what is asked for here has less."""
_LINE = 300
"""Bytes of what is no JSON."""
_NO_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"}
"""What versions of OpenSSL say of an answer that is not TLS."""
_API = "/api/v1"


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    said: Mapping[str, Any]
    """Its JSON; empty of an answer that is none."""
    retry_after: float
    """Seconds to wait before it is asked again; 0 where it does not say."""

    @property
    def sentence(self) -> str:
        """Why it refused."""
        said = self.said.get("detail") or self.said.get("title")
        return printable(str(said), name=False) if said else f"It answers with {self.status}."


class Unreachable(Exception):
    """No answer came, and one may come later."""


class Connection:
    """Connects when something is asked, and again after it was cut."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._to = _connection(server)

    def close(self) -> None:
        """End it."""
        self._to.close()

    def ask(self, method: str, path: str, body: bytes, kind: str) -> Answer:
        """Send one request, whose body is of this media type.

        Raises:
            Unreachable: the connection could not be made, or was cut.
            ServerError: there is no such host, or it is not who it says.
        """
        headers = {
            "Accept": "application/json",
            "Content-Type": kind,
            "User-Agent": f"stend/{__version__}",
        }
        if self._server.token:
            headers["Authorization"] = f"Bearer {self._server.token}"
        try:
            self._to.request(method, self._server.path + _API + path, body, headers)
            answer = self._to.getresponse()
            content = answer.read(_LARGEST_ANSWER)
            if not answer.isclosed():  # there is more, which nobody here wants
                self._to.close()
        except (OSError, http.client.HTTPException) as error:
            self._to.close()
            raise self._fault(error) from error
        said = _said(content, answer.headers.get("content-type", ""))
        return Answer(answer.status, said, _seconds(answer.headers.get("retry-after")))

    def _fault(self, error: Exception) -> Exception:
        name = self._server.name
        if isinstance(error, ssl.SSLCertVerificationError):
            why = error.verify_message.rstrip(".")
            return ServerError(
                f"{name} does not prove that it is this server: {why}. Nothing was sent. For an "
                "authority of your own, SSL_CERT_FILE names its certificates."
            )
        if isinstance(error, ssl.SSLError) and error.reason in _NO_TLS:
            return ServerError(f"{name} does not speak TLS; is its address one with http://?")
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return ServerError(f"There is no host {printable(self._server.host)}; check --to.")
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return Unreachable(printable(said).rstrip("."))


def _connection(server: Server) -> http.client.HTTPConnection:
    if not server.tls:
        return http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(server.host, server.port, timeout=PATIENCE, context=context)


def _said(content: bytes, kind: str) -> Mapping[str, Any]:
    if kind.startswith("text/plain"):  # a proxy's
        return {"detail": content[:_LINE].decode(errors="replace").strip()}
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(header: str | None) -> float:
    """What a header says in seconds; one that has a date is as good as none."""
    return float(header) if header and header.isascii() and header.isdecimal() else 0.0
