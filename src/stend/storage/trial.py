"""One workload on a file of its own → a sample, for a worker of `stend run storage`."""

from msgspec.structs import replace

from stend.errors import MeasuringError
from stend.fio.found import find
from stend.fio.profile import Profile
from stend.fio.trial import Trial
from stend.record import Sample, Status
from stend.storage.beside import Sampler
from stend.storage.gates import claimed
from stend.storage.own_folder import own_folder
from stend.storage.phases import Campaign
from stend.storage.rig import Rig
from stend.storage.targets import resolve

ONCE = 0.5
"""Seconds that fio runs where nothing is measured (--check)."""


def measure_trial(
    trial: Trial, seconds: float, process: int, *, once: bool
) -> tuple[Sample, dict[str, str]]:
    """Fill a new file, warm up and measure for `seconds`, or for the trial's own if they are more.

    With `once` it is only shown that it can be done.

    Raises:
        MeasuringError: fio could not do it, or did something else than it was asked for.
        StendError: there is no fio, or the file can't be made.
    """
    profile = Profile(
        name="quick",
        about="",
        source="",
        file_bytes=trial.file_bytes,
        precondition=0,
        warm_up=0.0 if once else trial.warm_up,
        steady=None,
        seconds=ONCE if once else max(seconds, trial.seconds),
        rounds=1,
        log_average_ms=None,
        workloads=(trial.workload,),
    )
    fio, targets = find(), resolve([trial.folder], trial.file_bytes)
    with own_folder() as folder, claimed(targets, writing=False) as claim, Sampler() as sampler:
        rig = Rig(fio, claim, folder, sampler, lambda step: None, lambda moment: None)
        (reached,) = Campaign(profile, claim.targets, rig, {}).run()
    (record,) = reached.records
    if record.status is not Status.MEASURED:
        raise MeasuringError(record.reason, record.detail)
    (sample,) = record.samples
    return replace(sample, process=process), record.detail
