"""Parameters and bodies of requests: the model they derive from and the types they share."""

import json
import re
from datetime import date
from typing import Annotated, Any, TypeAlias

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from stend.record.text import LONGEST

_DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_LITERAL = re.compile(r"true|false|-?(0|[1-9][0-9]{0,17})")


class Model(BaseModel):
    """A query or a body: nothing that is unknown, nothing of another type."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, strict=True)


def _literal(text: str) -> Any:
    return json.loads(text) if _LITERAL.fullmatch(text) else text


def _day(text: str) -> Any:
    return date.fromisoformat(text) if re.fullmatch(_DAY, text) else text


LITERAL = BeforeValidator(_literal)
"""Of an integer or a truth value in a query: written as in JSON, not ` 1_0.0` or `off`."""
Absent: TypeAlias = SkipJsonSchema[None]
"""None of a parameter that was left out; nobody can write null in an address."""
Printable = Annotated[str, Field(pattern=r"^[^\u0000-\u001f\u007f]*$")]
"""Nothing that is stored has control characters."""
Text = Annotated[Printable, Field(max_length=LONGEST)]
Day = Annotated[date, BeforeValidator(_day)]
"""In UTC."""
Moment = Annotated[
    str,
    Field(
        pattern=rf"^{_DAY}(T{_TIME}(:[0-5][0-9](\.[0-9]{{1,6}})?)?(Z|[+-]{_TIME})?)?$",
        examples=["2026-03-02", "2026-03-02T08:00"],
    ),
]
"""A date or a time, in UTC unless it names its zone."""
RunId = Annotated[
    str,
    Path(
        pattern="^[0-9a-f]{4,32}$",
        description="The run's id, or at least 4 digits of its beginning that no other id has.",
        examples=["0123456789abcdef0123456789abcdef"],
    ),
]
"""Labels are none: what they mean can change between two requests."""


class Paging(Model):
    """Which part of a list."""

    limit: Annotated[int, Field(ge=1, le=500), LITERAL] = 50
    """At most this many."""
    after: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{22}$")] | Absent = None
    """The page that follows: `next` of the one before."""
