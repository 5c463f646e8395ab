"""A trial: one workload on a file of its own, as a benchmark gives it to a worker."""

from dataclasses import dataclass

from stend.fio.workload import Workload


@dataclass(frozen=True, slots=True)
class Trial:
    """What `storage/trial.py` measures: fill a new file, warm up, run fio once."""

    workload: Workload
    folder: str
    """Where the file is made, and removed from."""
    file_bytes: int
    warm_up: float
    """Seconds."""
    seconds: float
    """At least, of the measured run."""
    variant: str | None = None
    """It has none; a worker asks what it is given."""
