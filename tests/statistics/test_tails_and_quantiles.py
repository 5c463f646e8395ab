"""The distributions against SciPy's, printed tables and what is not a number."""

import numpy as np
import pytest

from stend.statistics.distributions import (
    chi_squared_tail,
    f_tail,
    normal_cdf,
    student_cdf,
    student_quantile,
)

FREEDOMS = np.array([1, 1.5, 2, 3, 4.7, 10, 31, 100, 1234.5, 1e5])
special = pytest.importorskip("scipy.special")


def test_the_normal_distribution_agrees_with_scipy_into_its_tails():
    x = np.linspace(-37, 9, 461)
    assert normal_cdf(x) == pytest.approx(special.ndtr(x), rel=1e-13)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_students_distribution_agrees_with_scipy_into_its_tails(freedom):
    t = np.concatenate([-np.logspace(2, -5, 45), [0.0], np.logspace(-5, 2, 45)])
    expected = special.stdtr(freedom, t)
    kept = expected > 1e-290
    assert student_cdf(freedom, t)[kept] == pytest.approx(expected[kept], rel=1e-9)


@pytest.mark.parametrize("share", [0.5, 0.6, 0.9, 0.975, 0.995, 0.9999, 0.99999])
def test_students_quantiles_agree_with_scipy(share):
    assert student_quantile(FREEDOMS, share) == pytest.approx(
        special.stdtrit(FREEDOMS, share), rel=1e-10, abs=1e-12
    )


def test_students_quantiles_are_those_of_printed_tables():
    """Fisher and Yates 1963, table III."""
    table = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    found = student_quantile(np.array(list(table)), 0.975)
    assert [round(float(t), 3) for t in found] == list(table.values())


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 12, 61, 200])
def test_chi_squared_agrees_with_scipy(freedom):
    for x in (0.0, 1e-9, 0.1, 1.0, 3.84, 20.0, 100.0, 900.0):
        expected = special.chdtrc(freedom, x)
        assert chi_squared_tail(freedom, x) == pytest.approx(expected, rel=1e-11)


def test_fishers_distribution_agrees_with_scipy():
    for above in (1, 2.5, 9, 40):
        for below in (1, 6.5, 12, 300):
            for x in (0.0, 0.01, 0.9, 1.0, 3.3, 50.0, 4000.0):
                expected = special.fdtrc(above, below, x)
                assert f_tail(above, below, x) == pytest.approx(expected, rel=1e-10)


def test_a_figure_that_is_not_a_number_gives_none_and_ends():
    assert np.isnan(student_cdf([3, 3, 0], [np.nan, 0, 0])).tolist() == [True, False, True]
    assert np.isnan(student_quantile([np.nan, 3, 0], 0.9)).tolist() == [True, False, True]
