"""Processes, pairs and failures of a case, with a fake worker."""

import dataclasses
import itertools

from made import machine, sample
from stend.definition import Benchmark, Case
from stend.plan import Planned
from stend.record import Metric, Status, Work
from stend.running.case import run_case, run_pairs, skipped
from stend.running.death import signal_name
from stend.running.effort import Effort
from stend.running.task import Outcome, Rule

CLOCK = machine().clocks[0]


def planned(**also):
    benchmark = Benchmark(
        "a.b",
        "How?",
        Metric(name="time", unit="s", better="lower"),
        lambda case: None,
        lambda case: Work(),
        {},
        None,
        ("default",),
        lambda case, machine: None,
        "nowhere",
    )
    fields = {"benchmark": benchmark, "case": Case("a.b", {}, "x")} | also
    return Planned(**fields)


def effort(least=2, most=3, seconds=100.0, pairs=4):
    return Effort(Rule(), least=least, most=most, seconds=seconds, pairs=pairs)


def measured(task):
    return Outcome(status=Status.MEASURED, sample=sample(process=task.process))


def quiet(done, most):
    pass


def test_a_case_runs_in_several_processes_and_keeps_every_sample():
    record = run_case(planned(), effort(), CLOCK, measured, quiet)
    assert [s.process for s in record.samples] == [0, 1, 2]
    assert record.status is Status.MEASURED


def test_no_further_process_begins_when_the_time_is_spent():
    record = run_case(planned(), effort(seconds=-1.0), CLOCK, measured, quiet)
    assert len(record.samples) == 2


def test_what_was_measured_before_a_crash_is_kept_with_the_reason():
    outcomes = iter(
        [
            Outcome(status=Status.MEASURED, sample=sample()),
            Outcome(status=Status.CRASHED, reason="The worker process was ended by SIGSEGV."),
        ]
    )
    record = run_case(planned(), effort(), CLOCK, lambda task: next(outcomes), quiet)
    assert (record.status, len(record.samples)) == (Status.CRASHED, 1)
    assert "SIGSEGV" in record.reason


def test_ctrl_c_is_a_record_not_an_exception():
    def interrupted(task):
        raise KeyboardInterrupt

    record = run_case(planned(), effort(), CLOCK, interrupted, quiet)
    assert record.status is Status.INTERRUPTED


def test_pairs_are_measured_a_b_b_a():
    order = []

    def noted(task):
        order.append(task.variant)
        return measured(task)

    a, b = run_pairs(planned(versus=Case("a.b", {}, "y")), effort(), CLOCK, noted, quiet)
    assert order == ["x", "y", "y", "x", "x", "y", "y", "x"]
    assert [s.process for s in a.samples] == [s.process for s in b.samples] == [0, 1, 2, 3]
    assert (a.side, b.side) == ("A", "B")


def test_a_failure_of_one_side_ends_the_pairs():
    outcomes = itertools.chain(
        [Outcome(status=Status.MEASURED, sample=sample())],
        itertools.repeat(Outcome(status=Status.FAILED, reason="no.")),
    )
    both = planned(versus=Case("a.b", {}, "y"))
    a, b = run_pairs(both, effort(), CLOCK, lambda task: next(outcomes), quiet)
    assert (a.status, b.status) == (Status.MEASURED, Status.FAILED)


def test_a_skip_keeps_its_reason():
    record = skipped(planned(skip="the processor lacks avx512."))
    assert (record.status, record.reason) == (Status.SKIPPED, "the processor lacks avx512.")


def test_ctrl_c_between_the_sides_does_not_begin_the_other():
    begun = []

    def interrupted(task):
        begun.append(task.variant)
        raise KeyboardInterrupt

    both = planned(versus=Case("a.b", {}, "y"))
    a, b = run_pairs(both, effort(), CLOCK, interrupted, quiet)
    assert begun == ["x"]
    assert a.status is b.status is Status.INTERRUPTED


def test_a_benchmark_that_declares_no_work_for_its_rate_is_a_failure_not_a_crash():
    rate = Metric(name="bandwidth", unit="B/s", better="higher")
    benchmark = dataclasses.replace(planned().benchmark, metric=rate)
    record = run_case(planned(benchmark=benchmark), effort(), CLOCK, measured, quiet)
    assert record.status is Status.FAILED
    assert "a.b" in record.reason


def test_a_signal_without_a_name_is_told_by_its_number():
    assert signal_name(9) == "SIGKILL"
    assert signal_name(40) == "signal 40"
