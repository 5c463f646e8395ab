"""One operation of the API: its address, what it takes and gives, who may ask for it."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec import inspect as types
from starlette.requests import Request

from stend.record.text import LONGEST
from stend.store import Right
from stend.web.site import Site
from stend.web.visitor import Visitor


def said_of_fields(kinds: Sequence[Any], components: dict[str, Any]) -> dict[str, Any]:
    """The schemas of these kinds and all that is in them, with what is said of their fields."""
    for found in _structs(types.multi_type_info(kinds), set()):
        whole = f"{found.__module__}.{found.__qualname__}"  # where two have one name
        schema = components.get(whole, components.get(found.__name__, {})).get("properties", {})
        for name, said in _said(found).items():
            if name in schema:
                schema[name] = {**schema[name], "description": said}
    return components


def _structs(kinds: Sequence[Any], seen: set[Any]) -> Iterator[type[Any]]:
    for kind in kinds:
        if isinstance(kind, types.StructType | types.DataclassType):
            if kind.cls in seen:
                continue
            seen.add(kind.cls)
            yield kind.cls
            yield from _structs([member.type for member in kind.fields], seen)
        elif isinstance(kind, types.Type):
            yield from _structs(list(_inside(kind)), seen)


def _inside(kind: types.Type) -> Iterator[types.Type]:
    """The types that a list, a dictionary, a union or an annotation has in it."""
    for name in kind.__struct_fields__:
        value = getattr(kind, name)
        yield from (
            one
            for one in (value if isinstance(value, tuple) else (value,))
            if isinstance(one, types.Type)
        )


def _said(kind: type[Any]) -> dict[str, str]:
    """The string below each field of a class; nothing where its source is not there."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, SyntaxError):
        return {}
    (definition,) = tree.body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for member, below in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(member, ast.AnnAssign)
            and isinstance(member.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[member.target.id] = inspect.cleandoc(below.value.value)
    return found


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


PRINTABLE = r"^[^\u0000-\u001f\u007f]*$"
"""What every text can be that has no pattern of its own: nothing that is stored has control
characters."""

Text = Annotated[str, Meta(max_length=LONGEST)]
Date = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
        r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$",
        description="A date or a time, in UTC unless it names its zone.",
        examples=["2026-03-02", "2026-03-02T08:00"],
    ),
]
Page = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{22}$",
        description="The page that follows: `next` of the one before.",
    ),
]
Most = Annotated[int, Meta(ge=1, le=500, description="At most so many.")]

NAMES = (
    "A run as every verb names it: its id or at least 4 digits of its beginning, its label, "
    "`last`, `last~1`; `label:NAME`, all runs of a label; `published:NAME`, a machine of the "
    "literature."
)
Name = Annotated[str, Meta(min_length=1, max_length=200)]
"""As `NAMES` says."""

_RUN = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{4,32}$",
        description="The run's id, or at least 4 digits of its beginning that no other id has.",
        examples=["0123456789abcdef0123456789abcdef"],
    ),
]
IN_PATH: dict[str, Any] = {
    "run": _RUN,
    "later": _RUN,
    "upload": Annotated[
        str,
        Meta(pattern="^[0-9a-f]{32}$", description="The upload's id, as its beginning told it."),
    ],
    "token": Annotated[
        str,
        Meta(pattern="^[A-Za-z0-9]{12}$", description="The token's id, which is no secret."),
    ],
    "host": Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="The machine's name as its runs have it.",
        ),
    ],
    "benchmark": Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_.-]{1,100}$",
            description="Its whole name.",
            examples=["stream.triad"],
        ),
    ],
}
"""By name, which means the same in every operation."""


def kind_of(name: str) -> Any:
    """What the parameter of that name in a path can be."""
    return IN_PATH.get(name, Annotated[str, msgspec.Meta(min_length=1, max_length=200)])
