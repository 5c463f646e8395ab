"""A server's address and the token for it: what was typed in, checked, out."""

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from stend.errors import BadValue
from stend.printable import printable


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
        raise BadValue(f"{said} is no server's address: {error}.") from error
    if parts.username is not None:
        raise BadValue(
            "An address with a name or a password in it is not taken; give a token in STEND_TOKEN "
            "or by --token-file."
        )
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise BadValue(f"{said} is no server's address; one looks like https://perf.example.org.")
    tls = parts.scheme == "https"
    if not (tls or _is_here(host)):
        raise BadValue(
            f"{said} would send the token and the runs so that the network can read them. Give an "
            "address with https://, or lead a port there with `ssh -L 8000:localhost:8000 HOST` "
            "and give http://localhost:8000."
        )
    if not re.fullmatch(r"[!-~]{0,500}", token):
        raise BadValue("The token has characters that no token has; one looks like stend_….")
    return Server(host, port or (443 if tls else 80), tls, parts.path.rstrip("/"), token)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
