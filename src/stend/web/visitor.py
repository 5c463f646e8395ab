"""Where a request comes from and was meant to go, who it is of, and what they may do.

Any page that is open in a browser can send requests anywhere, loopback too, and with the cookies
of where they go; under a name that it makes resolve to 127.0.0.1 (DNS rebinding) it could read
the answers. So on loopback the name that was asked for has to be loopback's, and a browser has to
say that the request is of our own page, or follows a link.

On the own machine everybody reads, and who opened the printed address may do everything.
"""

import re
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from stend.errors import InvalidToken, StoreError
from stend.store import OWNER, Right, Store, Token
from stend.web.settings import Counted, Settings, TooMany

LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
"""By any port, so that pages can be seen through an SSH tunnel."""
PROXIES_SAY = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing (RFC 9110, 9.2.1)."""


def misdirected(asked: Request, settings: Settings) -> str | None:
    """A sentence, where it was meant for another server.

    A name that leads here is not enough: any name can be made to. An IP address can't.
    """
    name = _host(asked.headers.get("host", ""))
    if name in LOOPBACK:
        return None
    if settings.origin:
        ours, where = name == _host(urlsplit(settings.origin).netloc), settings.origin
    elif settings.own_machine:
        ours, where = name == settings.host, "127.0.0.1 and localhost"
    else:
        host = socket.gethostname()
        ours = name == host.lower() or plain(name.strip("[]")) != ""
        where = f"its IP addresses and {host} (another name takes `--origin http://…`)"
    return None if ours else f"This server answers to {where} only."


def published(asked: Request, settings: Settings) -> str | None:
    """A sentence, where a proxy shows to others what is for this machine's users."""
    said = [name for name in PROXIES_SAY if name in asked.headers]
    if asked.scope["http_version"] == "1.0":  # nginx, unless it is told to; no browser does
        said.append("HTTP/1.0")
    if not (settings.own_machine and said):
        return None
    return (
        f"A proxy passed this on ({said[0]}), but this server is for its own machine only. Start "
        "it with `--origin https://…`, the proxy's public address: then it asks for tokens."
    )


def forged(asked: Request, settings: Settings, by_cookie: bool) -> str | None:
    """A sentence, where a page of another origin may have made a browser send it.

    As Go's net/http.CrossOriginProtection; what only shows is refused too, but for links that
    are followed, so that nobody's page can keep the server busy. Only who can't be a browser with
    a visitor of ours may leave both headers out.
    """
    changes = asked.method not in SAFE
    site, origin = asked.headers.get("sec-fetch-site"), asked.headers.get("origin")
    if site is not None:
        own = site in ("same-origin", "none") or (not changes and _follows_a_link(asked))
    elif origin is not None:
        own = origin == (settings.origin or f"http://{asked.headers.get('host', '')}")
    else:
        own = not (changes and by_cookie)
    if own:
        return None
    return "This was not sent by a page of this server, so it was refused."


def address_of(asked: Request, settings: Settings) -> str:
    """The IP address of who asks.

    A proxy's word is taken only from one of this machine: others could say anything.
    """
    peer = plain(asked.client.host if asked.client else "")
    said = ",".join(asked.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
    if settings.origin and peer and ip_address(peer).is_loopback:
        return plain(said) or peer
    return peer


def counted_as(address: str) -> str:
    """Whose requests count together: an IPv6 host has all of its /64."""
    if ":" not in address:
        return address
    return str(ip_network((int(ip_address(address)), 64), strict=False))


def plain(said: str) -> str:
    """An IP address in its one form; empty of what is none."""
    try:
        address = ip_address(said)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address)))
    return str(address)


def _host(netloc: str) -> str:
    """Without the port."""
    name, _, port = netloc.lower().rpartition(":")
    return name if name and port.isdigit() else netloc.lower()


