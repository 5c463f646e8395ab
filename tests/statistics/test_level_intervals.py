"""Intervals of the levels of a series of runs and of the steps between them."""

import numpy as np
import pytest

from stend.statistics import Floats, levels, steps


def alike(seed: int, n: int, likeness: float) -> Floats:
    """An AR(1) process of variance 1."""
    x = np.random.default_rng([seed, n]).standard_normal(n)
    for i in range(1, n):
        x[i] = likeness * x[i - 1] + np.sqrt(1 - likeness**2) * x[i]
    return x


@pytest.mark.parametrize("likeness", [0.0, 0.3, 0.6])
def test_intervals_hold_what_is_true_though_runs_are_alike(likeness: float) -> None:
    """At least 94% by simulation (peers/measuring): of 400, 364 or less is a chance of 1%."""
    held = []
    for seed in range(200):
        x = alike(seed, 40, likeness)
        x[20:] += 5
        of_levels, of_steps = levels(x, [20], 0.95), steps(x, [20], 0.95)
        true = [*zip(of_levels, (0, 5), strict=True), (of_steps[0], 5)]
        held += [one.low < value < one.high for one, value in true if one.low and one.high]
    assert len(held) == 600
    assert np.mean(held) > 0.93


def test_alike_runs_tell_less() -> None:
    def width(likeness: float) -> float:
        found = [levels(alike(seed, 50, likeness), [], 0.95)[0] for seed in range(30)]
        return float(np.median([f.high - f.low for f in found if f.high and f.low]))

    assert width(0.6) > 1.5 * width(0.0)


def test_two_runs_have_a_level_and_no_interval() -> None:
    x = np.array([1.0, 1.1, 0.9, 1.0, 5.0, 5.2])
    assert [one.low is None for one in levels(x, [4], 0.95)] == [False, True]
    (step,) = steps(x, [4], 0.95)
    assert step.value == pytest.approx(4.1)
    assert step.low is None


def test_an_interval_of_few_runs_goes_with_the_level_whatever_the_unit_is() -> None:
    """Times of just above 1 s have logarithms of just above 0, and in ms large ones."""
    seconds = np.array([0.001, 0.02, 0.01, 0.015])
    (low,), (high,) = (levels(x, [], 0.95) for x in (seconds, seconds + np.log(1000)))
    assert low.low is not None
    assert low.high is not None
    assert high.low == pytest.approx(low.low + np.log(1000))
    assert high.high == pytest.approx(low.high + np.log(1000))
