"""Benchmarks that go wrong in every way a worker can; imported by workers under test."""

import os
import signal
import sys
import time
from pathlib import Path

from stend import native
from stend.benchmarks.definition import benchmark
from stend.record import Metric

TIME = Metric(name="time", unit="s", better="lower")


def bad(name):
    return benchmark(f"bad.{name}", question="How does it go wrong?", metric=TIME)


@bad("aborts")
def aborts(case):
    os.abort()


@bad("killed")
def killed(case):
    os.kill(os.getpid(), signal.SIGKILL)


@bad("keeps_shared_memory")
def keeps_shared_memory(case):
    """As Intel's OpenMP does, which MKL brings."""
    Path(f"/dev/shm/__KMP_REGISTERED_LIB_{os.getpid()}_misbehaving").touch()
    time.sleep(1000)


@bad("hangs")
def hangs(case):
    time.sleep(1000)


@bad("leaves")
def leaves(case):
    print("the licence has expired", file=sys.stderr)
    os._exit(7)


@bad("raises")
def raises(case):
    raise RuntimeError("no such sensor")


@bad("out_of_memory")
def out_of_memory(case):
    raise MemoryError("3 GB were asked for, 1 GB is there")


@bad("raises_later")
def raises_later(case):
    calls = iter(range(100))
    return native.sampler.call(lambda: next(calls))


@bad("wrong")
def wrong(case):
    return native.sampler.call(lambda: 41, 42)


@bad("other_variant")
def other_variant(case):
    return native.sampler.call(lambda: None)


@bad("leaves_a_child")
def leaves_a_child(case):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
    return native.sampler.call(lambda: 42, 42)


@bad("refuses")
def refuses(case):
    raise ValueError("0 threads were asked for, so ask for 1.")


@bad("lacks")
def lacks(case):
    raise native.Unavailable("There are no huge pages here.")


@bad("fails")
def fails(case):
    raise native.Failed("No pipe could be made: too many open files.")


@bad("good")
def good(case):
    return native.sampler.call(lambda: 42, 42)


class Chosen:
    """A runner as a third party brings it: only the protocol, nothing of ours is inherited."""

    variant = None

    def measure(self, rule, process):
        from stend.machine import default_clock
        from stend.running.kernel import measure_kernel

        kernel = native.sampler.call(lambda: 7, 7)
        return measure_kernel(kernel, default_clock(), rule, process), {"way": "its own"}


@bad("own_runner")
def own_runner(case):
    return Chosen()
