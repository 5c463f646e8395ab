"""How a server is to be run."""

from dataclasses import dataclass
from ipaddress import ip_address


@dataclass(frozen=True, slots=True)
class Settings:
    """What `stend serve` was asked for."""

    address: str = "127.0.0.1"
    """An IP address of this machine to listen on."""
    port: int = 0
    """0: any that is free."""
    origin: str = ""
    """Under which address a proxy shows the server: `https://perf.example.org`; empty: none."""
    public_read: bool = False
    """Whether everybody may read."""

    @property
    def own_machine(self) -> bool:
        """Whether nobody but this machine's users reaches it."""
        return ip_address(self.address).is_loopback and not self.origin
