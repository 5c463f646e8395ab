"""Programs in turn and alone, with a fake execution."""

import itertools

from stend.errors import MeasuringError
from stend.record import Status
from stend.running.program import Once, measure_program, measure_programs


def once(number=0, wall_ms=10.0):
    return Once(
        start_ns=int(number * 20e6),
        wall_ns=int(wall_ms * 1e6),
        user=0.005,
        system=0.001,
        peak_bytes=1 << 20,
        core=0,
        switches=0,
    )


def quiet(done):
    pass


def test_every_execution_is_kept_with_time_and_memory():
    numbers = itertools.count()
    record = measure_program(["x"], 0.2, lambda command: once(next(numbers)))
    (sample,) = record.samples
    assert record.status is Status.MEASURED
    assert set(sample.ticks) == {10_000_000}
    assert len(sample.also["peak memory B"]) == len(sample.ticks)


def test_what_was_executed_before_a_failure_is_kept():
    numbers = itertools.count()

    def fails_at_the_fifth(command):
        number = next(numbers)
        if number == 4:
            raise MeasuringError("`x` exited with code 1.")
        return once(number)

    record = measure_program(["x"], 10.0, fails_at_the_fifth)
    assert record.status is Status.FAILED
    assert len(record.samples[0].ticks) == 4


def test_ctrl_c_does_not_begin_the_other_program():
    begun = []

    def interrupted(command):
        begun.append(command)
        raise KeyboardInterrupt

    a, b = measure_programs(["a"], ["b"], 5, quiet, interrupted)
    assert len(begun) == 1
    assert a.status is b.status is Status.INTERRUPTED


def test_pairs_have_one_execution_of_each_side():
    numbers = itertools.count()
    a, b = measure_programs(["a"], ["b"], 5, quiet, lambda command: once(next(numbers)))
    assert [s.process for s in a.samples] == [s.process for s in b.samples] == [0, 1, 2, 3, 4]
    assert (a.side, b.side) == ("A", "B")


def test_instants_are_counted_from_the_first_execution():
    numbers = itertools.count(1000)
    record = measure_program(["x"], 0.2, lambda command: once(next(numbers)))
    (sample,) = record.samples
    assert sample.started[0] == 0
    assert sample.origin >= 1000 * 20_000_000
