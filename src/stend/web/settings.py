"""How a server is to be run, and how much it takes from whom."""

import math
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from stend.errors import BadValue, UsageError

MOST_KEYS = 10_000
"""Whose requests are counted at a time."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second over time."""

    burst: int
    a_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one server. The first three are a token's, or an address's of who shows none."""

    asking: Rate = Rate(1000, 50)
    """A page takes ten requests or so the first time, then one."""
    changing: Rate = Rate(500, 25)
    """Requests that change something, which count as asking too. A fleet may share one token, and
    a run takes two or three."""
    wrong: Rate = Rate(10, 1 / 6)
    """Tokens that are none."""
    signing_in: Rate = Rate(30, 0.5)
    """Times that a token is shown at /login: each is a visit, and in the audit log."""
    noted: Rate = Rate(60, 1)
    """Wrong tokens that the audit log tells of, whoever shows them."""
    connections: int = 512
    """Open at once; a process has 1,024 descriptors as a rule."""
    of_each: int = 128
    """Of these, from one address other than this machine's, where a proxy may have them all."""
    idle: int = 128
    """Of these, without a request under way."""
    patience: float = 20.0
    """Seconds: in each such span something has to get on (connection.py)."""
    slowest: int = 1000
    """Bytes a second of a body, at least."""
    headers: int = 32 << 10
    """Bytes of a request's headers."""
    target: int = 8 << 10
    """Bytes of what is asked for: the address without the host."""


class TooMany(UsageError):
    """Requests come too fast; `seconds` until the next one is taken."""

    def __init__(self, seconds: float) -> None:
        self.seconds = math.ceil(seconds)
        super().__init__(f"Too many requests; try again in {self.seconds} s.")


class Counted:
    """Requests of many, each kept to a rate (the generic cell rate algorithm, ITU-T I.371)."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._apart = 1 / rate.a_second
        self._ahead = rate.burst * self._apart
        self._now = now
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        """When the next one would come, if all came evenly. What has passed is as if never said."""

    def wait(self, key: str) -> float:
        """Count one, and give 0; or don't, and give how many seconds it came too early."""
        now = self._now()
        with self._lock:
            after = max(self._next.get(key, now), now) + self._apart
            early = after - self._ahead - now
            # Not exactly zero: sums of floats.
            if early > self._apart * 1e-6:
                return early
            self._next[key] = after
            if len(self._next) > MOST_KEYS:
                self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Those who may send a full burst again; all, where those are few: memory comes first."""
        self._next = {key: at for key, at in self._next.items() if at > now}
        if len(self._next) > MOST_KEYS // 2:
            self._next.clear()


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
                f"{self.address!r} is not an IP address to listen on; 127.0.0.1 is for this "
                "machine only, 0.0.0.0 for all its networks."
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
            f"The origin {said!r} must be only scheme, host and port, in small letters and "
            "without the scheme's usual port, such as https://perf.example.org."
        )
