"""Passes, pairs and failures of cases, with a fake worker."""

import dataclasses
import itertools

import msgspec

from made import benchmark, machine, sample
from stend.benchmarks.definition import Case
from stend.benchmarks.runner import Rule
from stend.processes.child import signal_name
from stend.record import Integers, Metric, Status, Work
from stend.running.plan import Planned
from stend.running.schedule import measure_all
from stend.running.task import Effort, Outcome

CLOCK = machine().clocks[0]


def planned(**also):
    fields = {"benchmark": benchmark(), "case": Case("a.b", {}, "x")} | also
    return Planned(**fields)


def effort(least=2, most=3, seconds=100.0, pairs=4):
    return Effort(Rule(), least=least, most=most, seconds=seconds, pairs=pairs)


def measured(task):
    return Outcome(status=Status.MEASURED, sample=sample(process=task.process))


def run(one, effort, launch):
    """The records that one case ends with."""
    *_, last = measure_all([one], effort, CLOCK, launch, lambda case: None)
    assert last.ended
    return last.records


def test_a_case_runs_in_several_processes_and_keeps_every_sample():
    (record,) = run(planned(), effort(), measured)
    assert [s.process for s in record.samples] == [0, 1, 2]
    assert record.status is Status.MEASURED


def test_all_cases_are_measured_once_before_one_is_measured_again():
    order = []

    def noted(task):
        order.append((task.variant, task.process))
        return measured(task)

    both = [planned(), planned(case=Case("a.b", {}, "y"), versus=Case("a.b", {}, "z"))]
    seen = list(measure_all(both, effort(most=2, pairs=2), CLOCK, noted, lambda case: None))
    assert order == [("x", 0), ("y", 0), ("z", 0), ("x", 1), ("z", 1), ("y", 1)]
    assert [(case.place, len(case.records)) for case in seen] == [(0, 1), (1, 2)] * 2
    assert [case.share for case in seen[-2:]] == [1.0, 1.0]


def test_after_ctrl_c_no_other_case_begins_and_all_keep_what_they_have():
    outcomes = iter([measured, measured, interrupted])
    cases = [planned(), planned(case=Case("a.b", {}, "y"))]
    launch = lambda task: next(outcomes)(task)  # noqa: E731
    seen = list(measure_all(cases, effort(), CLOCK, launch, lambda case: None))
    assert [case.place for case in seen] == [0, 1, 0]
    assert seen[-1].records[0].status is Status.INTERRUPTED
    assert [len(case.records[0].samples) for case in seen[1:]] == [1, 1]


def interrupted(task):
    raise KeyboardInterrupt


def test_no_further_process_begins_when_the_time_is_spent():
    (record,) = run(planned(), effort(seconds=-1.0), measured)
    assert len(record.samples) == 2


def test_a_case_that_takes_minutes_is_not_begun_again(monkeypatch):
    now = itertools.count(step=301.0)
    monkeypatch.setattr("stend.running.schedule.time.monotonic", lambda: float(next(now)))
    (record,) = run(planned(), effort(least=5, seconds=1.0), measured)
    assert len(record.samples) == 1
    assert record.status is Status.MEASURED


def test_a_process_has_time_for_the_work_on_a_slow_machine():
    asked = []

    def launch(task):
        asked.append(task.work_seconds)
        return measured(task)

    heavy = benchmark(work=lambda case: Work(flops=3e10))
    run(planned(benchmark=heavy), effort(least=1, most=1), launch)
    assert asked == [300.0]


def test_a_case_whose_processes_disagree_gets_more_of_them(monkeypatch):
    ticks = iter([100, 100, 200, 100, 100, 100, 100])

    def launch(task):
        each = Integers([next(ticks)] * 3)
        return Outcome(
            status=Status.MEASURED,
            sample=msgspec.structs.replace(sample(process=task.process), ticks=each),
        )

    now = itertools.count(step=0.5)
    monkeypatch.setattr("stend.running.schedule.time.monotonic", lambda: float(next(now)))
    (record,) = run(planned(), effort(least=3, most=9, seconds=1.0), launch)
    assert len(record.samples) == 7, "1.5 s were spent after three, and 3 s may be"
    (record,) = run(planned(), effort(least=3, most=9, seconds=1.0), measured)
    assert len(record.samples) == 3


