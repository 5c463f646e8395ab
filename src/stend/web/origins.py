"""Where a request comes from and where it was meant to go, by its headers alone.

Any page that is open in a browser can send requests anywhere, loopback too, and with the cookies
of where they go; under a name that it makes resolve to 127.0.0.1 (DNS rebinding) it could read
the answers. So on loopback the name that was asked for has to be loopback's, and a browser has to
say that the request is of our own page, or follows a link.
"""

import socket
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.requests import Request

from stend.web.settings import Settings

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
