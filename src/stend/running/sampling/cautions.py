"""What may be wrong with a sample, found in its raw columns and nowhere else.

Pure, so that a report can derive the cautions of an old run again.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from stend.record import Integers, Sample
from stend.record.cautions import Caution
from stend.running.sampling.collector import Ticks
from stend.statistics import (
    Floats,
    autocorrelation_time,
    drift,
    noisy,
    quantised,
    step,
    two_modes,
)

_PREEMPTED_SHARE = 0.05
_PREEMPTED_BELOW = 0.1
"""Seconds: a longer repetition is interrupted on any machine, for about 1% of it at most."""
_CLOCK_STEPS = 1000
_FEWEST = 32
_TELLING = 64
"""Values from which two modes can be told from one."""
_NARROW = 0.01
"""A half-width of the median's interval, relative, that is no reason to measure longer."""
_INTERVAL = 6
"""Values from which the median has an interval at 95%."""
_SLOWED = 0.01
"""A preemption that costs less than this of a repetition does no harm to a figure."""
_THROTTLED = 0.05
"""More than one step of a turbo frequency, 0.1 GHz, on any core that is faster than 2 GHz."""
_EFFECTIVE = 128
"""What a sample has to be worth in independent values (the rule `precision`)."""
_CORRELATED = 5.0
"""τ from which the interval is more than twice as wide as independence would give."""


def examine(sample: Sample) -> tuple[Caution, ...]:
    """All cautions that hold for a sample, in the order of the enumeration."""
    x = _of(sample)
    found = {*_stopped(sample, x), *_disturbed(sample), *_values(x), *_clock(sample)}
    if _preempted(sample, x):
        found.add(Caution.PREEMPTED)
        if Caution.TWO_MODES in found and _explains(_interrupted(sample), x):
            found.discard(Caution.TWO_MODES)
    return tuple(caution for caution in Caution if caution in found)


def _of(sample: Sample) -> Floats:
    if sample.values is not None:
        return np.asarray(sample.values)
    seconds: Floats = np.asarray(sample.ticks) / (sample.hz * sample.batch)
    return seconds


def _stopped(sample: Sample, x: Floats) -> Iterator[Caution]:
    """Of too few repetitions nothing else is to be said."""
    reached = sample.stop.half_width
    wide = reached is None or reached > _NARROW
    if sample.stop.criterion == "time limit" and wide and np.isfinite(x).sum() >= _INTERVAL:
        yield Caution.TIME_LIMIT
    if sample.stop.criterion == "not reproducible":
        yield Caution.NOT_REPRODUCIBLE


def _values(x: Floats) -> Iterator[Caution]:
    """What the distribution and the order of the values tell; one cause is named once.

    A step or a grid looks like two modes, and a second mode like noise, so each hides what
    follows from it.
    """
    if np.isfinite(x).sum() < _INTERVAL:
        yield Caution.FEW_REPETITIONS
    tau = autocorrelation_time(x)
    if tau > _CORRELATED and len(x) / tau < _EFFECTIVE:
        yield Caution.AUTOCORRELATED
    moved = _moved(x)
    if moved:
        yield moved[0]
    if quantised(x):
        yield Caution.QUANTISED
    elif two_modes(x) and (not moved or _jumps(x, moved[1])):
        yield Caution.TWO_MODES
    elif noisy(x):
        yield Caution.NOISY


def _moved(x: Floats) -> tuple[Caution, int] | None:
    """Whether the values moved once or steadily, and where that parts them in two."""
    if changed := step(x):
        return Caution.STEP, changed.index
    return (Caution.DRIFTING, len(x) // 2) if drift(x) else None


def _jumps(x: Floats, index: int) -> bool:
    """Whether both parts have two modes of their own: then it isn't the move that shows."""
    return two_modes(x[:index]) is not None and two_modes(x[index:]) is not None


def _interrupted(sample: Sample) -> npt.NDArray[np.bool_]:
    hit: npt.NDArray[np.bool_] = np.asarray(sample.preempted) != 0
    return hit


def _preempted(sample: Sample, x: Floats) -> bool:
    """Whether preemption hit many repetitions that are short, and made them slower."""
    hit = _interrupted(sample)
    if not len(x) or hit.mean() <= _PREEMPTED_SHARE:
        return False
    if np.median(sample.ticks) >= _PREEMPTED_BELOW * sample.hz:
        return False
    ticks = np.asarray(sample.ticks)
    return bool(hit.all() or np.median(ticks[hit]) > (1 + _SLOWED) * np.median(ticks[~hit]))


def _explains(hit: npt.NDArray[np.bool_], x: Floats) -> bool:
    """Whether what parts two modes is that one was preempted: neither part has two of its own."""
    rest = x[~hit]
    return len(rest) >= _TELLING and not (two_modes(rest) or two_modes(x[hit]))


def _disturbed(sample: Sample) -> Iterator[Caution]:
    cores = np.asarray(sample.core)
    if len(set(cores[cores >= 0].tolist())) > 1:
        yield Caution.MIGRATED
    if sample.core_hz is not None:
        before, after = sample.core_hz
        if abs(after - before) > _THROTTLED * before:
            yield Caution.THROTTLED


def _clock(sample: Sample) -> Iterator[Caution]:
    """The clock's step is the largest that all its instants are multiples of."""
    if sample.values is not None or len(sample.ticks) < _FEWEST:
        return
    if np.median(sample.ticks) < _CLOCK_STEPS * _step_of(sample.started, sample.ticks):
        yield Caution.COARSE_CLOCK


def _step_of(started: Integers, ticks: Integers) -> int:
    instants: Ticks = np.concatenate([np.diff(np.asarray(started)), np.asarray(ticks)])
    return int(np.gcd.reduce(instants))