def test_what_was_measured_before_a_crash_is_kept_with_the_reason():
    outcomes = iter(
        [
            Outcome(status=Status.MEASURED, sample=sample()),
            Outcome(status=Status.CRASHED, reason="The worker process was ended by SIGSEGV."),
        ]
    )
    (record,) = run(planned(), effort(), lambda task: next(outcomes))
    assert (record.status, len(record.samples)) == (Status.CRASHED, 1)
    assert "SIGSEGV" in record.reason


def test_ctrl_c_is_a_record_not_an_exception():
    def interrupted(task):
        raise KeyboardInterrupt

    (record,) = run(planned(), effort(), interrupted)
    assert record.status is Status.INTERRUPTED


def test_pairs_are_measured_a_b_b_a():
    order = []

    def noted(task):
        order.append(task.variant)
        return measured(task)

    a, b = run(planned(versus=Case("a.b", {}, "y")), effort(), noted)
    assert order == ["x", "y", "y", "x", "x", "y", "y", "x"]
    assert [s.process for s in a.samples] == [s.process for s in b.samples] == [0, 1, 2, 3]
    assert (a.side, b.side) == ("A", "B")


def test_a_failure_of_one_side_ends_the_pairs():
    outcomes = itertools.chain(
        [Outcome(status=Status.MEASURED, sample=sample())],
        itertools.repeat(Outcome(status=Status.FAILED, reason="no.")),
    )
    both = planned(versus=Case("a.b", {}, "y"))
    a, b = run(both, effort(), lambda task: next(outcomes))
    assert (a.status, b.status) == (Status.MEASURED, Status.FAILED)


def test_a_skip_keeps_its_reason():
    both = planned(skip="the processor lacks avx512.", versus=Case("a.b", {}, "y"))
    assert [r.status for r in run(both, effort(), measured)] == [Status.SKIPPED] * 2
    (record,) = run(planned(skip="the processor lacks avx512."), effort(), measured)
    assert (record.status, record.reason) == (Status.SKIPPED, "the processor lacks avx512.")


def test_ctrl_c_between_the_sides_does_not_begin_the_other():
    begun = []

    def interrupted(task):
        begun.append(task.variant)
        raise KeyboardInterrupt

    both = planned(versus=Case("a.b", {}, "y"))
    a, b = run(both, effort(), interrupted)
    assert begun == ["x"]
    assert a.status is b.status is Status.INTERRUPTED


def test_a_benchmark_that_declares_no_work_for_its_rate_is_a_failure_not_a_crash():
    rate = Metric(name="bandwidth", unit="B/s", better="higher")
    benchmark = dataclasses.replace(planned().benchmark, metric=rate)
    (record,) = run(planned(benchmark=benchmark), effort(), measured)
    assert record.status is Status.FAILED
    assert "a.b" in record.reason


def test_a_sample_that_cannot_be_kept_leaves_those_before():
    backwards = msgspec.structs.replace(sample(process=1), started=Integers([9, 5, 1]))
    outcomes = iter([sample(), backwards])
    launch = lambda task: Outcome(status=Status.MEASURED, sample=next(outcomes))  # noqa: E731
    (record,) = run(planned(), effort(), launch)
    assert (record.status, len(record.samples)) == (Status.FAILED, 1)
    assert "starts before" in record.reason


def test_a_colourful_failure_keeps_its_words_and_what_was_measured():
    outcomes = iter(
        [
            Outcome(status=Status.MEASURED, sample=sample()),
            Outcome(status=Status.FAILED, reason="RuntimeError: \x1b[31mboom"),
        ]
    )
    (record,) = run(planned(), effort(), lambda task: next(outcomes))
    assert (record.status, len(record.samples)) == (Status.FAILED, 1)
    assert record.reason == r"RuntimeError: \x1b[31mboom"


def test_a_signal_without_a_name_is_told_by_its_number():
    assert signal_name(9) == "SIGKILL"
    assert signal_name(40) == "signal 40"
