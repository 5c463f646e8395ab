"""A store and a choice of runs → all that a fleet shows: every figure, and who stands apart."""

from datetime import datetime

from stend.comparing.across import Across, across, by_machine
from stend.comparing.apart import Fleet
from stend.comparing.fleet import outliers_among
from stend.comparing.gathering import Wanted, gathered
from stend.record import Record, Run
from stend.store import Store


class Shown(Record, frozen=True, kw_only=True):
    """A run that figures are of."""

    host: str | None
    run: str
    label: str
    started: str


class Picture(Record, frozen=True, kw_only=True):
    """A fleet."""

    machines: dict[str, Shown]
    """By host, in the order of their names: the newest run of each."""
    earlier: dict[str, Shown] = {}
    """By their ids further runs, which have the newest figures of what that does not have."""
    figures: tuple[Across, ...]
    fleet: Fleet
    said: tuple[str, ...]
    """Who stands apart, a sentence each."""
    damaged: tuple[str, ...] = ()
    """Ids of runs that can't be read."""


def picture(store: Store, wanted: Wanted, now: datetime) -> Picture:
    """Set the machines' newest figures side by side.

    Raises:
        UsageError: two runs of one session measured the same machine.
    """
    found = gathered(store, wanted, now)
    machines = by_machine(found.runs)
    fleet = outliers_among(found.runs)
    earlier = {run.id: run for of in found.earlier.values() for run in of.values()}
    return Picture(
        machines={host: _shown(of.run) for host, of in machines.items()},
        earlier={id: _shown(run) for id, run in earlier.items()},
        figures=across(machines, found.earlier),
        fleet=fleet,
        said=tuple(one.said for one in fleet.apart),
        damaged=tuple(found.damaged),
    )


def _shown(run: Run) -> Shown:
    return Shown(host=run.machine.host, run=run.id, label=run.label, started=run.started)
