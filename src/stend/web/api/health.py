"""Whether the server can do its work."""

from typing import Literal

import msgspec

from stend import __version__
from stend.store import Right
from stend.web.api.operation import Asked, Operation


class Health(msgspec.Struct, omit_defaults=True):
    """Both the server and its store answer; else the status is 503."""

    status: Literal["ok"]
    stend: str | msgspec.UnsetType = msgspec.UNSET
    """The server's version, for those who may read."""


def _health(asked: Asked) -> Health:
    asked.site.store.find(limit=1)
    may_read = asked.visitor.right.includes(Right.READ)
    return Health("ok", __version__ if may_read else msgspec.UNSET)


OPERATIONS = (
    Operation(
        "health", "GET", "/health", "Whether the server and its store answer",
        Right.NONE, _health, Health,
    ),
)  # fmt: skip
