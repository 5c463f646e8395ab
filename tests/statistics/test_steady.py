"""Steady state over five rounds, on series whose answers are known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.statistics import Steadiness, steadiness

NOTHING = Steadiness(reached=False, spread=None, excursion=None)


def test_equal_rounds_are_steady():
    assert steadiness([7.0] * 5) == Steadiness(reached=True, spread=0.0, excursion=0.0)


@pytest.mark.parametrize(("share", "reached"), [(0.099, True), (0.1, True), (0.101, False)])
@pytest.mark.parametrize("way", [1, -1])
def test_a_drift_is_steady_up_to_a_tenth_of_the_mean(share, reached, way):
    found = steadiness([1000 * (1 + way * share * (k - 2) / 4) for k in range(5)])
    assert found.reached is reached
    assert found.spread == pytest.approx(share)
    assert found.excursion == pytest.approx(share)


@pytest.mark.parametrize(("share", "reached"), [(0.199, True), (0.2, True), (0.201, False)])
def test_one_round_in_the_middle_may_stand_out_by_a_fifth_of_the_mean(share, reached):
    height = 5 * share / (5 - share)  # so that height / mean is the share
    found = steadiness([1.0, 1.0, 1 + height, 1.0, 1.0])
    assert found.reached is reached
    assert found.spread == pytest.approx(share)
    assert found.excursion == pytest.approx(0)


def test_a_step_within_the_range_is_found_by_its_slope():
    found = steadiness([90.0, 90.0, 100.0, 110.0, 110.0])
    assert not found.reached
    assert found.spread == pytest.approx(0.2)
    assert found.excursion == pytest.approx(0.24)  # slope (−2·90 − 90 + 110 + 2·110) / 10 = 6


def test_a_saw_of_less_than_a_fifth_is_steady():
    found = steadiness([95.0, 105.0, 95.0, 105.0, 95.0])
    assert found.reached
    assert found.spread == pytest.approx(10 / 99)
    assert found.excursion == pytest.approx(0)


def test_only_the_last_five_count():
    assert steadiness([1.0, 500.0, 7.0, 7.0, 7.0, 7.0, 7.0]).reached
    assert not steadiness([7.0, 7.0, 7.0, 7.0, 7.0, 500.0]).reached


@pytest.mark.parametrize(
    "values",
    [
        [],
        [5.0] * 4,
        [0.0] * 5,
        [1.0, 1.0, math.nan, 1.0, 1.0],
        [1.0, 1.0, 1.0, 1.0, math.inf],
    ],
)
def test_without_five_values_nothing_is_said(values):
    assert steadiness(values) == NOTHING


@given(st.lists(st.floats(1e-3, 1e9), min_size=5, max_size=9))
def test_the_excursion_is_that_of_numpys_line(values):
    window = np.array(values[-5:])
    line = np.polyval(np.polyfit(np.arange(5), window, 1), np.arange(5))
    found = steadiness(values)
    assert found.excursion == pytest.approx(np.ptp(line) / window.mean(), rel=1e-6, abs=1e-9)
    assert found.spread == pytest.approx(np.ptp(window) / window.mean())


@given(st.lists(st.floats(1.0, 1e6), min_size=5, max_size=5), st.floats(1e-3, 1e3))
def test_the_unit_does_not_matter(values, factor):
    once, scaled = steadiness(values), steadiness([factor * v for v in values])
    assert scaled.spread == pytest.approx(once.spread)
    assert scaled.excursion == pytest.approx(once.excursion, abs=1e-9)
