"""Runs a profile on its targets; the records of its cases grow with every measured run of fio.

Each phase is a run of fio of its own: all targets are preconditioned once; then a workload is
warmed up, run in rounds until it is steady where the profile asks for that, and measured. Without
such rounds all workloads are measured once, then once more, and so on: what a machine or an array
does in between shows in the interval over them. What has settled is measured at once.
"""

import dataclasses
import itertools
import math
import os
import secrets
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from stend.errors import StendError
from stend.record import CaseRecord, Numbers, Sample, Status, Work, in_all
from stend.record.cautions import Caution
from stend.record.loads import FioRun, HostSamples, Load, Steady
from stend.statistics import steadiness
from stend.storage.fio.jobfile import JobTarget, fill_job, job_file
from stend.storage.fio.load_case import sample_of
from stend.storage.fio.profile import Profile
from stend.storage.fio.results import FURTHER, METRIC, QUESTIONS
from stend.storage.fio.workload import Workload
from stend.storage.fio_run import Phase, PhaseRun, Stopped
from stend.storage.targets import NULL, Target


class Step(NamedTuple):
    """A run of fio that is about to begin."""

    name: str
    """Of the workload."""
    phase: Phase
    number: int
    """Which of its rounds or passes, from 1."""
    of: int | None
    """How many there will be; None: as many as it takes."""
    seconds: float | None
    """None: until its work is done."""


class Reached(NamedTuple):
    """What has become of a case."""

    place: int
    records: tuple[CaseRecord, ...]
    share: float
    """1.0: it has ended."""


class Means(Protocol):
    """What a profile is run by: fio and its targets, or what stands for them in a test."""

    fio: str
    """Its version."""

    def drive(self, job: str, step: Step) -> PhaseRun:
        """Run fio to its end; Stopped when the user ends it."""

    def check(self, job: str) -> None:
        """Raise StendError where a target is no longer what it was, or the job is for another."""

    def host_samples(self, began: int, ended: int) -> tuple[HostSamples, ...]:
        """What was sampled between two instants of CLOCK_MONOTONIC, ns."""

    def cautions(self, workload: Workload) -> tuple[Caution, ...]:
        """What else is to be known of the targets."""


@dataclass(slots=True)
class _Underway:
    """A workload and what came of it."""

    place: int
    workload: Workload
    skip: str
    before: list[FioRun] = field(default_factory=list)
    """Runs that lead to the next measured one."""
    steady: Steady | None = None
    samples: list[Sample] = field(default_factory=list)
    status: Status = Status.MEASURED
    reason: str = ""
    detail: dict[str, str] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        return self.status is not Status.MEASURED

    def end(self, status: Status, reason: str) -> None:
        self.status, self.reason = status, reason

    def record(self, kind: str, targets: int) -> CaseRecord:
        """Of an interrupted case only what was right is a figure."""
        stopped = self.status is Status.INTERRUPTED
        samples = [s for s in self.samples if s.proof.right or not stopped]
        return CaseRecord(
            benchmark=self.workload.benchmark,
            question=QUESTIONS[self.workload.rw],
            parameters=self.workload.parameters(kind, targets),
            variant=None,
            metric=METRIC,
            further=in_all(FURTHER, samples),
            work=Work(),
            status=self.status,
            reason=self.reason,
            samples=tuple(samples),
            detail=self.detail,
        )


