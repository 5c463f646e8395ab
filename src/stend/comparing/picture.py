"""A store and a choice of runs → all that a fleet shows: every figure, and who stands apart."""

from datetime import datetime

from stend.comparing.across import Across, across, by_machine
from stend.comparing.apart import Fleet
from stend.comparing.fleet import outliers_among
from stend.comparing.gathering import Wanted, gathered
from stend.record import Record
from stend.store import Store


class Shown(Record, frozen=True, kw_only=True):
    """The run that stands for a machine."""

    host: str | None
    run: str
    label: str
    started: str


class Picture(Record, frozen=True, kw_only=True):
    """A fleet."""

    machines: dict[str, Shown]
    """By host, in the order of their names."""
    figures: tuple[Across, ...]
    fleet: Fleet
    said: tuple[str, ...]
    """Who stands apart, a sentence each."""
    damaged: tuple[str, ...] = ()
    """Ids of runs that can't be read."""


def picture(store: Store, wanted: Wanted, now: datetime) -> Picture:
    """Set the machines' newest runs side by side.

    Raises:
        UsageError: two runs of one session measured the same machine.
    """
    looked, damaged = gathered(store, wanted, now)
    machines = by_machine(looked)
    fleet = outliers_among(looked)
    return Picture(
        machines={
            host: Shown(
                host=of.run.machine.host,
                run=of.run.id,
                label=of.run.label,
                started=of.run.started,
            )
            for host, of in machines.items()
        },
        figures=across(machines),
        fleet=fleet,
        said=tuple(one.said for one in fleet.apart),
        damaged=tuple(damaged),
    )
