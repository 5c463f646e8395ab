"""What a profile runs on: claimed targets, fio in a folder, sampled hosts."""

import dataclasses
import itertools
import re
import shutil
import statistics
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from stend.errors import OutputError
from stend.machine.block_devices import moved
from stend.processes.interrupts import heeding
from stend.record.cautions import Caution
from stend.record.loads import HostSamples
from stend.storage.fio.installation import Fio
from stend.storage.fio.workload import Workload
from stend.storage.fio_run import Asked, Moment, PhaseRun, drive
from stend.storage.gates import Claim, only_reads
from stend.storage.host_sampler import Sampler
from stend.storage.phases import Step
from stend.storage.signatures import share_unwritten
from stend.storage.targets import NULL

LEAST_COUNTED = 0.5
"""Share of fio's bytes that the kernel counts at least: it counts what the device was asked for."""
MOSTLY = 0.5
"""Share of unwritten blocks from which reading says little of the device."""


class Rig:
    """Means for a campaign; tells what begins and each moment of it."""

    def __init__(
        self,
        fio: Fio,
        claim: Claim,
        folder: Path,
        sampler: Sampler,
        begin: Callable[[Step], None],
        report: Callable[[Moment], None],
    ) -> None:
        self.fio = fio.version
        self._path = fio.path
        self._claim = claim
        self._folder = folder
        self._sampler = sampler
        self._begin = begin
        self._report = report
        self._numbers = itertools.count(1)
        self._kept: list[Path] = []
        """Folders of runs that are not yet stored."""
        self._stored = False

    def drive(self, job: str, step: Step) -> PhaseRun:
        """Run fio in a folder of its own, which stays until its sample has been stored."""
        self._begin(step)
        if self._stored:
            for folder in self._kept:
                shutil.rmtree(folder, ignore_errors=True)
            self._kept.clear()
        self._stored = step.phase == "measure"
        asked = Asked(
            phase=step.phase,
            seconds=step.seconds,
            jobs=_reports(job),
            read_only=only_reads(job),
            fio=self._path,
            held=self._claim.held,
        )
        before = self._moved(job)
        driven = _heeding_drive(job, self._new_folder(step), asked, self._report)
        self._claim.stay()
        return _counted(driven, before, self._moved(job))

    def _moved(self, job: str) -> int | None:
        """What the kernel counts of all targets; None where a part of it can go another way."""
        if "direct=1" not in job.splitlines():
            return None
        tree = self._claim.tree.again()
        counts = [
            moved(tree, t.which) if t.device and t.which else None for t in self._claim.targets
        ]
        return None if None in counts else sum(filter(None, counts))

    def _new_folder(self, step: Step) -> Path:
        name = re.sub(r"[^a-z0-9]+", "-", f"{step.name} {step.phase} {step.number}".lower())
        folder = self._folder / f"{next(self._numbers):04}-{name.strip('-')}"
        try:
            folder.mkdir()
        except OSError as error:
            raise OutputError(
                f"What fio reports can't be stored in {self._folder}: {error.strerror}; make "
                "room there, or set XDG_DATA_HOME to another folder."
            ) from error
        self._kept.append(folder)
        return folder

    def check(self, job: str) -> None:
        """Pass all gates again."""
        self._claim.check(job)

    def host_samples(self, began: int, ended: int) -> tuple[HostSamples, ...]:
        """What the sampler saw."""
        return self._sampler.between(began, ended)

    def cautions(self, workload: Workload) -> tuple[Caution, ...]:
        """Whether what is read had been written; by now, for the run itself may have done so."""
        return (Caution.UNWRITTEN,) if workload.reads and self._reads_nothing() else ()

    def _reads_nothing(self) -> bool:
        existing = [t for t in self._claim.targets if not t.own and t.kind != NULL]
        looks = (share_unwritten(target.path, target.bytes) for target in existing)
        shares = [share for share in looks if share is not None]
        return bool(shares) and statistics.fmean(shares) > MOSTLY


_heeding_drive = heeding(drive)


def _counted(driven: PhaseRun, before: int | None, after: int | None) -> PhaseRun:
    """Hold fio's count against the kernel's: a load that never reached its devices failed."""
    if before is None or after is None:
        return driven
    said = sum(flow.bytes for flow in driven.run.flows if flow.direction != "trim")
    if after - before >= LEAST_COUNTED * said:
        return driven
    why = (
        f"fio reports {said:,} bytes, but the kernel counted {after - before:,} on its targets: "
        "the load went elsewhere, or this fio does nothing."
    )
    run = structs.replace(driven.run, state="failed", reasons=(why, *driven.run.reasons))
    return dataclasses.replace(driven, run=run)


def _reports(job: str) -> tuple[str, ...]:
    """The one of the group: fio gives it the name of the first section."""
    return tuple(re.findall(r"^\[(?!global\])(.+)\]$", job, re.MULTILINE)[:1])
