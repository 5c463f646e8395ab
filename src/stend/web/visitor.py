"""Who asks, and what they may do."""

from dataclasses import dataclass

from stend.store import Right


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
