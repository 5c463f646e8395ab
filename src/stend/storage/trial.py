"""The runner of storage benchmarks: one workload of fio on a file of its own."""

from dataclasses import dataclass

from stend.benchmarks.runner import Rule
from stend.errors import MeasuringError
from stend.record import Sample, Status
from stend.storage.fio.workload import Workload

ONCE = 0.5
"""Seconds that fio runs where nothing is measured (--check)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A workload, and the file that it is tried on."""

    workload: Workload
    folder: str
    """Where the file is made, and removed from."""
    file_bytes: int
    warm_up: float
    """Seconds."""
    seconds: float
    """At least, of the measured run."""
    variant: str | None = None
    """It has none."""

    def measure(self, rule: Rule, process: int) -> tuple[Sample, dict[str, str]]:
        """Fill a new file, warm up, and measure for the rule's seconds, or the trial's if more.

        By the rule `once` it is only shown that it can be done.

        Raises:
            MeasuringError: fio could not do it, or did something else than it was asked for.
            StendError: there is no fio, or the file can't be made.
        """
        # Loaded only here: it would be a third of what every other worker needs to start.
        from msgspec.structs import replace

        from stend.storage.fio.installation import find
        from stend.storage.fio.profile import Profile
        from stend.storage.gates import claimed
        from stend.storage.host_sampler import Sampler
        from stend.storage.own_files import own_folder
        from stend.storage.phases import Campaign
        from stend.storage.rig import Rig
        from stend.storage.targets import resolve

        once = rule.name == "once"
        profile = Profile(
            name="quick",
            about="",
            source="",
            file_bytes=self.file_bytes,
            precondition=0,
            warm_up=0.0 if once else self.warm_up,
            steady=None,
            seconds=ONCE if once else max(rule.seconds, self.seconds),
            rounds=1,
            log_average_ms=None,
            workloads=(self.workload,),
        )
        fio, targets = find(), resolve([self.folder], self.file_bytes)
        with own_folder() as folder, claimed(targets, writing=False) as claim, Sampler() as sampler:
            rig = Rig(fio, claim, folder, sampler, lambda step: None, lambda moment: None)
            (reached,) = Campaign(profile, claim.targets, rig, {}).run()
        (record,) = reached.records
        if record.status is not Status.MEASURED:
            raise MeasuringError(record.reason, record.detail)
        (sample,) = record.samples
        return replace(sample, process=process), record.detail
