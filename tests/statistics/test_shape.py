"""Two modes, a grid of values, a heavy upper side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapes import ONE_MODE, bimodal, correlated, normal, spiky
from stend.statistics import noisy, quantised, two_modes


@pytest.mark.parametrize("n", [128, 2500])
@pytest.mark.parametrize(("weight", "distance"), [(0.5, 0.1), (0.15, 0.3), (0.3, 0.03)])
def test_two_modes_are_found_with_their_places_and_weights(n, weight, distance):
    random = np.random.default_rng(1)
    for _ in range(30):
        found = two_modes(bimodal(random, n, weight, distance))
        assert found is not None
        low, high = found
        assert (low.value, high.value) == pytest.approx((1, 1 + distance), abs=0.004)
        assert high.weight == pytest.approx(weight, abs=4 * np.sqrt(weight / n))
        assert low.weight + high.weight == pytest.approx(1)


def test_spikes_do_not_hide_two_modes():
    random = np.random.default_rng(2)
    found = [two_modes(spiky(random, 1000) + 0.1 * (random.random(1000) < 0.3)) for _ in range(50)]
    assert all(found)


@pytest.mark.parametrize("n", [128, 2500])
@pytest.mark.parametrize("shape", ONE_MODE)
def test_one_mode_is_not_taken_for_two(shape, n):
    random = np.random.default_rng(3)
    assert sum(two_modes(shape(random, n)) is not None for _ in range(300)) <= 3


def test_slow_noise_and_an_even_spread_are_not_two_modes():
    random = np.random.default_rng(4)
    assert not any(two_modes(1 + correlated(random, 2500, 0.9, 0.05)) for _ in range(50))
    assert not any(two_modes(1 + 0.1 * random.random(128)) for _ in range(200))


@pytest.mark.parametrize("f", [two_modes, quantised, noisy])
@pytest.mark.parametrize(
    "x", [[], [1.0], [1.0] * 500, [0.0] * 500, [1.0, 2.0] * 8, [float("nan")] * 99]
)
def test_too_little_and_constants_have_no_shape(f, x):
    assert not f(x)


def test_a_grid_is_seen_when_it_is_coarse_and_only_then():
    x = normal(np.random.default_rng(5), 1000, 0.02)
    assert quantised(np.round(x / 0.05) * 0.05)
    assert quantised(np.round(x / 0.006) * 0.006)
    assert not quantised(np.round(x / 0.0001) * 0.0001)
    assert not quantised(x)


def test_many_disturbed_repetitions_are_noise_and_few_are_not():
    random = np.random.default_rng(6)
    x = normal(random, 2000, 0.01)
    assert not noisy(x)
    assert not noisy(spiky(random, 2000))
    assert noisy(x + np.where(random.random(2000) < 0.1, 1.0, 0.0))


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 100))
def test_the_shape_does_not_depend_on_scale_and_order(seed, factor):
    random = np.random.default_rng(seed)
    x = bimodal(random, 100, random.random(), 0.1)
    found, again = two_modes(x), two_modes(factor * random.permutation(x))
    assert (found is None) == (again is None)
    if found and again:
        assert [m.value for m in again] == pytest.approx([factor * m.value for m in found])
        assert [m.weight for m in again] == [m.weight for m in found]
    assert noisy(factor * x) == noisy(x)