class Campaign:
    """A profile under way on its targets."""

    def __init__(
        self,
        profile: Profile,
        targets: Sequence[Target],
        means: Means,
        skips: Mapping[str, str],
    ) -> None:
        """`skips` tells of workloads, by name, why they can't be run here."""
        self._profile = profile
        self._targets = targets
        self._means = means
        self._cases = [
            _Underway(place, workload, skips.get(workload.name, ""))
            for place, workload in enumerate(profile.workloads)
        ]
        self._seeds = itertools.count(1 + secrets.randbits(30))

    def run(self) -> Iterator[Reached]:
        """Give each case whenever it has grown, until all have ended or the user ends it."""
        todo = [case for case in self._cases if not case.skip]
        for case in self._cases:
            if case.skip:
                case.end(Status.SKIPPED, case.skip)
        if todo and not self._preconditioned(todo):
            yield from map(self._reached, self._cases)
            return
        for case, number in self._order():
            if case.ended:
                if case.skip and number == 1:
                    yield self._reached(case)
                continue
            self._measured(case, number)
            yield self._reached(case)
            if case.status is Status.INTERRUPTED:
                return

    def _order(self) -> Iterator[tuple[_Underway, int]]:
        rounds = range(1, self._profile.rounds + 1)
        if self._profile.steady:
            return itertools.product(self._cases, rounds)
        return ((case, number) for number in rounds for case in self._cases)

    def _preconditioned(self, cases: Sequence[_Underway]) -> bool:
        """What is new is written once before anything is read; False: nothing can be measured."""
        passes = self._profile.precondition
        written = [target for target in self._targets if target.own or passes]
        passes = max(passes, 1) if written and self._kind != NULL else 0
        for number in range(1, passes + 1):
            step = Step("", "precondition", number, passes, None)
            if not self._ran(cases[0], self._fill(written), step):
                for case in cases[1:]:
                    case.end(cases[0].status, cases[0].reason)
                return False
        return True

    def _measured(self, case: _Underway, number: int) -> None:
        """Go through the phases of a workload up to its next sample."""
        profile = self._profile
        if lacking := self._without_maximum(case.workload):
            case.end(Status.SKIPPED, lacking)
            return
        first = number == 1
        if profile.warm_up and (first or not profile.steady):
            step = Step(case.workload.name, "warm-up", 1, 1, profile.warm_up)
            if not self._ran(case, self._job(case, step), step):
                return
        if profile.steady and first and not self._settled(case):
            return
        step = Step(case.workload.name, "measure", number, profile.rounds, profile.seconds)
        self._ran(case, self._job(case, step), step)

    def _settled(self, case: _Underway) -> bool:
        """Run rounds until five in a row are steady, or there were enough; False: one failed."""
        rounds = self._profile.steady
        assert rounds is not None
        values: list[float] = []
        found = steadiness(values)
        while not found.reached and len(values) < rounds.most:
            step = Step(case.workload.name, "round", len(values) + 1, None, rounds.seconds)
            if not self._ran(case, self._job(case, step), step):
                return False
            values.append(_iops(case.before[-1]))
            found = steadiness(values)
        case.steady = Steady(rounds=len(values), values=Numbers(values), **found._asdict())
        return True

    def _ran(self, case: _Underway, job: str, step: Step) -> bool:
        """Run fio for a case; False: it has ended the case, and why is told there."""
        try:
            self._means.check(job)
            driven = self._means.drive(job, step)
        except Stopped as stopped:
            driven = stopped.driven
            case.end(Status.INTERRUPTED, _CTRL_C)
        except KeyboardInterrupt:  # before fio was started
            case.end(Status.INTERRUPTED, _CTRL_C)
            return False
        except StendError as error:
            case.end(Status.FAILED, str(error))
            return False
        case.before.append(driven.run)
        if step.phase == "measure" or driven.run.state != "ok":
            case.detail = {"job file": job, **driven.detail}
        if driven.run.state in _BECAME and not case.ended:
            why = " ".join(driven.run.reasons)
            case.end(Status.FAILED, f"The {step.phase} run {_BECAME[driven.run.state]}: {why}")
        if step.phase == "measure" and driven.run.flows:
            self._keep(case)
        return not case.ended

    def _keep(self, case: _Underway) -> None:
        """Make a sample of the runs since the last one."""
        measured = case.before[-1]
        unsteady = case.steady is not None and not case.steady.reached
        began = case.before[0].began
        samples = self._means.host_samples(began, measured.began + round(1e9 * measured.lasted))
        load = Load(
            fio=self._means.fio,
            state="unsteady" if unsteady and measured.state == "ok" else measured.state,
            reasons=(*measured.reasons, *([_UNSTEADY] if unsteady else [])),
            targets=tuple(target.record for target in self._targets),
            runs=tuple(case.before),
            steady=case.steady,
            beside=samples,
        )
        sample = sample_of(load, len(case.samples), _busy(samples, began, measured))
        cautions = (*sample.cautions, *self._means.cautions(case.workload))
        case.samples.append(replace(sample, cautions=cautions))
        case.before = []

    def _job(self, case: _Underway, step: Step) -> str:
        """On the null engine there is nothing to go past the page cache of.

        Root alone may flush a block device's pages (BLKFLSBUF), which O_DIRECT doesn't need.
        """
        workload = case.workload
        if self._kind == NULL:
            workload = dataclasses.replace(workload, engine=NULL, direct=False)
        assert step.seconds is not None
        return job_file(
            workload,
            _named(self._targets),
            seconds=step.seconds,
            phase=step.phase,
            seed=next(self._seeds),
            profile=self._profile.name,
            rate_iops=self._rate(case.workload),
            log_average_ms=self._profile.log_average_ms,
            invalidate=not (workload.direct and self._kind == "block device" and os.geteuid()),
        )

    def _fill(self, targets: Sequence[Target]) -> str:
        direct = all(workload.direct for workload in self._profile.workloads)
        return fill_job(_named(targets), seed=next(self._seeds), direct=direct)

    def _rate(self, workload: Workload) -> float | None:
        """Its share of what the same workload reached without a limit."""
        if workload.load is None:
            return None
        return self._maximum(workload) * workload.load / 100

    def _maximum(self, workload: Workload) -> float:
        """The first measured round's, so that all rounds are held to the same rate."""
        unlimited = self._profile.unlimited(workload)
        case = next(case for case in self._cases if case.workload is unlimited)
        first = case.samples[0] if case.samples else None
        return first.values[0] if first and first.proof.right and first.values else 0.0

    def _without_maximum(self, workload: Workload) -> str:
        if workload.load is None or self._maximum(workload) > 0:
            return ""
        return (
            f"Its maximum is unknown: {self._profile.unlimited(workload).name}, of which it is "
            f"to do {workload.load}%, has no figure."
        )

    def _reached(self, case: _Underway) -> Reached:
        share = 1.0 if case.ended else len(case.samples) / self._profile.rounds
        return Reached(case.place, (case.record(self._kind, len(self._targets)),), share)

    @property
    def _kind(self) -> str:
        return self._targets[0].kind


