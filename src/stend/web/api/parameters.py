"""What parameters of several operations can be, and what their descriptions say."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from stend.record.text import LONGEST

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
