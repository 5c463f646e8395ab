"""Ratios from pairs and from two sets of process medians, and Holm's correction."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stend.statistics import holm, paired, unpaired
from stend.statistics.ranks import _rank_sum_tail, _signed_rank_tail

CONFIDENCES = [0.9, 0.95, 0.99]
ratios = st.lists(st.integers(-200, 200).map(lambda i: i / 1000), min_size=1, max_size=30)
times = st.lists(st.floats(0.5, 2.0), min_size=1, max_size=12)


@pytest.mark.parametrize("n", [1, 5, 8, 20, 60])
def test_the_p_value_of_pairs_is_wilcoxons_exact_one(n):
    x = np.random.default_rng(n).normal(0.01, 0.02, n)
    found = paired(x)
    if found.p is not None:
        assert found.p == pytest.approx(stats.wilcoxon(x, method="exact").pvalue)


@pytest.mark.parametrize(("m", "n"), [(5, 5), (8, 6), (20, 30), (40, 40)])
def test_the_p_value_of_two_sets_is_mann_and_whitneys(m, n):
    random = np.random.default_rng(m)
    a, b = np.exp(random.normal(0, 0.1, m)), np.exp(random.normal(0.05, 0.1, n))
    method = "exact" if m + n <= 60 else "asymptotic"
    expected = stats.mannwhitneyu(b, a, method=method).pvalue
    assert unpaired(a, b).p == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_the_signed_rank_distribution_is_that_of_all_signs(n):
    sums = [sum(s) for s in itertools.product(*((0, rank) for rank in range(1, n + 1)))]
    expected = np.cumsum(np.bincount(sums)) / 2**n
    assert _signed_rank_tail(n) == pytest.approx(expected)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 5), (5, 2), (4, 4), (6, 5)])
def test_the_rank_sum_distribution_is_that_of_all_orders(m, n):
    ranks = itertools.combinations(range(m + n), m)
    counts = np.bincount([sum(r) - m * (m - 1) // 2 for r in ranks], minlength=m * n + 1)
    assert _rank_sum_tail(m, n) == pytest.approx(np.cumsum(counts) / counts.sum())


def test_where_the_exact_distributions_end_the_normal_ones_go_on():
    for exact, normal in (
        (_signed_rank_tail(100), _signed_rank_tail(101)),
        (_rank_sum_tail(30, 30), _rank_sum_tail(30, 31)),
    ):
        places = [int(np.searchsorted(t, 0.005)) / len(t) for t in (exact, normal)]
        assert places[0] == pytest.approx(places[1], rel=0.01)


def test_the_worked_example_of_hollander_and_wolfe():
    # Hamilton depression scale factor IV, table 3.1 of "Nonparametric Statistical Methods":
    # the estimate is -0.46 and the 96% interval (-0.786, -0.010).
    before = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    after = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    found = paired(after - before, 0.9609375)
    assert np.log(found.value) == pytest.approx(-0.46)
    assert (np.log(found.low), np.log(found.high)) == pytest.approx((-0.786, -0.010))


@pytest.mark.parametrize(("confidence", "needed"), [(0.9, 5), (0.95, 6), (0.99, 8)])
def test_pairs_can_answer_from_as_many_on_as_the_reason_says(confidence, needed):
    few, enough = (paired([0.1] * n, confidence) for n in (needed - 1, needed))
    assert few.low is None
    assert f"takes {needed}" in few.reason
    assert enough.low == pytest.approx(np.exp(0.1))
    assert enough.reason == ""


def test_the_methods_for_two_sets_follow_their_sizes():
    random = np.random.default_rng(1)
    a, b = np.exp(random.normal(0, 0.01, 5)), np.exp(random.normal(0, 0.01, 5))
    assert unpaired(a, b).method == "rank sum"
    assert unpaired(a[:4], np.r_[b, b]).method == "rank sum"
    assert unpaired(a[:4], b).method == "Welch"
    assert unpaired(a[:2], b).low is None
    assert unpaired(a[:1], b[:1]).low is None
    assert "at least 3" in unpaired(a[:1], b[:1]).reason


def test_three_against_three_is_welchs_interval_on_logarithms():
    a, b = np.array([1.0, 1.01, 0.99]), np.array([1.1, 1.12, 1.09])
    expected = stats.ttest_ind(np.log(b), np.log(a), equal_var=False)
    low, high = expected.confidence_interval(0.99)
    found = unpaired(a, b)
    assert (found.low, found.high) == pytest.approx((np.exp(low), np.exp(high)))
    assert found.p == pytest.approx(expected.pvalue)


def test_what_agrees_to_the_last_digit_is_equal_or_unknown():
    assert unpaired([2.0] * 3, [2.0] * 3).low == 1.0
    different = unpaired([2.0] * 3, [2.2] * 3)
    assert different.value == pytest.approx(1.1)
    assert different.low is None
    assert unpaired([2.0] * 5, [2.2] * 5).low == pytest.approx(1.1)


@pytest.mark.parametrize(
    ("a", "b"), [([], [1.0]), ([1.0], []), ([0.0, 1, 2], [1.0, 2, 3]), ([float("nan")], [1.0])]
)
def test_what_has_no_ratio_says_so(a, b):
    found = unpaired(a, b)
    assert (found.value, found.low, found.p) == (None, None, None)
    assert found.reason
    assert paired([float("nan")]).value is None


@pytest.mark.parametrize("n", [3, 5, 10])
def test_equal_things_are_called_different_as_seldom_as_the_confidence_says(n):
    random = np.random.default_rng(n)
    sets = np.exp(random.normal(0, 0.01, (1500, 2, n)))
    found = [unpaired(a, b) for a, b in sets]
    assert np.mean([not f.low <= 1 <= f.high for f in found]) <= 0.017


def test_the_interval_covers_the_true_ratio_of_pairs():
    random = np.random.default_rng(9)
    for confidence in CONFIDENCES:
        found = [paired(random.normal(0.02, 0.01, 15), confidence) for _ in range(500)]
        covered = np.mean([f.low <= np.exp(0.02) <= f.high for f in found])
        assert covered >= confidence - 0.02


@given(ratios, st.sampled_from(CONFIDENCES))
def test_turning_the_pairs_around_turns_the_answer_around(x, confidence):
    found, turned = paired(x, confidence), paired([-v for v in x], confidence)
    assert turned.value == pytest.approx(1 / found.value)
    assert turned.p == (None if found.p is None else pytest.approx(found.p))
    if found.low is not None:
        assert (turned.low, turned.high) == pytest.approx((1 / found.high, 1 / found.low))
        assert found.low <= found.value <= found.high
        assert (found.p <= 1 - confidence + 1e-9) == (not found.low <= 1 <= found.high)


@given(times, times, st.floats(0.1, 10))
def test_the_ratio_follows_the_scale_and_turns_around(a, b, factor):
    found = unpaired(a, b)
    scaled, turned = unpaired(a, [factor * v for v in b]), unpaired(b, a)
    assert scaled.value == pytest.approx(factor * found.value)
    assert turned.value == pytest.approx(1 / found.value)
    if found.low is not None and turned.low is not None:
        assert turned.high == pytest.approx(1 / found.low)
        assert found.low <= found.value <= found.high


def test_holm_is_the_published_procedure():
    # Holm 1979's procedure on the example of Wright 1992, table 1.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([None, 0.04, None]) == [None, 0.04, None]


@given(st.lists(st.none() | st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order_and_never_lowers(p):
    adjusted = holm(p)
    pairs = sorted((a, b) for a, b in zip(p, adjusted, strict=True) if a is not None)
    assert [b for _, b in pairs] == sorted(b for _, b in pairs)
    assert all(a <= b <= 1 for a, b in pairs)
