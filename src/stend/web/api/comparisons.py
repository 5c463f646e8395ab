"""Comparisons of runs, trends, machines and fleets, and changes between two days, over the API."""

import platform
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request

from stend.comparing import Comparison, selection
from stend.comparing.fleet_figures import Picture, Wanted
from stend.comparing.roster import Roster, roster
from stend.errors import UnknownName
from stend.record import Machine, Record
from stend.record.text import moment_of
from stend.store import Filter
from stend.trends import machine
from stend.trends.machine import FactsChanged, facts_changed
from stend.trends.two_days import Between, Changes
from stend.web.api.request import BASE, LITERAL, Absent, Day, Model, Moment, Printable, RunId, Text
from stend.web.api.route import READ, ApiRoute, in_turn
from stend.web.form import Size
from stend.web.site import site_of
from stend.web.verdicts import MOST_A_SIDE, Judged, changed, compared, judged, pictured

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


LOOKED_BACK = 200
"""Runs of a machine in which changes of its facts are looked for."""


class Told(Record, frozen=True, kw_only=True):
    """A machine as its newest run tells it."""

    run: str
    """The id of that run."""
    started: str
    machine: Machine
    changes: tuple[FactsChanged, ...]
    """What changed in its facts over its newest runs, newest first."""


HostName = Annotated[
    Printable,
    Path(min_length=1, max_length=200, description="The machine's name as its runs have it."),
]


class FleetQuery(Model):
    """Which runs stand for the machines."""

    days: Annotated[int, Field(ge=0, le=36500), LITERAL] = 30
    """Runs of the last so many days; 0: of any."""
    label: Text | Absent = None
    """Only runs with this label."""
    session: Text | Absent = None
    """Only runs of this session on several machines."""
    size: Size | Absent = None
    """Only runs of this size."""


class ChangesQuery(Model):
    """Which days, and which runs."""

    first: Annotated[Day, Field(alias="from")]
    """The earlier day, in UTC: 2026-11-02."""
    last: Annotated[Day, Field(alias="to")]
    """The later day."""
    label: Text | Absent = None
    """Only runs with this label."""
    size: Size | Absent = None
    """Only runs of this size."""


@router.get("/machines", dependencies=[READ])
def list_machines(request: Request) -> Roster:
    """All machines, described by their newest runs."""
    return roster(site_of(request).store)


@router.get("/machines/{host}", dependencies=[READ])
def get_machine(request: Request, host: HostName) -> Told:
    """One machine's facts, and when they changed."""
    heads = site_of(request).store.heads(Filter(hosts=[host], limit=LOOKED_BACK))
    if not heads:
        raise UnknownName(f"No machine {host!r} has a stored run; /api/v1/machines lists all.")
    newest = heads[0]
    return Told(
        run=newest.id,
        started=newest.started,
        machine=newest.machine,
        changes=facts_changed(heads[::-1]),
    )


@router.get("/fleet", dependencies=[READ])
def get_fleet(request: Request, query: Annotated[FleetQuery, Query()]) -> Picture:
    """The newest of each figure of all machines, and the outliers."""
    wanted = Wanted(query.days or None, query.label, query.session, query.size)
    return pictured(site_of(request), wanted)


@router.get("/changes", dependencies=[READ])
def get_changes(request: Request, query: Annotated[ChangesQuery, Query()]) -> Changes:
    """What changed between two days, machine by machine.

    Figures are medians of two runs, without a verdict.
    """
    return changed(site_of(request), Between(query.first, query.last, query.label, query.size))


@router.get("/changes/{run}/{later}", dependencies=[READ])
@in_turn
def judge_change(request: Request, run: RunId, later: RunId) -> Judged:
    """A short verdict on a machine's later run against an earlier one."""
    return judged(site_of(request).store, run, later)
