"""Clocks and timers as Python sees them; the C++ tests have the rest."""

import math
import time

import numpy as np
import pytest

from stend.native import clock
from stend.native import sampler as sampling


def observed(kernel, count):
    kernel.prepare()
    made = sampling.Sampler(kernel, clock.default()).collect(1, count, 20.0)
    assert made.right
    return made


def available():
    return [timer.name for timer in clock.timers() if timer.available]


def test_the_default_is_the_first_source_that_can_be_used():
    assert clock.default() == next(s.name for s in clock.sources() if s.available)


def test_every_source_is_available_or_says_why_in_a_sentence():
    for source in clock.sources():
        assert source.available == (source.reason == "")
        assert source.available or source.reason.endswith(".")


def test_calibration_agrees_with_pythons_clock():
    """By two brackets, which hold however long the interpreter is held up between two readings."""
    frequency = clock.calibrate(clock.default(), 0.1)
    sampler = sampling.Sampler(sampling.spin(), clock.default())

    def bracketed():
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        ticks = sampler.collect(1, 1, 1.0).started[0]
        return before, ticks, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)

    earliest, first, early = bracketed()
    time.sleep(0.1)
    late, last, latest = bracketed()
    assert 0 <= frequency.hz_uncertainty < frequency.hz * 1e-4
    sure = 1 + 8 * frequency.hz_uncertainty / frequency.hz
    seconds = (last - first) / frequency.hz
    assert (late - early) / 1e9 / sure <= seconds <= (latest - earliest) / 1e9 * sure


def test_a_longer_calibration_is_surer():
    brief, lengthy = (clock.calibrate(clock.default(), s).hz_uncertainty for s in (0.005, 0.3))
    assert lengthy < brief


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_a_calibration_without_time_is_refused(seconds):
    with pytest.raises(ValueError, match="can be calibrated for more than 0"):
        clock.calibrate(clock.default(), seconds)


def test_an_unknown_clock_is_an_error_that_names_the_known_ones():
    with pytest.raises(ValueError, match=r'no clock named "sundial".*tsc.*monotonic-raw'):
        clock.calibrate("sundial", 0.01)


def test_the_core_frequency_explains_the_time_of_a_chain():
    """1,000 multiplications can't take fewer than 1,000 cycles, nor, alone, far more than 6,000."""
    tried = (clock.core_frequency(0.01) for _ in range(20))  # one that is interrupted can't tell
    hz = next((hz for hz in tried if not math.isnan(hz)), math.nan)
    if math.isnan(hz):
        pytest.skip("this processor's latencies are unknown")
    kernel = sampling.spin()
    made = sampling.Sampler(kernel, clock.default()).collect(100, 200, 1.0)
    seconds = min(made.ticks) / clock.calibrate(clock.default(), 0.02).hz / 100
    assert 900 < seconds * hz < 7000


def test_every_timer_of_the_os_is_listed():
    names = [timer.name for timer in clock.timers()]
    assert {"tsc", "CLOCK_MONOTONIC_RAW", "CLOCK_THREAD_CPUTIME_ID", "times"} <= set(names)


@pytest.mark.parametrize("timer", available())
def test_a_reading_is_timed_and_proved(timer):
    kernel = clock.read(timer)
    kernel.prepare()
    made = sampling.Sampler(kernel, clock.default()).collect(100, 20, 10.0)
    assert made.right
    assert made.values is None
    proof = kernel.prove()
    assert proof.right, proof.said
    assert "2000 of 2000 readings" in proof.said


@pytest.mark.parametrize("timer", available())
def test_a_step_is_positive_and_proved(timer):
    kernel = clock.step(timer)
    made = observed(kernel, 5)
    assert (made.values > 0).all()
    proof = kernel.prove()
    assert proof.right, proof.said


def test_a_coarse_timer_steps_by_what_the_os_says_or_a_multiple_where_ticks_were_missed():
    monotonic_coarse = 6  # Linux's number, which Python does not name
    steps = observed(clock.step("CLOCK_MONOTONIC_COARSE"), 5).values
    steps = np.asarray(steps) / time.clock_getres(monotonic_coarse)
    assert steps == pytest.approx(np.round(steps), rel=1e-6)
    assert 0.99 < min(steps) < 10


def test_a_timer_of_ten_milliseconds_misjudges_brief_work_by_all_or_a_whole_step():
    made = observed(clock.error("times", 1e-3), 20)
    expected = [value for value in made.values if value >= 1]
    assert len(expected) > 10  # the others were preempted in between


def test_a_fine_timer_misjudges_long_work_little():
    kernel = clock.error(clock.default(), 1e-3)
    assert abs(sorted(observed(kernel, 21).values)[10]) < 0.01
    assert kernel.prove().right


@pytest.mark.parametrize("function", [clock.read, clock.step, lambda t: clock.error(t, 1.0)])
def test_an_unknown_timer_is_an_error_that_names_the_known_ones(function):
    with pytest.raises(ValueError, match=r'no timer named "hourglass".*gettimeofday'):
        function("hourglass")
