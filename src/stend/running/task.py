"""What goes to a worker process and comes back, and how much is spent on a case."""

from dataclasses import dataclass

from stend.benchmarks.definition import Case
from stend.benchmarks.parameters import Size
from stend.benchmarks.runner import Rule
from stend.record import ClockFacts, Record, Sample, Scalar, Status


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


@dataclass(frozen=True, slots=True)
class Effort:
    """Between `least` and `most` processes; none is begun once they took `seconds` together."""

    rule: Rule
    least: int
    most: int
    seconds: float
    pairs: int
    """With --versus: how many times both sides are measured, one next to the other."""


def effort(
    size: Size, stop: str = "precision", seconds: float | None = None, pairs: int | None = None
) -> Effort:
    """What a run of that size spends; `seconds` is the user's time for one process."""
    if size == "check":
        once = Rule(name="once", seconds=1.0)
        return Effort(once, least=1, most=1, seconds=0.0, pairs=1)
    quick = size == "quick"
    rule = Rule(
        name="rounds" if stop == "rounds" else "precision",
        seconds=seconds or (0.4 if quick else 5.0),
    )
    if quick:
        return Effort(rule, least=3, most=5, seconds=1.5, pairs=pairs or 20)
    return Effort(rule, least=5, most=10, seconds=60.0, pairs=pairs or 30)