def _follows_a_link(asked: Request) -> bool:
    said = asked.headers.get("sec-fetch-mode"), asked.headers.get("sec-fetch-dest")
    return said == ("navigate", "document")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sent a request."""

    name: str
    """Of the token; empty of who showed none."""
    right: Right
    by_cookie: bool = False
    """Whether a browser says it by itself, so that another site could have made it ask."""
    address: str = ""
    """The IP address it came from; behind a proxy the one that the proxy tells."""
    token: str = ""
    """The id of the token; empty of who showed none, and of who opened the printed address."""


MONTH = 30 * 24 * 60 * 60
"""Seconds: as long as the store knows a visit."""


class Authentication:
    """One server's. All of it may wait for the database."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self.key = secrets.token_urlsafe(16)
        """What is in the printed address on the own machine; new with each start."""
        self._wrong, self._noted = Counted(settings.limits.wrong), Counted(settings.limits.noted)
        self._signing_in = Counted(settings.limits.signing_in)

    def visitor(self, asked: Request) -> Visitor:
        """Find out who asks; what bears a token counts by that alone.

        Raises:
            InvalidToken: the token is wrong, expired or revoked.
            TooMany: and so were many before it, from the same address.
        """
        address = address_of(asked, self._settings)
        if (said := bearer(asked)) is not None:
            return _visitor(self.shown(said, address), address, by_cookie=False)
        if said := asked.cookies.get(self._settings.cookie):
            if self._settings.own_machine and self.is_key(said):
                return Visitor(OWNER, Right.ADMIN, by_cookie=True, address=address)
            if token := self._store.access.visitor(said):
                return _visitor(token, address, by_cookie=True)
        everybody = self._settings.own_machine or self._settings.public_read
        return Visitor("", Right.READ if everybody else Right.NONE, address=address)

    def shown(self, text: str, address: str) -> Token:
        """The live token with this text; raises as `visitor` does, and that is noted."""
        try:
            return self._store.access.who(text)
        except InvalidToken as error:
            seconds = self._wrong.wait(counted_as(address))
            if seconds:
                raise TooMany(seconds) from None
            self._note(text, address, error.reason)
            raise

    def is_key(self, said: str) -> bool:
        """Whether it is the printed address's secret."""
        return secrets.compare_digest(said.encode("utf-8", "replace"), self.key.encode())

    def let_in(self, answer: Response, token: Token, address: str) -> None:
        """Have the browser show a cookie of this token from now on.

        Raises:
            TooMany: it was shown so very often.
        """
        seconds = self._signing_in.wait(token.id)
        if seconds:
            raise TooMany(seconds)
        self._set(answer, self._store.access.visit(token, address), MONTH)

    def let_owner_in(self, answer: Response) -> None:
        """The same on the own machine, until the browser or the server ends."""
        self._set(answer, self.key, None)

    def _set(self, answer: Response, cookie: str, seconds: int | None) -> None:
        answer.set_cookie(
            self._settings.cookie,
            cookie,
            max_age=seconds,
            httponly=True,
            secure=self._settings.secure,
            samesite="lax",  # strict, a link from elsewhere would lead to the login page
        )

    def let_out(self, asked: Request, answer: Response) -> None:
        """End the visit, and have the browser forget its cookie."""
        said = asked.cookies.get(self._settings.cookie, "")
        if said and not self.is_key(said):
            self._store.access.leave(said)
        answer.delete_cookie(
            self._settings.cookie, httponly=True, secure=self._settings.secure, samesite="lax"
        )

    def _note(self, text: str, address: str, reason: str) -> None:
        """Never the secret; a store that can't be written to lets nobody in all the same."""
        if self._noted.wait(""):
            return
        identity = re.match(r"stend_([A-Za-z0-9]{12})_", text)
        with suppress(StoreError):
            self._store.audit.note(
                "", address, "token refused", identity[1] if identity else "", reason
            )


def bearer(asked: Request) -> str | None:
    """The token that a request bears (RFC 6750)."""
    scheme, _, said = asked.headers.get("authorization", "").partition(" ")
    return said.strip() if scheme.lower() == "bearer" else None


def _visitor(token: Token, address: str, *, by_cookie: bool) -> Visitor:
    return Visitor(token.name, token.right, by_cookie, address, token.id)
