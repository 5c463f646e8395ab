"""One connection to a server: its answers, its faults told apart, pauses that grow.

The standard library's client: it follows no redirect, so that a token goes to no other server,
and takes no proxy from the environment.
"""

import http.client
import json
import random
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from stend import __version__
from stend.errors import BadValue, ServerError
from stend.record.text import printable


@dataclass(frozen=True, slots=True)
class Server:
    """Where runs are sent."""

    host: str
    port: int
    tls: bool
    path: str
    """Before the API's own; empty, or begins with a slash and doesn't end in one."""
    token: str = field(repr=False)
    """Empty: none is shown."""

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def server_of(url: str, token: str) -> Server:
    """Check a server's address and a token for it.

    Raises:
        BadValue: it is no address; the token would go where others can read it; the address has a
            secret in it, which everybody sees who lists processes; or the token can't be one.
    """
    said = printable(url)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadValue(f"{said} is not a server's address: {error}.") from error
    if parts.username is not None:
        raise BadValue(
            "An address must not contain a name or a password; give a token in STEND_TOKEN or "
            "by --token-file."
        )
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise BadValue(
            f"{said} is not a server's address; one looks like https://perf.example.org."
        )
    tls = parts.scheme == "https"
    if not (tls or _is_here(host)):
        raise BadValue(
            f"{said} would send the token and the runs unencrypted. Give an address with "
            "https://, or forward a port with `ssh -L 8000:localhost:8000 HOST` and give "
            "http://localhost:8000."
        )
    if not re.fullmatch(r"[!-~]{0,500}", token):
        raise BadValue("The token has characters that no token can have; one looks like stend_….")
    return Server(host, port or (443 if tls else 80), tls, parts.path.rstrip("/"), token)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


LONGEST = 30.0
"""Seconds of a pause."""


@dataclass
class Patience:
    """Ends when nothing got through for so many seconds."""

    seconds: float = 300.0
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    _failures: int = 0
    _since: float = 0.0
    """When the first of the failures was."""

    def got_through(self) -> None:
        """Begin anew."""
        self._failures = 0

    def pause(self, asked: float = 0.0) -> bool:
        """Wait before the next attempt, `asked` seconds at least; False: there is to be none.

        A pause can be twice as long as the one before, and has any length from half of that on:
        machines that lost their server don't all come back to it at once.
        """
        now = self.now()
        if not self._failures:
            self._since = now
        wait = asked + min(LONGEST, 0.5 * 2**self._failures) * (1 + self.chance()) / 2
        if now + wait - self._since > self.seconds:
            return False
        self._failures = min(self._failures + 1, 10)
        self.sleep(wait)
        return True


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
        return (
            printable(str(said), name=False) if said else f"It answered with status {self.status}."
        )


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
        said = _problem(content, answer.headers.get("content-type", ""))
        return Answer(answer.status, said, _seconds(answer.headers.get("retry-after")))

    def _fault(self, error: Exception) -> Exception:
        name = self._server.name
        if isinstance(error, ssl.SSLCertVerificationError):
            why = error.verify_message.rstrip(".")
            return ServerError(
                f"{name} can't prove its identity: {why}. Nothing was sent. For a certificate "
                "authority of your own, set SSL_CERT_FILE."
            )
        if isinstance(error, ssl.SSLError) and error.reason in _NO_TLS:
            return ServerError(f"{name} does not speak TLS; does its address begin with http://?")
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return ServerError(f"There is no host {printable(self._server.host)}; check --to.")
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return Unreachable(printable(said).rstrip("."))


def _connection(server: Server) -> http.client.HTTPConnection:
    if not server.tls:
        return http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(server.host, server.port, timeout=PATIENCE, context=context)


def _problem(content: bytes, kind: str) -> Mapping[str, Any]:
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
