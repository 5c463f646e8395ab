"""Tails and quantiles of the normal, χ², Student and F distributions.

They agree with `scipy.special` to 9 digits and more (tests/statistics/test_tails_and_quantiles.py),
so that the 143 MB of SciPy need not be installed for five functions, nor its import be waited for.
Student's and Fisher's are the regularised incomplete beta function, by its continued fraction
(NIST DLMF 8.17.22); χ² with whole degrees of freedom is a finite sum (DLMF 8.4.10 and 8.4.13).
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_TINY = 1e-300
"""Stands for a zero in the continued fraction (Lentz 1976)."""
_MOST_TERMS = 10_000


def normal_cdf(x: npt.ArrayLike) -> Floats:
    """P(X ≤ x) for a standard normal X, of each x."""
    return _vectorized(lambda one: math.erfc(-one / math.sqrt(2)) / 2, x)


def student_cdf(freedom: npt.ArrayLike, t: npt.ArrayLike) -> Floats:
    """P(T ≤ t) for Student's T with any positive degrees of freedom, of each pair."""
    return _vectorized(_student_cdf, freedom, t)


def student_quantile(freedom: npt.ArrayLike, share: float) -> Floats:
    """The t that Student's T is at most in a `share` of cases; 0.5 ≤ share < 1."""
    return _vectorized(lambda one: _student_quantile(float(one), share), freedom)


def chi_squared_tail(freedom: int, x: float) -> float:
    """P(X > x) for χ² with `freedom` ≥ 1 degrees of freedom, which are whole; x ≥ 0."""
    half = x / 2
    if half == 0:
        return 1.0
    odd = freedom % 2
    powers = [k + odd / 2 for k in range(freedom // 2)]
    terms = (math.exp(p * math.log(half) - half - math.lgamma(p + 1)) for p in powers)
    return odd * math.erfc(math.sqrt(half)) + sum(terms)


def f_tail(above: float, below: float, x: float) -> float:
    """P(X > x) for Fisher's F with `above` and `below` degrees of freedom; x ≥ 0."""
    whole = below + above * x
    return _incomplete_beta(below / 2, above / 2, below / whole, above * x / whole)


def _vectorized(function: Callable[..., float], *values: npt.ArrayLike) -> Floats:
    with np.errstate(invalid="ignore"):  # what is not a number stays so
        found: Floats = np.vectorize(function, otypes=[np.float64])(*values)
    return found


def _student_cdf(freedom: float, t: float) -> float:
    if not freedom > 0:
        return math.nan
    tail = _student_tail(freedom, abs(t))
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=1024)
def _student_quantile(freedom: float, share: float) -> float:
    """Newton's iteration from the normal distribution's quantile, which is never above Student's.

    The distribution function is concave there, so that each step comes closer from below.
    """
    if not freedom > 0:
        return math.nan
    t = NormalDist().inv_cdf(share)
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    scale = math.exp(log_scale) / math.sqrt(freedom * math.pi)
    step = math.inf
    while step > 1e-8 * (1 + t):  # the error after such a step is below 1e-15
        density = scale * math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))
        step = (_student_tail(freedom, t) - (1 - share)) / density
        t += step
    return t


def _student_tail(freedom: float, t: float) -> float:
    """P(T > t) for t ≥ 0."""
    square = t * t
    if math.isinf(square):
        return 0.0
    whole = freedom + square
    return _incomplete_beta(freedom / 2, 0.5, freedom / whole, square / whole) / 2


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """The regularised I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1; y is 1 - x, exact where x is near 1."""
    if math.isnan(a + b + x):
        return math.nan
    if x == 0 or y == 0:
        return 0.0 if x == 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other end converges faster
        return 1 - _incomplete_beta(b, a, y, x)
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return math.exp(a * math.log(x) + b * math.log(y) - log_beta) / a / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + …)) of DLMF 8.17.22, from the front (Lentz 1976)."""
    value, above, below = 1.0, 1.0, 0.0
    for n in range(1, _MOST_TERMS):
        m = n // 2
        if n % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        above = 1 + d / above or _TINY
        below = 1 / (1 + d * below or _TINY)
        value *= above * below
        if abs(above * below - 1) < 1e-15:
            break
    return value
