"""Machines, a fleet's figures side by side, and what changed between two days, over the API."""

from datetime import date
from typing import Annotated

import msgspec

from stend.comparing.fleet_figures import Picture
from stend.comparing.roster import Roster, roster
from stend.errors import UnknownName
from stend.record import Machine, Record
from stend.store import Filter, Right
from stend.trends.machine import FactsChanged, facts_changed
from stend.trends.two_days import Between, Changes
from stend.web.api.operation import Asked, Operation, Text
from stend.web.caches import changed, pictured
from stend.web.query import OfFleet, Size
from stend.web.verdicts import Judged, judged

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


class OfDays(msgspec.Struct, rename={"first": "from", "last": "to"}):
    """Which days, and which runs."""

    first: Annotated[date, msgspec.Meta(description="The earlier day, in UTC: 2026-11-02.")]
    last: Annotated[date, msgspec.Meta(description="The later day.")]
    label: Annotated[Text, msgspec.Meta(description="Only runs with this label.")] | None = None
    size: Annotated[Size, msgspec.Meta(description="Only runs of this size.")] | None = None

    def between(self) -> Between:
        """The same as the room of comparing takes it."""
        return Between(self.first, self.last, self.label, self.size)


def _machines(asked: Asked) -> Roster:
    return roster(asked.site.store)


def _machine(asked: Asked) -> Told:
    host = asked.path["host"]
    heads = asked.site.store.heads(Filter(hosts=[host], limit=LOOKED_BACK))
    if not heads:
        raise UnknownName(f"No machine {host!r} has a stored run; /api/v1/machines lists all.")
    newest = heads[0]
    return Told(
        run=newest.id,
        started=newest.started,
        machine=newest.machine,
        changes=facts_changed(heads[::-1]),
    )


def _fleet(asked: Asked) -> Picture:
    return pictured(asked.site, asked.query.wanted())


def _changes(asked: Asked) -> Changes:
    return changed(asked.site, asked.query.between())


def _judged(asked: Asked) -> Judged:
    return judged(asked.site.store, asked.path["run"], asked.path["later"])


OPERATIONS = (
    Operation("list_machines", "GET", "/machines", "All machines, described by their newest runs",
              Right.READ, _machines, Roster),
    Operation("get_machine", "GET", "/machines/{host}",
              "One machine's facts, and when they changed", Right.READ, _machine, Told),
    Operation("get_fleet", "GET", "/fleet",
              "The newest of each figure of all machines, and the outliers", Right.READ, _fleet,
              Picture, OfFleet),
    Operation("get_changes", "GET", "/changes",
              "What changed between two days, machine by machine\n\nFigures are medians of "
              "two runs, without a verdict.", Right.READ, _changes, Changes, OfDays),
    Operation("judge_change", "GET", "/changes/{run}/{later}",
              "A short verdict on a machine's later run against an earlier one", Right.READ,
              _judged, Judged, heavy=True),
)  # fmt: skip
