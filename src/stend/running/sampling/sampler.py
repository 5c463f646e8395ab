"""The sampler: calibrates, warms up, samples until the rule stops, and proves the result.

The time is the collector's own: what lies between its timings counts, what lies outside
(the proof, the probe of the core's frequency) does not.
"""

from collections.abc import Callable

import msgspec
import numpy as np

from stend.errors import MeasuringError
from stend.record import ClockFacts, Integers, Numbers, Proof, Sample, Stop
from stend.running.sampling.cautions import examine
from stend.running.sampling.collector import (
    Collected,
    Collector,
    Repetitions,
    Ticks,
    Watched,
    joined,
)
from stend.running.sampling.stopping_rule import StoppingRule
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


_WARM_UP_SHARE = 0.25
"""Of the budget, at most, for calibration and warm-up together."""
_PATIENCE = 0.01
"""Of the budget: calibration repeats a timing only of work shorter than that."""
_LEAST = 3
"""Repetitions that are made even when they overrun the budget."""
_LONG = 10
"""Budgets: work that takes longer is repeated once, so that the largest n takes no day."""


def measure(
    collector: Collector,
    *,
    clock: ClockFacts,
    rule: StoppingRule,
    budget: float,
    proof: Callable[[], Proof],
    process: int = 0,
    origin: int = 0,
    core_frequency: Callable[[], float | None] | None = None,
) -> Sample:
    """Measure one case in this process.

    `clock` is the collector's, with its `hz` and `resolution` known; `origin` is
    CLOCK_MONOTONIC in ns when its ticks were 0. `budget` bounds warm-up and sampling
    together, in seconds: at most a quarter of it is warm-up, of which at least one
    repetition is made and discarded; no repetition is begun that would overrun it by more
    than its half, but at least three are made, or one of work that takes ten budgets.
    `proof` is asked once, at the end. The core's frequency (Hz) is probed right before and
    after the sampling.

    When a repetition's result is wrong, sampling ends there: the sample holds what was
    made, with a wrong proof. Raises MeasuringError when the clock is not known or the work
    takes no time; what the work raises goes through.
    """
    hz, resolution = _known(clock)
    warming = Watched(collector, hz)
    batch = _prepared(warming, resolution, budget) if rule.prepares else 1
    sampling = Watched(collector, hz, warming.period)
    left = budget - warming.elapsed
    probe = core_frequency or (lambda: None)
    before = probe()
    part, stop = _wrong_early(warming, batch, rule) or _sampled(
        sampling, batch, rule, left, 1 if warming.period > _LONG * budget else _LEAST
    )
    after = probe()
    sample = Sample(
        process=process,
        clock=clock.name,
        hz=hz,
        origin=origin,
        batch=batch,
        started=_integers(part.started),
        ticks=_integers(part.ticks),
        core=_integers(part.core),
        preempted=_integers(part.preempted),
        values=None if part.values is None else Numbers(part.values.tobytes()),
        also={name: Numbers(column.tobytes()) for name, column in part.also.items()},
        warm_up=warming.made - (len(part.ticks) if warming.wrong else 0),
        core_hz=(before, after) if before and after else None,
        stop=stop,
        proof=_proved(part, proof),
    )
    return msgspec.structs.replace(sample, cautions=examine(sample))


def _known(clock: ClockFacts) -> tuple[float, float]:
    if not clock.hz or not clock.resolution:
        raise MeasuringError(
            f"The clock {clock.name} can't be used: its frequency or resolution is unknown "
            f"({clock.reason or 'it was not calibrated'}); choose another one."
        )
    return clock.hz, clock.resolution


def _prepared(watched: Watched, resolution: float, budget: float) -> int:
    """Calibrate and warm up; calibrate on when warm work turns out shorter than cold work."""
    patience = _PATIENCE * budget
    batch = calibrate(watched, resolution, patience)
    if not watched.wrong:
        warm_up(watched, batch, _WARM_UP_SHARE * budget)
    if watched.wrong or watched.typical >= shortest_timing(resolution):
        return batch
    return calibrate(watched, resolution, patience, batch)


def _sampled(
    watched: Watched, batch: int, rule: StoppingRule, budget: float, least: int
) -> tuple[Collected, Stop]:
    parts: list[Repetitions] = []
    made = 0
    while True:
        count, seconds = rule.wants(made, watched.elapsed)
        left = budget - watched.elapsed - watched.period / 2
        parts.append(watched.collect(batch, count, min(seconds, left)))
        part = joined(parts)
        made = len(part.ticks)
        values = watched.per_execution(part, batch)
        if watched.wrong:
            return part, _wrong(rule, values)
        if stop := rule.look(values, watched.elapsed):
            return part, stop
        if made >= least and watched.elapsed + watched.period / 2 >= budget:
            return part, rule.out_of_time(values)


def _wrong_early(watched: Watched, batch: int, rule: StoppingRule) -> tuple[Collected, Stop] | None:
    """The repetitions last made before sampling, when the last of them was wrong."""
    if watched.last is None or not watched.wrong:
        return None
    part = joined([watched.last])
    return part, _wrong(rule, watched.per_execution(part, batch))


def _wrong(rule: StoppingRule, values: Floats) -> Stop:
    return msgspec.structs.replace(rule.out_of_time(values), criterion="wrong result")


def _proved(part: Collected, proof: Callable[[], Proof]) -> Proof:
    said = proof()
    if part.right:
        return said
    failed = f"The check failed after repetition {len(part.ticks)}"
    return Proof(right=False, said=f"{failed}: {said.said}" if said.said else f"{failed}.")


def _integers(column: Ticks) -> Integers:
    return Integers(column.astype(np.int64, copy=False).tobytes())
