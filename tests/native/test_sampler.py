"""The timed loop from Python: columns, calls of Python functions, signals."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from patience import PATIENCE
from stend.native import clock
from stend.native import sampler as sampling


def sampler(kernel):
    return sampling.Sampler(kernel, clock.default())


def test_every_repetition_is_in_every_column():
    kernel = sampling.empty()
    made = sampler(kernel).collect(10, 500, 10.0)
    for column in (made.started, made.ticks, made.core, made.preempted):
        assert column.dtype == np.int64
        assert column.shape == (500,)
    assert made.values is None
    assert made.right
    assert (np.diff(made.started) >= made.ticks[:-1]).all()
    assert kernel.prove().said == "counted 5000 executions of 5000 that were asked for"


def test_columns_outlive_what_they_came_from():
    ticks = sampler(sampling.empty()).collect(1, 1000, 10.0).ticks
    assert len(ticks) == 1000
    assert (ticks >= 0).all()


def test_columns_are_read_only():
    made = sampler(sampling.empty()).collect(1, 1, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        made.ticks[0] = 0


def test_the_core_is_one_that_may_be_used():
    made = sampler(sampling.empty()).collect(1, 100, 1.0)
    assert set(made.core.tolist()) <= os.sched_getaffinity(0)


def test_the_origin_is_when_the_ticks_were_zero():
    before = clock.monotonic_ns()
    timed = sampler(sampling.spin())
    after = clock.monotonic_ns()
    assert before <= timed.origin <= after


def test_spin_is_proved_by_another_computation():
    kernel = sampling.spin()
    assert sampler(kernel).collect(7, 11, 1.0).right
    proof = kernel.prove()
    assert proof.right
    assert proof.said.startswith("the product of 77000 multiplications equals")


def test_a_function_is_called_as_often_as_asked():
    calls = []
    kernel = sampling.call(lambda: calls.append(1))
    made = sampler(kernel).collect(3, 5, 10.0)
    assert len(made.ticks) == 5
    assert len(calls) == 15
    assert kernel.prove().said == "the function returned from 15 of 15 calls"


def test_a_function_that_returns_something_else_ends_it_at_that_repetition():
    results = iter([7, 7, 8, 7])
    kernel = sampling.call(lambda: next(results), 7)
    made = sampler(kernel).collect(1, 4, 10.0)
    assert not made.right
    assert len(made.ticks) == 3
    assert kernel.prove().said == "the function returned 8 instead of 7"


def test_an_exception_in_the_function_comes_through():
    def fails():
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        sampler(sampling.call(fails)).collect(1, 10, 10.0)


def test_others_run_while_it_collects():
    seen = threading.Event()
    threading.Timer(0.02, seen.set).start()
    sampler(sampling.spin()).collect(1000, 10**6, 0.3)
    assert seen.is_set()


def test_the_time_ends_it():
    made = sampler(sampling.spin()).collect(100, 10**9, 0.05)
    assert 1 <= len(made.ticks) < 10**6


@pytest.mark.parametrize(
    ("batch", "count", "seconds", "said"),
    [(0, 1, 1.0, "at least 1"), (1, 0, 1.0, "at least 1"), (1, 1, -1.0, "at least 0 s")],
)
def test_senseless_requests_are_one_sentence(batch, count, seconds, said):
    with pytest.raises(ValueError, match=said):
        sampler(sampling.empty()).collect(batch, count, seconds)


def test_an_observer_takes_no_batch():
    kernel = clock.step(clock.default())
    with pytest.raises(ValueError, match="the batch must be 1, not 2"):
        sampler(kernel).collect(2, 1, 1.0)


def test_a_rival_on_the_same_core_is_noticed():
    """In a process of its own, so that no other test runs on one core."""
    program = """
import os, subprocess, sys
from stend.native import clock, sampler
os.sched_setaffinity(0, {next(iter(os.sched_getaffinity(0)))})
rival = subprocess.Popen([sys.executable, "-c", "while True: pass"])
try:
    made = sampler.Sampler(sampler.spin(), clock.default()).collect(100, 10**6, 0.4)
finally:
    rival.kill()
    rival.wait()
print(int(made.preempted.sum()), len(made.ticks))
"""
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    preempted, made = map(int, out.stdout.split())
    assert 0 < preempted < made


def test_ctrl_c_ends_it_soon():
    program = """
from stend.native import clock, sampler
print("ready", flush=True)
sampler.Sampler(sampler.spin(), clock.default()).collect(100, 10**9, 60.0)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in said
