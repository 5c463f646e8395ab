"""One workload on a file of its own → a sample, for a worker of `stend run storage`."""

from stend.fio.trial import Trial
from stend.record import Sample


def measure_trial(trial: Trial, seconds: float, process: int) -> tuple[Sample, dict[str, str]]:
    """Fill a new file, warm up and measure for `seconds`, or for the trial's own if they are more.

    Raises:
        MeasuringError: fio could not do it, or did something else than it was asked for.
        StendError: there is no fio, or the file can't be made.
    """
