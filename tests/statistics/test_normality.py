"""The criteria of the rounds rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from shapes import bimodal, log_normal, normal
from stend.statistics import interval_normal, pearson_normal, tight


def test_the_p_value_is_scipys_on_the_same_cells():
    x = np.random.default_rng(1).normal(10, 2, 2000)
    cells = max(5, round(1 + np.log2(len(x))))
    seen, edges = np.histogram(x, bins=cells)
    chance = np.diff(stats.norm.cdf(np.r_[-np.inf, edges[1:-1], np.inf], x.mean(), x.std(ddof=1)))
    kept = np.flatnonzero(np.cumsum(len(x) * chance) >= 5)[0], len(x) * chance[::-1]
    last = cells - np.flatnonzero(np.cumsum(kept[1]) >= 5)[0]
    starts = [0, *range(kept[0] + 1, last)]
    seen, expected = (np.add.reduceat(a, starts) for a in (seen, len(x) * chance))
    assert pearson_normal(x) == pytest.approx(stats.chisquare(seen, expected, ddof=2).pvalue)


def test_normal_samples_are_rejected_as_often_as_the_level_says():
    random = np.random.default_rng(2)
    rejected = np.mean([pearson_normal(normal(random, 500)) <= 0.05 for _ in range(1000)])
    assert 0.03 <= rejected <= 0.08


def test_two_modes_and_a_skewed_sample_are_rejected_when_there_are_enough_values():
    random = np.random.default_rng(3)
    assert pearson_normal(bimodal(random, 500)) < 1e-6
    assert pearson_normal(log_normal(random, 16384)) < 1e-3


@pytest.mark.parametrize("x", [[], [1.0], [1.0] * 100, [0.0] * 64, list(range(8))])
def test_without_a_degree_of_freedom_there_is_no_answer(x):
    assert pearson_normal(x) is None
    assert interval_normal(x) is None


def test_the_interval_leaves_out_what_lies_far_away():
    random = np.random.default_rng(4)
    passed = 0
    for _ in range(100):
        x = np.concatenate([normal(random, 58), 2 + random.random(6)])
        assert (pearson_normal(x) or 0) <= 0.05
        passed += (interval_normal(x) or 0) > 0.05
    assert passed > 70


def test_the_interval_is_never_normal_when_there_are_thousands():
    random = np.random.default_rng(5)
    assert all((interval_normal(normal(random, 2048)) or 0) < 0.05 for _ in range(30))


@pytest.mark.parametrize(
    ("x", "expected"),
    [([], False), ([5.0], True), ([0.991, 1.01], True), ([0.98, 1.01], False), ([0.0] * 9, True)],
)
def test_tight_is_a_range_within_two_percent_of_the_mean(x, expected):
    assert tight(x) is expected


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 10))
def test_the_p_value_does_not_depend_on_scale_and_order(seed, factor):
    random = np.random.default_rng(seed)
    x = random.integers(0, 1000, 200).astype(float)
    p = pearson_normal(x)
    assert pearson_normal(random.permutation(x)) == pytest.approx(p)
    assert pearson_normal(4 * x) == pytest.approx(p)
    assert tight(factor * x) == tight(x)
