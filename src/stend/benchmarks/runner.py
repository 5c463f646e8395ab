"""Runners: how a case is run, where a benchmark brings something else than a kernel.

A worker samples a kernel itself (running/kernel.py). Whatever else a benchmark's function gives is
a runner, and measures the case in its own way: running/job.py asks a program for repetitions,
storage/trial.py runs fio once. A package of your own can bring another one.
"""

from typing import Literal, Protocol

from stend.record import Record, Sample


class Rule(Record, frozen=True, kw_only=True):
    """How one process measures: the stopping rule's name, its target and its time."""

    name: Literal["precision", "rounds", "once"] = "precision"
    target: float = 0.01
    """Relative half-width of the 95% interval."""
    seconds: float = 1.0
    """What one process may spend on warming up and sampling."""


class Runner(Protocol):
    """Measures one case in one process."""

    @property
    def variant(self) -> str | None:
        """The variant that it runs: a worker refuses another one than the case asks for."""

    def measure(self, rule: Rule, process: int) -> tuple[Sample, dict[str, str]]:
        """Run the case, and prove its work.

        Args:
            rule: when it has measured enough; `once` is run untimed, for its proof.
            process: the number of this process among those of the case, from 0.

        Returns:
            The sample, and what else belongs to the record, such as the command.

        Raises:
            MeasuringError: it could not be measured; WrongResult, Crashed and TimedOut say how.
            native.Unavailable: it can't run on this machine.
        """
