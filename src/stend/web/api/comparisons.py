"""Comparisons of runs, and trends over them."""

import platform
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request

from stend.comparing import Comparison, selection
from stend.record.times import moment_of
from stend.trends import machine
from stend.web.api.parameters import LITERAL, Absent, Model, Moment, Printable, Text
from stend.web.api.request import BASE
from stend.web.api.route import READ, ApiRoute, in_turn
from stend.web.site import site_of
from stend.web.verdicts import MOST_A_SIDE, compared

router = APIRouter(prefix=BASE, route_class=ApiRoute)

Name = Annotated[Printable, Field(min_length=1, max_length=200)]
"""Of a run, as every verb takes it."""


class Sides(Model):
    """What to compare."""

    a: Annotated[
        list[Name], Field(min_length=1, max_length=MOST_A_SIDE, examples=[["label:before"]])
    ]
    """A run as every verb names it: its id or at least 4 digits of its beginning, its label,
    `last`, `last~1`; `label:NAME`, all runs of a label; `published:NAME`, a machine of the
    literature. Several are one side."""
    b: Annotated[list[Name], Field(max_length=MOST_A_SIDE, examples=[["last"]])] = []
    """What to compare it with, in the same form."""


class TrendQuery(Model):
    """What to follow."""

    metric: Annotated[
        list[Annotated[Text, Field(min_length=1)]],
        Field(min_length=1, max_length=20, examples=[["stream.triad", "threads=2"]]),
    ]
    """A benchmark or a pattern, then words that select cases: `threads=2`, a variant, another
    figure such as `p99`."""
    host: Text | Absent = None
    """The machine; default: the only one."""
    label: Text | Absent = None
    """Only runs with this label."""
    since: Moment | Absent = None
    """Only runs that began at this time or later."""
    limit: Annotated[int, Field(ge=1, le=1000), LITERAL] = 100
    """Only this many of the newest runs."""


@router.get("/compare", dependencies=[READ])
@in_turn
def compare(request: Request, query: Annotated[Sides, Query()]) -> Comparison:
    """B against A, case by case, with a verdict for each.

    As `stend compare --json` prints it. Give `a` and `b` several times for several runs a side;
    without `b`, the two sides of a run that was measured with `--versus`.
    """
    return compared(site_of(request).store, query.a, query.b)


@router.get("/trend", dependencies=[READ])
@in_turn
def follow(request: Request, query: Annotated[TrendQuery, Query()]) -> machine.Followed:
    """A metric over the runs of one machine, and where it changed.

    As `stend trend --json` prints it.
    """
    return machine.follow(
        site_of(request).store,
        selection.asked(query.metric),
        here=platform.node(),
        host=query.host,
        label=query.label,
        since=moment_of(query.since) if query.since else None,
        limit=query.limit,
        now=datetime.now(UTC),
    )
