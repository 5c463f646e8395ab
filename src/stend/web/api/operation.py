"""One operation of the API: its address, what it takes and gives, who may ask for it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request

from stend.store import Right
from stend.web.site import Site
from stend.web.visitor import Visitor

BASE = "/api/v1"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to an operation, checked against what it takes."""

    request: Request
    site: Site
    visitor: Visitor
    path: Mapping[str, str]
    """Each as `parameters.IN_PATH` has it."""
    query: Any
    """As the operation's `query`, or None."""
    body: Any
    """As the operation's `body`; or the file (IO[bytes]); or None."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What is at one address for one method."""

    name: str
    """Of all operations one is called so: `list_runs`."""
    method: str
    path: str
    """Below `BASE`, with names of parameters: `/runs/{run}`."""
    says: str
    """One line, then what else there is to say, as Markdown."""
    right: Right
    answer: Callable[[Asked], Any]
    """Gives what `gives` says, its JSON as bytes, or a Response."""
    gives: Any = None
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    file: int = 0
    """Bytes that its body may have where that is a file, as it is, instead of JSON."""
    status: int = 200
    also: int = 0
    """Another status that comes with what it gives; 0: none."""
    refusals: Mapping[int, str] = field(default_factory=dict)
    """Answers of its own, beside those that every operation has."""
    heavy: bool = False
    """Whether it computes for so long, each time, that only some are answered at once."""

    @property
    def in_path(self) -> list[str]:
        """The names of its parameters there."""
        return re.findall(r"\{(\w+)\}", self.path)
