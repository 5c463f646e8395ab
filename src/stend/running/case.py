"""One case over several fresh processes → its record."""

import time
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from stend.definition import Benchmark, Case
from stend.invariants import validate
from stend.plan import Planned
from stend.record import CaseRecord, ClockFacts, Sample, Status, Work
from stend.running.effort import Effort
from stend.running.launch import Launch
from stend.running.task import Outcome, Rule, Task

Told = Callable[[int, int], None]
"""Told after each process: how many are done, of how many at most."""

DONE = (Status.MEASURED, Status.CHECKED)


def skipped(planned: Planned) -> CaseRecord:
    """The record of a case that can't run here."""
    return _record(
        planned.benchmark,
        planned.case,
        Outcome(status=Status.SKIPPED, reason=planned.skip or ""),
        (),
    )


def run_case(
    planned: Planned, effort: Effort, clock: ClockFacts, launch: Launch, told: Told
) -> CaseRecord:
    """Measure the case in process after process; what was measured before a failure is kept."""
    samples: list[Sample] = []
    outcome = Outcome(status=Status.MEASURED)
    begun = time.monotonic()
    for process in range(effort.most):
        if process >= effort.least and time.monotonic() - begun > effort.seconds:
            break
        outcome = attempt(planned.benchmark, planned.case, process, effort.rule, clock, launch)
        samples += [outcome.sample] if outcome.sample else []
        told(process + 1, effort.most)
        if outcome.status not in DONE:
            break
    return _record(planned.benchmark, planned.case, outcome, tuple(samples))


def run_pairs(
    planned: Planned, effort: Effort, clock: ClockFacts, launch: Launch, told: Told
) -> tuple[CaseRecord, CaseRecord]:
    """Measure both sides in turn, A B B A …, so that a drifting host meets both alike."""
    assert planned.versus is not None
    sides = (planned.case, planned.versus)
    samples: tuple[list[Sample], list[Sample]] = ([], [])
    outcomes = [Outcome(status=Status.MEASURED)] * 2
    for pair in range(effort.pairs):
        for side in (0, 1) if pair % 2 == 0 else (1, 0):
            outcomes[side] = attempt(
                planned.benchmark, sides[side], pair, effort.rule, clock, launch
            )
            if sample := outcomes[side].sample:
                samples[side].append(sample)
            if outcomes[side].status not in DONE:
                return _ended(planned, outcomes, samples)
        told(pair + 1, effort.pairs)
    return _ended(planned, outcomes, samples)


def _ended(
    planned: Planned, outcomes: Sequence[Outcome], samples: tuple[list[Sample], list[Sample]]
) -> tuple[CaseRecord, CaseRecord]:
    """Both sides' records; a side that was never measured ended as the other one did."""
    assert planned.versus is not None
    first, second = outcomes
    first = first if samples[0] or first.status not in DONE else second
    second = second if samples[1] or second.status not in DONE else first
    benchmark, (a, b) = planned.benchmark, map(tuple, samples)
    return (
        _record(benchmark, planned.case, first, a, "A"),
        _record(benchmark, planned.versus, second, b, "B"),
    )


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
    )
    try:
        return launch(task)
    except KeyboardInterrupt:
        return Outcome(status=Status.INTERRUPTED, reason="Ctrl-C ended it.")


def _record(
    benchmark: Benchmark,
    case: Case,
    outcome: Outcome,
    samples: tuple[Sample, ...],
    side: Literal["", "A", "B"] = "",
) -> CaseRecord:
    """What came of a case; what a benchmark declares or a kernel says wrongly is a failure."""
    record = CaseRecord(
        benchmark=benchmark.name,
        question=benchmark.question,
        parameters=dict(case.parameters),
        variant=case.variant,
        metric=benchmark.metric,
        work=Work(),
        status=outcome.status,
        reason=outcome.reason,
        samples=samples,
        side=side,
        detail=outcome.detail,
    )
    try:
        sound = msgspec.structs.replace(record, work=benchmark.work(case))
        validate(sound)
    except Exception as error:
        reason = f"What {benchmark.name} declares or reports can't be kept: {error}."
        return msgspec.structs.replace(record, status=Status.FAILED, reason=reason, samples=())
    return sound
