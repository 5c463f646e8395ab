"""What goes to a worker process and what comes back."""

from typing import Literal

from stend.definition import Case
from stend.record import ClockFacts, Record, Sample, Scalar, Status


class Rule(Record, frozen=True, kw_only=True):
    """How one process measures: the stopping rule's name, its target and its time."""

    name: Literal["precision", "rounds", "once"] = "precision"
    target: float = 0.01
    """Relative half-width of the 95% interval."""
    seconds: float = 1.0
    """What one process may spend on warming up and sampling."""


class Task(Record, frozen=True, kw_only=True):
    """One case to be measured in one process."""

    benchmark: str
    module: str
    parameters: dict[str, Scalar]
    variant: str | None
    process: int
    rule: Rule
    clock: ClockFacts
    work_seconds: float = 0.0
    """What one execution may take on a slow machine."""

    @property
    def case(self) -> Case:
        """The case as benchmarks see it."""
        return Case(self.benchmark, self.parameters, self.variant)


class Outcome(Record, frozen=True, kw_only=True):
    """What came of a task: a sample, or the reason why there is none."""

    status: Status
    reason: str = ""
    sample: Sample | None = None
    detail: dict[str, str] = {}
