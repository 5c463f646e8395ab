"""A profile: which workloads are run, how long, how often, after what; times are in seconds."""

from dataclasses import dataclass, replace

from stend.fio.workload import Workload


@dataclass(frozen=True, slots=True)
class Rounds:
    """The wait for the steady state: rounds of the workload, until five in a row are steady."""

    seconds: float
    """How long one round takes."""
    most: int
    """Rounds after which the workload is measured all the same, and marked as unsteady."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What `stend storage run` does."""

    name: str
    about: str
    """What it is for, in a sentence."""
    source: str
    """Where its settings were published; empty: nowhere."""
    file_bytes: int
    """Size of the file that is made where no target is named."""
    precondition: int
    """Sequential passes that write the whole region before all else; 0: none."""
    warm_up: float
    """Seconds that each workload runs before it is looked at; 0: none."""
    steady: Rounds | None
    seconds: float
    """How long one measured round takes."""
    rounds: int
    """Measured rounds of each workload; intervals and verdicts are over these."""
    log_average_ms: int | None
    """fio writes its own log files too, averaged over so many milliseconds; None: it doesn't."""
    workloads: tuple[Workload, ...]

    @property
    def writes(self) -> bool:
        """Whether a workload or the preconditioning destroys the target's data."""
        return self.precondition > 0 or any(each.writes for each in self.workloads)

    @property
    def least_seconds(self) -> float:
        """How long its runs take where the state is steady after five rounds; no filling."""
        return self._lasts(5)

    @property
    def most_seconds(self) -> float:
        """How long its runs take where no workload gets steady; without filling."""
        return self._lasts(self.steady.most if self.steady else 0)

    def unlimited(self, workload: Workload) -> Workload:
        """Give the workload whose IOPS are the 100% of one with a `load`; it runs before it."""
        wanted = replace(workload, load=None)
        return next(each for each in self.workloads if replace(each, name=wanted.name) == wanted)

    def _lasts(self, rounds: int) -> float:
        until_steady = rounds * self.steady.seconds if self.steady else 0.0
        each = self.warm_up + until_steady + self.rounds * self.seconds
        return each * len(self.workloads)
