"""Names that tell apart the runs, or sides of comparisons, of one page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stend.comparing import Side
from stend.record import Run
from stend.record.text import minute


@dataclass(frozen=True, slots=True)
class _Known:
    """What there is to tell one by."""

    name: str
    host: str
    started: str
    id: str


_TELLING: tuple[Callable[[_Known], str], ...] = (
    lambda one: one.host,
    lambda one: one.started[:10],
    lambda one: minute(one.started),
)
"""What is added to a name that several have, the first that differs for each: machine, day, minute;
the id where none does."""


def of_runs(runs: Sequence[Run]) -> list[str]:
    """Label, machine or id of each; and what tells it from others of the same name."""
    known = [_Known(_name(r.label, r.machine.host, r.id), r.machine.host or "", r.started, r.id)
             for r in runs]  # fmt: skip
    return [_apart(one, known) for one in known]


def of_sides(sides: Sequence[Side]) -> list[str]:
    """The same of sides, of which one that is there again has the same name again."""
    known = [_Known(_name(s.variant or s.label, s.host, s.id), s.host or "", s.started, s.id)
             for s in sides]  # fmt: skip
    return [_apart(one, tuple(dict.fromkeys(known))) for one in known]


def joined(names: Sequence[str]) -> str:
    """All of a few names; of many the first, and how many more there are."""
    return " and ".join(names) if len(names) < 4 else f"{names[0]} and {len(names) - 1} more"


def _name(label: str, host: str | None, id: str) -> str:
    return label or host or id[:8]


def _apart(one: _Known, of: Sequence[_Known]) -> str:
    alike = [other for other in of if other.name == one.name]
    if len(alike) == 1:
        return one.name
    for tell in _TELLING:
        if len({tell(other) for other in alike}) == len(alike):
            return f"{one.name} {tell(one)}"
    return f"{one.name} {one.id[:8]}"
