"""The schedule: every case once, then every case once more, and so on; records grow.

The processes of a case lie far apart then, and what a host does in between shows in the
interval over them. One right after another they would agree with each other, and a run made a
minute later would contradict them. What does not fit into the budget is left out in the first pass.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import msgspec

from stend.benchmarks.definition import Benchmark, Case
from stend.benchmarks.runner import Rule
from stend.record import CaseRecord, ClockFacts, Sample, Status, Work, from_json, in_all, to_json
from stend.record.invariants import validate
from stend.record.text import tidied
from stend.running.budget import Budget
from stend.running.launch import Launch
from stend.running.plan import Planned
from stend.running.task import Effort, Outcome, Task

SIDES: tuple[Literal["", "A", "B"], ...] = ("A", "B")
LONG = 300.0
"""Seconds of a case after which no further process begins, however few there were."""
APART = 0.1
"""Medians of processes that differ by more disagree: one of them was disturbed, and among three
it makes the interval useless."""
PATIENCE = 3
"""Times as long is spent on a case whose processes disagree."""
NO_SIDES: tuple[Literal["", "A", "B"], ...] = ("",)


class RunningCase:
    """A case, or both sides of one that is measured in pairs, and what came of it so far."""

    def __init__(self, place: int, planned: Planned, effort: Effort) -> None:
        self.place = place
        """In the plan."""
        self.planned = planned
        self._effort = effort
        self._least, self._most = effort.least, effort.most
        if planned.versus:
            self._least = self._most = effort.pairs
        self._cases = [planned.case, *([planned.versus] if planned.versus else [])]
        self._outcomes = [Outcome(status=Status.MEASURED)] * len(self._cases)
        self._samples: list[list[Sample]] = [[] for _ in self._cases]
        self._middles: list[list[float]] = [[] for _ in self._cases]
        self.made = 0
        """Processes, or pairs of them, so far."""
        self._spent = 0.0
        self.cost = 0.0
        """Seconds of its last process, or pair."""
        self._closed = False
        self.records: tuple[CaseRecord, ...] = ()
        """One, or one a side; empty before the first process."""

    @property
    def share(self) -> float:
        """How much of it is done: 1.0 when it has ended."""
        return 1.0 if self.ended else min(0.99, self.made / self._least)

    @property
    def ended(self) -> bool:
        """Whether no further process is to begin."""
        if self._closed or any(record.status not in DONE for record in self.records):
            return True
        if self.made and self._spent > LONG:
            return True
        allowed = self._effort.seconds * (1 if self._agree() else PATIENCE)
        enough = self.made >= self._least and self._spent > allowed
        return enough or self.made >= self._most

    @property
    def benchmark(self) -> str:
        """Its benchmark's name."""
        return self.planned.case.benchmark

    @property
    def due(self) -> int:
        """Processes that are missing to the least number; none of one that ended or is skipped."""
        return 0 if self.planned.skip or self.ended else max(0, self._least - self.made)

    def close(self, reason: str) -> None:
        """Begin no further process; a case without any is skipped for the reason."""
        if not self.made:
            self._outcomes = [Outcome(status=Status.SKIPPED, reason=reason)] * len(self._cases)
            self.records = self._recorded()
        self._closed = True

    def _agree(self) -> bool:
        """Whether the medians of its processes lie close together."""
        for middles in self._middles:
            if middles and not max(middles) <= (1 + APART) * min(middles):
                return False
        return True

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return any(outcome.status is Status.INTERRUPTED for outcome in self._outcomes)

    def go_on(self, clock: ClockFacts, launch: Launch) -> None:
        """Measure one process more, or one pair: A B and B A by turns, as the host drifts."""
        began = time.monotonic()
        if self.planned.skip:
            skipped = Outcome(status=Status.SKIPPED, reason=self.planned.skip)
            self._outcomes = [skipped] * len(self._cases)
        else:
            self._measure(clock, launch)
        self.made += 1
        self.cost = time.monotonic() - began
        self._spent += self.cost
        self.records = self._recorded()

    def _measure(self, clock: ClockFacts, launch: Launch) -> None:
        sides = range(len(self._cases))
        for side in sides if self.made % 2 == 0 else reversed(sides):
            outcome = attempt(
                self.planned.benchmark,
                self._cases[side],
                self.made,
                self._effort.rule,
                clock,
                launch,
            )
            self._outcomes[side] = outcome
            if outcome.sample:
                self._samples[side].append(outcome.sample)
                self._middles[side].append(_middle(outcome.sample))
            if outcome.status not in DONE:
                return

    def _recorded(self) -> tuple[CaseRecord, ...]:
        """A side that was never measured ended as the other one did."""
        bad = next((o for o in self._outcomes if o.status not in DONE), None)
        sides = SIDES if self.planned.versus else NO_SIDES
        return tuple(
            recorded(
                self.planned.benchmark,
                case,
                outcome if samples or outcome.status not in DONE else bad or outcome,
                tuple(samples),
                side,
            )
            for case, outcome, samples, side in zip(
                self._cases, self._outcomes, self._samples, sides, strict=True
            )
        )


