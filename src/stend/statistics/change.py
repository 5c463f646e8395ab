"""Whether values moved while they were taken: drift, steps, and steady rounds.

SNIA, Solid State Storage Performance Test Specification 2.0.2, clause 2.1 (Definitions), Steady
State: over the measurement window, five rounds, (a) max(y) − min(y) is no more than 20% of the
mean of y, and (b) the same of the straight line that fits y best is within 10% of that mean.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stend.statistics.location import Floats, autocorrelation_time, finite

WINDOW = 5
"""Rounds."""
_SPREAD = 0.20
_EXCURSION = 0.10
_ROUNDING = 1e-9
"""What is at the limit is within it, however its last digit was rounded."""


class Steadiness(NamedTuple):
    """The last five of some rounds; the ratios are None where there is nothing to divide."""

    reached: bool
    spread: float | None
    """(max − min) / mean; at most 0.2 where it is steady."""
    excursion: float | None
    """Of the line fitted by least squares, from the first round to the fifth, over the mean."""


def steadiness(values: Sequence[float]) -> Steadiness:
    """Judge the last five values: of fewer, or with one missing (NaN), nothing is said."""
    window = values[-WINDOW:]
    if len(window) < WINDOW or not all(map(math.isfinite, window)):
        return Steadiness(reached=False, spread=None, excursion=None)
    mean = math.fsum(window) / WINDOW
    if mean <= 0:  # nothing was done, steadily
        return Steadiness(reached=False, spread=None, excursion=None)
    spread = (max(window) - min(window)) / mean
    excursion = abs(_slope(window)) * (WINDOW - 1) / mean
    within = spread <= _SPREAD + _ROUNDING and excursion <= _EXCURSION + _ROUNDING
    return Steadiness(reached=within, spread=spread, excursion=excursion)


def _slope(window: Sequence[float]) -> float:
    """By least squares, a round; the rounds are numbered from −2 to 2, whose squares make 10."""
    return math.fsum((place - 2) * y for place, y in enumerate(window)) / 10


_FEWEST = 64
_LEVEL = 0.001
_MATTERS = 0.01
"""The smallest relative change that is reported: the smallest effect that matters."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The values of the four quarters differ by more than chance."""

    span: float
    """Largest less smallest quarter median, relative to the median."""
    p: float


@dataclass(frozen=True, slots=True)
class Step:
    """The values changed once, at `index`, and stayed."""

    index: int
    before: float
    after: float
    p: float


def drift(values: npt.ArrayLike) -> Drift | None:
    """Drift of at least 1% between quarters, at p ≤ 0.001; None without one or below 64 values.

    Kruskal and Wallis 1952, "Use of ranks in one-criterion variance analysis", with the
    statistic divided by the τ of what a cubic in time leaves: a τ of the record as it is
    would be inflated by the drift itself, and so would one inside the quarters by their
    slopes; nothing would ever be found.
    """
    x = finite(values)
    if len(x) < _FEWEST or np.ptp(x) == 0:
        return None
    parts = np.array_split(np.arange(len(x)), 4)
    medians = [float(np.median(x[part])) for part in parts]
    span = _relative(max(medians) - min(medians), x)
    if span < _MATTERS:
        return None
    ranks = _midranks(x)
    between = _kruskal_wallis(ranks, parts)
    if _chi_square_tail(between) > _LEVEL:
        return None
    p = _chi_square_tail(between / _tau_beside_trend(ranks))
    return Drift(span, p) if p <= _LEVEL else None


def step(values: npt.ArrayLike) -> Step | None:
    """One change of at least 1% at p ≤ 0.001, when it explains the values better than a line does.

    Pettitt 1979, "A non-parametric approach to the change-point problem", with the squared
    statistic divided by the mean τ of the two sides. Whether the change was a step or steady is
    decided by which of the two leaves less of the ranks' variance. None without one or below 64
    values.
    """
    x = finite(values)
    n = len(x)
    if n < _FEWEST or np.ptp(x) == 0:
        return None
    ranks = _midranks(x)
    sums = np.cumsum(ranks)[:-1]
    index = int(np.argmax(np.abs(sums))) + 1
    largest = float(sums[index - 1])
    before, after = float(np.median(x[:index])), float(np.median(x[index:]))
    by_step = largest**2 * n / (index * (n - index))
    rest = _without_polynomial(ranks, 1)
    by_line = float(ranks @ ranks - rest @ rest)
    if _relative(abs(after - before), x) < _MATTERS or by_step < by_line:
        return None
    sides = x[:index], x[index:]
    tau = _restored(sum(len(side) * autocorrelation_time(side) for side in sides) / n, n)
    p = min(1.0, 2 * float(np.exp(-6 * (2 * largest) ** 2 / tau / (n**3 + n**2))))
    return Step(index, before, after, p) if p <= _LEVEL else None


def _chi_square_tail(x: float) -> float:
    """P(X > x) of χ² with the 3 degrees of freedom of four parts, in closed form."""
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2)


def _tau_beside_trend(ranks: Floats) -> float:
    """τ of what a cubic leaves."""
    return _restored(autocorrelation_time(_without_polynomial(ranks, 3)), len(ranks))


def _restored(tau: float, n: int) -> float:
    """Give back to τ what fitting a change to the n values took from it.

    The factor is from simulation: it holds false alarms at p = 0.001 to 2–4% of AR(1)
    records of 16 τ and to 0–2% of longer ones.
    """
    return tau * (1 + 12 * tau / n)


def _without_polynomial(ranks: Floats, degree: int) -> Floats:
    """What a polynomial in time, fitted by least squares, leaves."""
    terms = np.polynomial.legendre.legvander(np.linspace(-1, 1, len(ranks)), degree)
    weights = np.linalg.solve(terms.T @ terms, terms.T @ ranks)  # Legendre: well conditioned
    rest: Floats = ranks - terms @ weights
    return rest


def _kruskal_wallis(ranks: Floats, parts: list[npt.NDArray[np.intp]]) -> float:
    """H, corrected for ties by using the variance that the ranks really have."""
    between = sum(float(ranks[part].sum()) ** 2 / len(part) for part in parts)
    return between / float(ranks.var(ddof=1))


def _midranks(x: Floats) -> Floats:
    """Ranks less their mean; equal values share the mean of theirs."""
    order = np.argsort(x)
    ordered = x[order]
    edges = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    ranks = np.empty(len(x))
    ranks[order] = np.repeat((edges[1:] + edges[:-1] - len(x)) / 2, np.diff(edges))
    return ranks


def _relative(change: float, x: Floats) -> float:
    middle = abs(float(np.median(x)))
    return change / middle if middle else float(np.inf)
