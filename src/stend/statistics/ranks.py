"""Hodges–Lehmann estimates of a shift, and how far two sets of figures overlap.

Their intervals and p values come from the exact null distributions of Wilcoxon's statistics.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from stend.statistics.distributions import normal_cdf
from stend.statistics.location import Floats, finite


def superiority(a: npt.ArrayLike, b: npt.ArrayLike) -> float | None:
    """The share of all pairs of one of `a` and one of `b` in which b's is larger, ties as half.

    Vargha and Delaney 2000, "A critique and improvement of the CL common language effect size
    statistics of McGraw and Wong": ½ where neither stands out, 1 where every b is above every a.
    None where a side has no value.
    """
    x, y = np.sort(finite(a)), finite(b)
    if min(len(x), len(y)) == 0:
        return None
    below = np.searchsorted(x, y, side="left") + np.searchsorted(x, y, side="right")
    return float(below.mean() / (2 * len(x)))


_EXACT_PAIRS = 100
_EXACT_TOTAL = 60
"""Counts of arrangements of 60 values, C(60, 30) = 1.2e17, still fit an int64."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A Hodges–Lehmann estimate; the interval is None when no order statistics reach it."""

    estimate: float
    interval: tuple[float, float] | None
    p: float
    """Two-sided, of "no shift"; at most 1 - confidence exactly when the interval excludes 0."""


def signed_rank(differences: Floats, confidence: float) -> Shift:
    """Shift of paired differences: the median of their n(n+1)/2 Walsh averages.

    Hodges and Lehmann 1963, "Estimates of location based on rank tests"; the interval is of
    Tukey, from the signed-rank distribution (Hollander, Wolfe and Chicken 2014,
    "Nonparametric Statistical Methods", sections 3.1–3.3). It is exact up to 100 pairs and
    normal beyond; ties and zeros make it conservative. `differences` must not be empty.
    """
    n = len(differences)
    rows, columns = np.triu_indices(n)
    averages = np.sort((differences[rows] + differences[columns]) / 2)
    return _shift(averages, _signed_rank_tail(n), confidence)


def rank_sum(a: Floats, b: Floats, confidence: float) -> Shift:
    """Shift from `a` to `b`: the median of the m·n differences b - a.

    Hodges and Lehmann 1963; the interval is of Moses, from the distribution of Mann and
    Whitney 1947 (Hollander, Wolfe and Chicken 2014, sections 4.1–4.3). It is exact up to 60
    values together and normal beyond; ties make it conservative. Neither may be empty.
    """
    differences = np.sort(np.subtract.outer(b, a).ravel())
    return _shift(differences, _rank_sum_tail(len(a), len(b)), confidence)


def _shift(ordered: Floats, tail: Floats, confidence: float) -> Shift:
    """Invert the test: `tail[k]` is the chance of at most k of the `ordered` values below 0."""
    below = int(np.searchsorted(ordered, 0.0, side="right"))
    above = len(ordered) - int(np.searchsorted(ordered, 0.0, side="left"))
    p = min(1.0, 2 * float(tail[min(below, above)]))
    allowed = int(np.searchsorted(tail, (1 - confidence) / 2 * (1 + 1e-12), side="right"))
    estimate = float(np.median(ordered))
    if allowed == 0:
        return Shift(estimate, None, p)
    return Shift(estimate, (float(ordered[allowed - 1]), float(ordered[-allowed])), p)


@lru_cache(maxsize=64)
def _signed_rank_tail(n: int) -> Floats:
    """P(W ≤ k) for k = 0 … n(n+1)/2 under the null hypothesis."""
    size = n * (n + 1) // 2 + 1
    if n > _EXACT_PAIRS:
        return _normal_tail(size, n * (n + 1) * (2 * n + 1) / 24)
    chance = np.zeros(size)
    chance[0] = 1.0
    for rank in range(1, n + 1):
        chance[rank:] += chance[:-rank].copy()
        chance /= 2
    return np.cumsum(chance)


@lru_cache(maxsize=64)
def _rank_sum_tail(m: int, n: int) -> Floats:
    """P(U ≤ k) for k = 0 … mn: the coefficients of the Gaussian binomial (m+n over m)."""
    size = m * n + 1
    if m + n > _EXACT_TOTAL:
        return _normal_tail(size, m * n * (m + n + 1) / 12)
    count = np.zeros(size, dtype=np.int64)
    count[0] = 1
    for i in range(1, m + 1):
        if n + i < size:
            count[n + i :] -= count[: -(n + i)].copy()
        for start in range(i):
            count[start::i] = np.cumsum(count[start::i])
    return np.cumsum(count) / float(count.sum())


def _normal_tail(size: int, variance: float) -> Floats:
    """Approximation with the continuity correction; the mean is the middle."""
    deviations = (np.arange(size) + 0.5 - (size - 1) / 2) / np.sqrt(variance)
    tail: Floats = normal_cdf(deviations)
    return tail