_UNSTEADY = (
    "No five rounds in a row were steady, so it was measured before it had settled; allow more "
    "rounds in the profile, or precondition it longer."
)
_CTRL_C = "Ctrl-C ended it."
_BECAME = {"failed": "failed", "partial": "ended early"}


def _named(targets: Sequence[Target]) -> list[JobTarget]:
    """An own file exists by now, and fio is to make no other."""
    return [JobTarget(target.path, target.bytes) for target in targets]


def _iops(run: FioRun) -> float:
    """Operations a second, all directions together."""
    seconds = max((flow.seconds for flow in run.flows), default=0.0)
    return sum(flow.operations for flow in run.flows) / seconds if seconds else 0.0


def _busy(samples: Sequence[HostSamples], began: int, run: FioRun) -> float | None:
    """Share of its CPU time that the machine under load worked while `run` was made.

    Only samples count that lie wholly within the run; before the first one there is nothing but
    what followed `began`. Of several that were watched the last is meant: the remote one that was
    named.
    """
    for machine in reversed(samples):
        kinds = zip(machine.user, machine.system, machine.interrupts, strict=True)
        during = [
            sum(shares)
            for since, at, shares in zip([began, *machine.at], machine.at, kinds, strict=False)
            if run.began <= since
            and at <= run.began + 1e9 * run.lasted
            and not any(map(math.isnan, shares))
        ]
        if during:
            return statistics.fmean(during)
    return None