def _middle(sample: Sample) -> float:
    """Of its repetitions, in any unit: what they observed, or their time."""
    return statistics.median(sample.values or sample.ticks) / sample.batch


def measure_all(
    planned: Sequence[Planned],
    effort: Effort,
    clock: ClockFacts,
    launch: Launch,
    begin: Callable[[RunningCase], None],
    budget: Budget | None = None,
) -> Iterator[RunningCase]:
    """Give each case after each of its processes, until all have ended or Ctrl-C ends one.

    `begin` is told which case is next. What was measured before a failure is kept. What does not
    fit into the budget is given after the pass that shows it.
    """
    cases = [RunningCase(i, one, effort) for i, one in enumerate(planned)]
    limit = budget or Budget()
    limit.plan(cases, effort.rule.seconds)
    while waiting := [case for case in cases if not case.ended]:
        unfit = []
        for case in waiting:
            if not (case.planned.skip or limit.fits(case)):
                unfit.append(case)
                continue
            begin(case)
            case.go_on(clock, launch)
            yield case
            if case.interrupted:
                return
        refusal = limit.refusal([case for case in unfit if not case.made])
        for case in unfit:
            case.close(refusal)
            yield case


DONE = (Status.MEASURED, Status.CHECKED)

SLOWEST_WORK = 1e8
"""FLOP/s: a process that is slower than that is taken to hang."""


def attempt(
    benchmark: Benchmark, case: Case, process: int, rule: Rule, clock: ClockFacts, launch: Launch
) -> Outcome:
    """One process; Ctrl-C becomes an outcome, so that what was measured before is kept."""
    task = Task(
        benchmark=benchmark.name,
        module=benchmark.module,
        parameters=dict(case.parameters),
        variant=case.variant,
        process=process,
        rule=rule,
        clock=clock,
        work_seconds=_work_seconds(benchmark, case),
    )
    try:
        return launch(task)
    except KeyboardInterrupt:
        return Outcome(status=Status.INTERRUPTED, reason="Ctrl-C ended it.")


def _work_seconds(benchmark: Benchmark, case: Case) -> float:
    try:
        return benchmark.longest / 4 + (benchmark.work(case).flops or 0.0) / SLOWEST_WORK
    except Exception:
        return 0.0  # `recorded` tells what is wrong with the definition


def recorded(
    benchmark: Benchmark,
    case: Case,
    outcome: Outcome,
    samples: tuple[Sample, ...],
    side: Literal["", "A", "B"],
) -> CaseRecord:
    """What came of a case so far, of which the last sample is new.

    What a benchmark declares or a kernel says wrongly is a failure; the samples before are kept.
    """
    record = CaseRecord(
        benchmark=benchmark.name,
        question=benchmark.question,
        parameters=dict(case.parameters),
        variant=case.variant,
        metric=benchmark.metric,
        further=in_all(benchmark.further, samples),
        work=Work(),
        status=outcome.status,
        reason=outcome.reason,
        samples=samples,
        side=side,
        detail=outcome.detail,
    )
    try:
        sound = tidied(msgspec.structs.replace(record, work=benchmark.work(case)))
        from_json(to_json(msgspec.structs.replace(sound, samples=())), CaseRecord)  # its types
        validate(msgspec.structs.replace(sound, samples=samples[-1:]))
    except Exception as error:
        reason = f"What {benchmark.name} declares or reports can't be kept: {error}."
        return tidied(
            msgspec.structs.replace(
                record, status=Status.FAILED, reason=reason, samples=samples[:-1]
            )
        )
    return sound
