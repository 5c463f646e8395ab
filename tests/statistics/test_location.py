"""The median's interval and the location over processes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from shapes import ONE_MODE, correlated
from stend.statistics import median_interval, over_processes
from stend.statistics.location import _lower_tail

numbers = st.lists(st.floats(0.5, 2.0), min_size=1, max_size=80)


@pytest.mark.parametrize(
    ("n", "low", "high"),
    # 95% ranks of Le Boudec 2010, appendix A, table for the median.
    [(6, 1, 6), (10, 2, 9), (20, 6, 15), (30, 10, 21), (50, 18, 33), (70, 27, 44)],
)
def test_the_ranks_are_those_of_the_published_table(n, low, high):
    found = median_interval(np.arange(1, n + 1), tau=1.0)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize("n", [6, 7, 31, 128, 1001, 16384])
def test_the_interval_is_the_narrowest_that_the_binomial_distribution_allows(n):
    low = int(median_interval(np.arange(n), tau=1.0).low)
    assert stats.binom.cdf(low, n, 0.5) <= 0.025
    assert stats.binom.cdf(low + 1, n, 0.5) > 0.025


@pytest.mark.parametrize("shape", ONE_MODE)
def test_the_interval_covers_the_true_median_as_often_as_it_says(shape):
    random = np.random.default_rng(1)
    true = np.median(shape(random, 1_000_000))
    found = [median_interval(shape(random, 200)) for _ in range(600)]
    covered = np.mean([f.low <= true <= f.high for f in found])
    assert 0.93 <= covered <= 0.985


def test_autocorrelation_widens_the_interval_by_the_root_of_tau():
    x = np.arange(1001.0)
    one, four = median_interval(x, tau=1.0), median_interval(x, tau=4.0)
    assert four.high - four.low == pytest.approx(2 * (one.high - one.low), abs=2)
    assert four.effective == 1001 / 4


def test_an_autocorrelated_sample_is_covered_where_independence_would_not_be():
    random = np.random.default_rng(2)
    widened, naive = [], []
    for _ in range(150):
        x = 1 + correlated(random, 3000, 0.9, 0.03)
        for found, tau in ((widened, None), (naive, 1.0)):
            interval = median_interval(x, tau=tau)
            found.append(interval.low <= 1 <= interval.high)
    assert np.mean(widened) >= 0.9
    assert np.mean(naive) < 0.6


@pytest.mark.parametrize("n", range(6))
def test_five_values_have_a_median_but_no_interval_at_95_percent(n):
    found = median_interval(np.arange(n))
    assert found.low is None
    assert found.high is None
    assert found.half_width is None
    assert found.reason
    assert found.value == (np.median(np.arange(n)) if n else None)


def test_what_is_not_finite_is_no_value():
    x = [1.0, float("nan"), 2.0, float("inf"), 3.0]
    assert median_interval(x).value == 2.0
    assert median_interval([float("nan")]).value is None


def test_around_zero_there_is_no_relative_half_width():
    found = median_interval([-1.0, 0.0, 1.0] * 20)
    assert (found.value, found.half_width) == (0.0, None)


@given(numbers, st.floats(0.1, 10), st.integers(0, 2**32 - 1))
def test_the_median_scales_shifts_and_forgets_the_order(values, factor, seed):
    x = np.array(values)
    found = median_interval(x, tau=1.0)
    scaled = median_interval(factor * x + 3, tau=1.0)
    shuffled = median_interval(np.random.default_rng(seed).permutation(x), tau=1.0)
    assert shuffled == found
    assert scaled.value == pytest.approx(factor * found.value + 3)
    if found.low is not None:
        assert scaled.low == pytest.approx(factor * found.low + 3)
        assert found.low <= found.value <= found.high


@pytest.mark.parametrize(("x", "said"), [([3.0], "1 process"), ([2.0, 4.0], "2 processes")])
def test_one_process_or_two_have_no_interval_and_say_why(x, said):
    found = over_processes(x)
    assert (found.value, found.low, found.high) == (3.0, None, None)
    assert f"{said} can't tell" in found.reason


@pytest.mark.parametrize("n", [3, 4, 5])
def test_three_to_five_processes_have_students_interval_on_logarithms(n):
    x = np.exp(np.random.default_rng(n).normal(0, 0.01, n))
    low, high = stats.t.interval(0.95, n - 1, np.log(x).mean(), stats.sem(np.log(x)))
    found = over_processes(x)
    assert (found.low, found.high) == pytest.approx((np.exp(low), np.exp(high)))
    assert found.value == np.median(x)


def test_few_processes_that_agree_to_the_last_digit_give_no_interval_of_no_width():
    assert over_processes([2.0, 2.0, 2.0]).low is None


def test_from_six_processes_on_the_interval_is_exact_whatever_their_distribution():
    random = np.random.default_rng(3)
    two_speeds = 1 + 0.1 * (random.random((2000, 9)) < 0.5) + random.normal(0, 0.001, (2000, 9))
    found = [over_processes(x) for x in two_speeds]
    assert np.mean([f.low <= 1.05 <= f.high for f in found]) >= 0.95


def test_values_that_are_not_positive_are_taken_as_they_are():
    x = [-0.2, 0.1, 0.3]
    low, high = stats.t.interval(0.95, 2, np.mean(x), stats.sem(x))
    assert (over_processes(x).low, over_processes(x).high) == pytest.approx((low, high))


def test_the_interval_of_a_share_stays_between_nothing_and_all_of_it():
    for x in ([0.003, 0.008, 0.2], [0.0, 0.0, 0.5], [0.9, 1.0, 1.0]):
        found = over_processes(x, share=True)
        assert 0 <= found.low <= found.value <= found.high <= 1
    assert over_processes([0.003, 0.008, 0.2]).high > 1


def test_shares_that_lie_close_together_have_students_interval_about_as_any_values():
    x = [0.0066, 0.0068, 0.0071]
    share, other = over_processes(x, share=True), over_processes(x)
    assert (share.low, share.high) == pytest.approx((other.low, other.high), rel=0.01)


@pytest.mark.parametrize("n", [1, 2, 3, 64, 65, 1000, 16384])
def test_the_binomial_chances_are_scipys(n):
    start, tail = _lower_tail(n)
    expected = stats.binom.cdf(np.arange(start, n // 2 + 1), n, 0.5)
    assert tail == pytest.approx(expected, rel=1e-9, abs=1e-14)
