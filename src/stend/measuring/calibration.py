"""Before a sample: how many executions one timing takes, and when the work has warmed up."""

import numpy as np

from stend.errors import MeasuringError
from stend.measuring.collector import Watched
from stend.statistics import Floats, Location, median_interval

_SHORTEST = 50e-6
"""Seconds: a timing's own cost (about 30 ns) is then below 0.1%, and a quarter of a second
holds thousands of repetitions."""
_STEPS = 1000
"""Clock steps in one timing, so that the step is 0.1% of it."""
_SETTLING = 0.05
"""Seconds: frequency governors and turbo decide within some ten milliseconds."""
_FEWEST = 5
_SAME = 0.0025
_LARGEST = 1 << 40
_CHUNK = 16384


def shortest_timing(resolution: float) -> float:
    """Seconds that one timing has to last at a clock of that resolution (s)."""
    return max(_STEPS * resolution, _SHORTEST)


def calibrate(watched: Watched, resolution: float, patience: float, batch: int = 1) -> int:
    """Double `batch` until one timing lasts max(1,000 clock steps, 50 µs).

    The shortest of three timings decides, so that one that was interrupted can't; of work
    that takes longer than `patience` seconds one is enough. Kernels that report values of
    their own are never batched. Raises MeasuringError when not even 2^40 executions take
    that long: then the work was not done.
    """
    least = shortest_timing(resolution)
    while batch <= _LARGEST:
        part = watched.collect(batch, 3, patience)
        if part.values is not None or watched.wrong:
            return batch
        if watched.per_execution(part, batch=1).min() >= least:
            return batch
        batch *= 2
    raise MeasuringError(
        f"{_LARGEST} executions took less than {least:.3g} s: the work is not being done, or "
        "the clock stands still. Check that the compiler has not removed the work."
    )


def warm_up(watched: Watched, batch: int, bound: float) -> None:
    """Discard repetitions until they have settled.

    Settled is: at least 5 repetitions and 50 ms, and the medians of the second and the last
    quarter agree (see `_settled`). It ends at the latest when `bound` seconds have been
    spent in all, without beginning a repetition that would overrun that by more than its
    half.
    """
    said: list[Floats] = []
    start, due = watched.elapsed, _SETTLING
    while (left := bound - watched.elapsed - watched.period / 2) > 0:
        part = watched.collect(batch, _CHUNK, min(left, due - (watched.elapsed - start)))
        if watched.wrong:
            return
        said.append(watched.per_execution(part, batch))
        spent = watched.elapsed - start
        if spent >= due:
            if _settled(np.concatenate(said)):
                return
            due = 1.5 * spent


def _settled(x: Floats) -> bool:
    """Whether the second and the last quarter differ by no more than chance, or than 0.25%.

    These two, since what still decays changes much more over half of the time than between
    neighbours: noise then hides less of it. The chance is taken from the medians' own
    intervals, as if repetitions were independent: a quiet sample is held to more than a
    noisy one, whose change could not be seen anyway.
    """
    if len(x) < _FEWEST:
        return False
    quarters = np.array_split(x, 4)
    before, last = (median_interval(quarters[i], tau=1.0) for i in (1, 3))
    if before.value is None or last.value is None:
        return False
    chance = np.hypot(_half_width(before), _half_width(last))
    return abs(last.value - before.value) <= max(float(chance), _SAME * abs(last.value))


def _half_width(location: Location) -> float:
    """Of the interval; of quarters too small for one, 1% of the value."""
    if location.low is None or location.high is None:
        return 0.01 * abs(location.value or 0.0)
    return (location.high - location.low) / 2
