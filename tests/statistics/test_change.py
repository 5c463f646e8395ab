"""Drift and step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from shapes import ONE_MODE, bimodal, correlated, drifting, stepping
from stend.statistics import drift, step
from stend.statistics.change import _kruskal_wallis, _midranks

SIZES = [128, 1000, 5000]


@pytest.mark.parametrize("n", SIZES)
def test_a_steady_change_is_a_drift_and_no_step(n):
    random = np.random.default_rng(n)
    for _ in range(20):
        x = drifting(random, n)
        assert drift(x) is not None
        assert step(x) is None


def test_the_span_of_a_drift_is_that_of_its_quarters():
    found = drift(drifting(np.random.default_rng(1), 5000))
    assert found is not None
    assert found.span == pytest.approx(0.075 / 1.05, rel=0.05)


@pytest.mark.parametrize("n", SIZES)
def test_a_step_is_found_where_it_was(n):
    random = np.random.default_rng(n)
    for _ in range(20):
        found = step(stepping(random, n))
        assert found is not None
        assert abs(found.index - n // 3) <= 20
        assert found.before == pytest.approx(1.0, abs=0.01)
        assert found.after == pytest.approx(1.05, abs=0.01)


@pytest.mark.parametrize("shape", [*ONE_MODE, bimodal])
@pytest.mark.parametrize("n", [200, 2500])
def test_a_stationary_sample_has_neither(shape, n):
    random = np.random.default_rng(n)
    found = [drift(x) or step(x) for x in (shape(random, n) for _ in range(200))]
    assert sum(f is not None for f in found) <= 2


def test_slow_noise_is_seldom_taken_for_a_drift():
    random = np.random.default_rng(6)
    found = [
        drift(x) or step(x) for x in (1 + correlated(random, 3000, 0.9, 0.05) for _ in range(150))
    ]
    assert sum(f is not None for f in found) <= 9


def test_a_change_smaller_than_what_matters_is_not_reported():
    x = 1 + 1e-6 * np.arange(5000)
    assert drift(x) is None
    assert step(1 + 0.005 * (np.arange(5000) > 2000)) is None


@pytest.mark.parametrize("x", [[], [1.0] * 500, [0.0] * 500, [1.0, 2.0], [float("nan")] * 99])
def test_without_enough_there_is_no_change(x):
    assert drift(x) is None
    assert step(x) is None


def test_the_statistic_is_scipys_with_ties_too():
    x = np.random.default_rng(7).integers(0, 9, 400).astype(float)
    parts = np.array_split(np.arange(400), 4)
    expected = stats.kruskal(*(x[p] for p in parts)).statistic
    assert _kruskal_wallis(_midranks(x), parts) == pytest.approx(expected)
    assert _midranks(x) + 200.5 == pytest.approx(stats.rankdata(x))


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 100))
def test_a_change_is_found_at_any_scale(seed, factor):
    x = stepping(np.random.default_rng(seed), 300)
    found, scaled = step(x), step(factor * x)
    assert found is not None
    assert scaled is not None
    assert scaled.index == found.index
    assert scaled.after == pytest.approx(factor * found.after)
