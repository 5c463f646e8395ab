"""Comparisons of runs, and trends over them."""

import platform
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from stend.comparing import Comparison
from stend.comparing.selection import asked as read
from stend.record.times import moment_of
from stend.store import Right
from stend.trends.machine import Followed, follow
from stend.web.api.operation import NAMES, Asked, Date, Name, Operation, Text
from stend.web.verdicts import MOST_A_SIDE, compared


class Sides(msgspec.Struct, kw_only=True):
    """What to compare."""

    a: Annotated[
        list[Name],
        Meta(
            min_length=1,
            max_length=MOST_A_SIDE,
            description=f"{NAMES} Several are one side.",
            examples=[["label:before"]],
        ),
    ]
    b: Annotated[
        list[Name],
        Meta(
            max_length=MOST_A_SIDE,
            description="What to compare it with, in the same form.",
            examples=[["last"]],
        ),
    ] = []


class Followable(msgspec.Struct, kw_only=True):
    """What to follow."""

    metric: Annotated[
        list[Annotated[Text, Meta(min_length=1)]],
        Meta(
            min_length=1,
            max_length=20,
            description="A benchmark or a pattern, then words that select cases: `threads=2`, a "
            "variant, another figure such as `p99`.",
            examples=[["stream.triad", "threads=2"]],
        ),
    ]
    host: Annotated[Text, Meta(description="The machine; default: the only one.")] | None = None
    label: Annotated[Text, Meta(description="Only runs with this label.")] | None = None
    since: (
        Annotated[Date, Meta(description="Only runs that began at this time or later.")] | None
    ) = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="Only this many of the newest runs.")] = (
        100
    )


def _compared(asked: Asked) -> Comparison:
    return compared(asked.site.store, asked.query.a, asked.query.b)


def _followed(asked: Asked) -> Followed:
    wanted = asked.query
    return follow(
        asked.site.store,
        read(wanted.metric),
        here=platform.node(),
        host=wanted.host,
        label=wanted.label,
        since=moment_of(wanted.since) if wanted.since else None,
        limit=wanted.limit,
        now=datetime.now(UTC),
    )


OPERATIONS = (
    Operation(
        "compare", "GET", "/compare",
        "B against A, case by case, with a verdict for each\n\n"
        "As `stend compare --json` prints it. Give `a` and `b` several times for several runs a "
        "side; without `b`, the two sides of a run that was measured with `--versus`.",
        Right.READ, _compared, Comparison, Sides, heavy=True,
    ),
    Operation(
        "follow", "GET", "/trend",
        "A metric over the runs of one machine, and where it changed\n\n"
        "As `stend trend --json` prints it.",
        Right.READ, _followed, Followed, Followable, heavy=True,
    ),
)  # fmt: skip
