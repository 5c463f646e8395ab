"""How a server is to be run."""

import re
import socket
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from stend.errors import BadValue
from stend.web.limits import Limits

_ORIGIN = re.compile(r"https?://([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?")
_OWN_PORTS = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `stend serve` was asked for.

    Raises:
        BadValue: the address is no IP address, or the origin can't be one.
    """

    address: str = "127.0.0.1"
    """An IP address of this machine to listen on."""
    port: int = 0
    """0: any that is free."""
    origin: str = ""
    """Under which address a proxy shows the server: `https://perf.example.org`; empty: none."""
    public_read: bool = False
    """Whether everybody may read."""
    scans: Path | None = None
    """A folder of scans and volumes to be looked at."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Refuse what can't be."""
        try:
            ip_address(self.address)
        except ValueError as error:
            raise BadValue(
                f"{self.address!r} is no IP address to listen on; 127.0.0.1 is for this machine "
                "only, 0.0.0.0 for every network that it is in."
            ) from error
        if self.origin:
            _refuse_no_origin(self.origin)

    @property
    def own_machine(self) -> bool:
        """Whether nobody but this machine's users reaches it."""
        return self.on_loopback and not self.origin

    @property
    def on_loopback(self) -> bool:
        """Whether it listens to this machine only."""
        return ip_address(self.address).is_loopback

    @property
    def secure(self) -> bool:
        """Whether browsers reach it through TLS."""
        return self.origin.startswith("https://")

    @property
    def url(self) -> str:
        """Where it is to be found, without a slash at the end."""
        if self.origin:
            return self.origin
        address = ip_address(self.address)
        host = socket.gethostname() if address.is_unspecified else self.host
        return f"http://{host}:{self.port}"

    @property
    def host(self) -> str:
        """The address as it stands in a URL."""
        six = isinstance(ip_address(self.address), IPv6Address)
        return f"[{self.address}]" if six else self.address

    @property
    def cookie(self) -> str:
        """The name of the cookie.

        Browsers keep no cookies apart by port, so it is in the name: two servers of one machine
        don't sign each other's visitors out. `__Host-` is taken from this very host and TLS only.
        """
        return "__Host-stend" if self.secure else f"stend-{self.port}"


def _refuse_no_origin(said: str) -> None:
    """As browsers write it, for it is compared with what they send."""
    scheme, _, rest = said.partition("://")
    own_port = f":{_OWN_PORTS.get(scheme, '')}"
    if not _ORIGIN.fullmatch(said) or rest.endswith(own_port):
        raise BadValue(
            f"The origin {said!r} is not scheme, host and port alone, in small letters and "
            "without the scheme's usual port, such as https://perf.example.org."
        )
