"""Where a series of runs changed its level: planted changes are found, chance is not."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.statistics import FEWEST_RUNS, Floats, change_points, likeness, steadily


def gauss(seed: int, n: int) -> Floats:
    return np.random.default_rng([seed, n]).standard_normal(n)


def alike(seed: int, n: int) -> Floats:
    """An AR(1) process of φ = 0.3 and variance 1."""
    x = gauss(seed, n)
    for i in range(1, n):
        x[i] = 0.3 * x[i - 1] + np.sqrt(1 - 0.3**2) * x[i]
    return x


def heavy(seed: int, n: int) -> Floats:
    return np.random.default_rng([seed, n]).standard_t(2, n)


def two_levels(seed: int, n: int) -> Floats:
    """Runs that fall on one of two levels, at random."""
    return gauss(seed, n) + 8 * (np.random.default_rng([seed, n, 1]).random(n) < 0.3)


def found(values: Floats) -> list[int]:
    return [point.index for point in change_points(values)]


@pytest.mark.parametrize("kind", [gauss, alike, heavy, two_levels])
def test_chance_is_rarely_a_change(kind: Callable[[int, int], Floats]) -> None:
    """At most 1% by simulation (peers/measuring): of 150, six or more would be a chance of 0.3%."""
    alarms = sum(bool(found(kind(seed, n))) for seed in range(50) for n in (12, 25, 60))
    assert alarms <= 5


@pytest.mark.parametrize(("before", "after"), [(15, 5), (20, 10), (40, 6), (6, 30)])
def test_a_change_of_five_deviations_is_found_in_its_place(before: int, after: int) -> None:
    near = 0
    for seed in range(20):
        x = gauss(seed, before + after)
        x[before:] += 5
        near += [abs(i - before) <= 1 for i in found(x)] == [True]
    assert near >= 18


@pytest.mark.parametrize("shape", [(5, 10), (5, 0), (-5, 5)])
def test_two_changes_are_both_found(shape: tuple[float, float]) -> None:
    both = 0
    for seed in range(20):
        x = gauss(seed, 60)
        x[20:40] += shape[0]
        x[40:] += shape[1]
        places = found(x)
        both += len(places) == 2 and abs(places[0] - 20) <= 2 and abs(places[1] - 40) <= 2
    assert both >= 17


def test_a_short_stretch_that_was_taken_back_is_found() -> None:
    x = gauss(3, 80)
    x[50:55] += 7
    assert found(x) == [50, 55]


def test_a_single_outlier_is_no_change() -> None:
    x = gauss(4, 30)
    x[17] += 50
    assert found(x) == []


def test_a_change_is_found_beside_an_outlier() -> None:
    x = gauss(5, 40)
    x[20:] += 5
    x[7] += 500
    assert found(x) == [20]


def test_few_values_and_equal_ones_have_no_change() -> None:
    assert found(np.array([0.0] * 4 + [9.0] * (FEWEST_RUNS - 5))) == []
    assert found(np.ones(50)) == []
    assert found(np.array([])) == []


def test_two_exact_levels_are_one_change() -> None:
    assert found(np.repeat([1.0, 2.0], 10)) == [10]


@given(st.integers(0, 50), st.floats(0.01, 100), st.floats(-100, 100))
def test_neither_unit_nor_origin_matter(seed: int, factor: float, shift: float) -> None:
    x = gauss(seed, 24)
    x[15:] += 6
    assert found(x * factor + shift) == found(x)


def test_a_thousand_runs_have_their_changes_found() -> None:
    x = gauss(6, 1000)
    x[300:] += 2
    x[700:] -= 3
    assert [abs(i - j) <= 3 for i, j in zip(found(x), (300, 700), strict=True)] == [True, True]


def test_a_drift_fits_better_than_steps_and_a_step_better_than_a_drift() -> None:
    times = np.arange(60.0)
    drifting = gauss(7, 60) + times / 6
    by = steadily(drifting, times, change_points(drifting))
    assert by is not None
    assert 8 < by < 12
    stepped = gauss(7, 60) + 5 * (times >= 25)
    assert steadily(stepped, times, change_points(stepped)) is None
    assert steadily(gauss(7, 60), times, ()) is None


def test_likeness_is_of_what_the_levels_leave() -> None:
    """By Marriott and Pope's correction the estimate has no bias to speak of."""
    mean = np.mean([likeness(alike(seed, 100), []) for seed in range(100)])
    assert abs(mean - 0.3) < 0.03
    x = gauss(8, 200)
    x[100:] += 50
    assert likeness(x, []) > 0.9
    assert likeness(x, [100]) < 0.2
    assert likeness(np.ones(10), []) == 0
