"""Pairs of the same transforms, made by a plain loop and by stend's kernel, by turns on one core.

    python versus.py PLAIN.SO ROUNDS

Both use one library in one process, on the same arrays. FFTW and MKL are called from
the C loop of plain.c, NumPy and SciPy from one in Python. Prints a line a pair: library, size,
operations, seconds of the plain loop, seconds of stend.
"""

import ctypes
import math
import sys
import time
from collections.abc import Callable
from ctypes import c_double, c_int, c_void_p

import numpy as np

from stend import native
from stend.benchmarks.families.fft.libraries import LIBRARIES, Library
from stend.benchmarks.families.fft.transform import Transform

SIZES = (512, 511, 500)
SECONDS = 0.1
"""About so long is one side of a pair."""


def plain(work: Transform, compiled: ctypes.CDLL) -> Callable[[int], float]:
    """What makes so many transforms in a plain loop and gives the seconds that it took.

    It goes from stend's own input to stend's own output: on a virtual machine one part of the
    memory can be slower than another.
    """
    name, into, out = work.variant, work._input, work._out
    if not hasattr(compiled, f"{name}_ready"):
        transform = work._transform

        def seconds(times: int) -> float:
            begin = time.perf_counter()
            for _ in range(times):
                transform()
            return time.perf_counter() - begin

        return seconds
    ready, run = (getattr(compiled, f"{name}_{what}") for what in ("ready", "seconds"))
    ready.restype, ready.argtypes = c_void_p, [c_int, c_int, c_void_p, c_void_p]
    run.restype, run.argtypes = c_double, [c_void_p, c_void_p, c_void_p, c_int]
    kept = into.copy()
    plan = ready(*into.shape, into.ctypes.data, out.ctypes.data)
    into[...] = kept  # planning overwrites
    run(plan, into.ctypes.data, out.ctypes.data, 1)
    assert np.allclose(out, np.fft.fft2(into)), f"the plain {name} is wrong"
    return lambda times: float(run(plan, into.ctypes.data, out.ctypes.data, times))


def sampled(kernel: native.Kernel) -> Callable[[int], float]:
    """What has stend sample so many repetitions, and gives the seconds that they took."""
    clock = native.clock.default()
    hz = native.clock.calibrate(clock, 0.05).hz
    sampler = native.sampler.Sampler(kernel, clock)

    def seconds(times: int) -> float:
        repetitions = sampler.collect(1, times, 60.0)
        assert repetitions.right
        return float(repetitions.ticks.sum()) / hz

    return seconds


def interleave(known: Library, size: int, rounds: int, compiled: ctypes.CDLL) -> None:
    work = Transform(known, size, size)
    kernel = native.sampler.work(work)
    kernel.prepare()
    ours, theirs = sampled(kernel), plain(work, compiled)
    times = max(1, round(SECONDS / (ours(3) / 3)))
    points = size * size
    for turn in range(-1, rounds):  # the first pair warms up
        if turn % 2:
            plain_took = theirs(times)
            took = ours(times)
        else:
            took = ours(times)
            plain_took = theirs(times)
        if turn >= 0:
            flops = 5 * points * math.log2(points) * times
            print(known.name, size, round(flops), plain_took, took)
    assert kernel.prove().right


def main(file: str, rounds: int) -> None:
    compiled = ctypes.CDLL(file)
    for known in LIBRARIES:
        if known.lacking():
            print(f"without {known.name}: {known.lacking()}", file=sys.stderr)
            continue
        for size in SIZES:
            interleave(known, size, rounds, compiled)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
