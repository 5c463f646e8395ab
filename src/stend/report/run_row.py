"""A stored run as one row of a list, on the terminal and on the site."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stend.record import HARMLESS
from stend.record.times import between, minute
from stend.report import facts

if TYPE_CHECKING:
    from stend.store import Summary


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in words; each is made when it is shown, as lists can be long."""

    run: "Summary"

    @property
    def id(self) -> str:
        """The beginning of the id, which is enough to name the run."""
        return self.run.id[:8]

    @property
    def name(self) -> str:
        """The label, or the id."""
        return self.run.label or self.id

    @property
    def begun(self) -> str:
        """To the minute, in UTC."""
        return minute(self.run.started)

    @property
    def command(self) -> str:
        """The command without the program."""
        return facts.command(self.run.command[1:])

    @property
    def took(self) -> str:
        """How long it took; empty where it has not ended."""
        return between(self.run.started, self.run.finished) if self.run.finished else ""

    @property
    def trouble(self) -> list[tuple[str, int]]:
        """How many cases went wrong how."""
        return [(status, n) for status, n in self.run.statuses.items() if status not in HARMLESS]
