"""The integrated autocorrelation time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapes import ONE_MODE, correlated
from stend.statistics import autocorrelation_time


def arcsine_tau(phi: float) -> float:
    """τ of the sign of a Gaussian AR(1): its autocorrelation is (2/π) arcsin φ^k (Rice 1944)."""
    return float(1 + 2 * (2 / np.pi) * np.arcsin(phi ** np.arange(1, 5000)).sum())


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.8, 0.95])
def test_of_a_gaussian_ar1_series_it_is_the_arcsine_law(phi):
    random = np.random.default_rng(1)
    found = [autocorrelation_time(correlated(random, 16384, phi, 1.0)) for _ in range(20)]
    assert np.mean(found) == pytest.approx(arcsine_tau(phi), rel=0.1)


@pytest.mark.parametrize("shape", ONE_MODE)
def test_of_independent_repetitions_it_is_one(shape):
    random = np.random.default_rng(2)
    found = [autocorrelation_time(shape(random, 4000)) for _ in range(20)]
    assert np.mean(found) == pytest.approx(1.0, abs=0.05)


def test_alternating_values_are_not_worth_more_than_they_are():
    assert autocorrelation_time([1.0, 2.0] * 500) == 1.0


@pytest.mark.parametrize("x", [[], [1.0], [1.0] * 500, [0.0] * 500, [float("nan")] * 500])
def test_without_variation_it_is_one(x):
    assert autocorrelation_time(x) == 1.0


@given(st.integers(32, 400), st.integers(0, 2**32 - 1), st.floats(0.01, 100))
def test_it_does_not_depend_on_scale_and_place(n, seed, factor):
    x = correlated(np.random.default_rng(seed), n, 0.7, 1.0)
    assert autocorrelation_time(factor * x + 5) == pytest.approx(autocorrelation_time(x))
    assert 1 <= autocorrelation_time(x) <= 2 * n
