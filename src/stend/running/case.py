"""One process of a case → its outcome; outcomes → the record of the case."""

from typing import Literal

import msgspec

from stend.benchmarks.definition import Benchmark, Case
from stend.benchmarks.runner import Rule
from stend.record import (
    CaseRecord,
    ClockFacts,
    Sample,
    Status,
    Work,
    from_json,
    in_all,
    to_json,
)
from stend.record.invariants import validate
from stend.record.text import tidied
from stend.running.launch import Launch
from stend.running.task import Outcome, Task

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
        return (benchmark.work(case).flops or 0.0) / SLOWEST_WORK
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
