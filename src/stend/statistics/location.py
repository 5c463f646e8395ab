"""Where values lie: the median of one sample, the location over processes, and autocorrelation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import fmean
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stend.statistics.distributions import student_quantile

Floats: TypeAlias = npt.NDArray[np.float64]
"""A one-dimensional array of float64."""


def finite(values: npt.ArrayLike) -> Floats:
    """The finite values in their order, as float64: a NaN stands for no value in a record."""
    x = np.asarray(values, dtype=np.float64).ravel()
    keep = np.isfinite(x)
    return x if keep.all() else x[keep]


def middle(x: Floats) -> float:
    """The median of finite values, of which there must be one: `numpy.median` asks far more."""
    half = len(x) // 2
    if len(x) % 2:
        return float(np.partition(x, half)[half])
    ordered = np.partition(x, (half - 1, half))
    return float((ordered[half - 1] + ordered[half]) / 2)


def within(x: Floats, share: float) -> float:
    """The value that about so large a share of finite values doesn't exceed; there must be one."""
    place = round(share * (len(x) - 1))
    return float(np.partition(x, place)[place])


def quantile(ordered: Floats, share: float) -> float:
    """A quantile of values in order, of which there must be one, as `numpy.quantile` has it."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


_FEWEST_CORRELATED = 32
"""Below this the estimate is only noise, and the values are taken as independent."""
_WINDOW = 5.0
"""Sokal's c: the sum ends at the first lag of at least c·τ."""


def autocorrelation_time(values: npt.ArrayLike) -> float:
    """Integrated autocorrelation time τ ≥ 1 of sign(x - median): what the median's error needs.

    τ = 1 + 2 Σ ρ(k), summed up to the first lag k ≥ 5τ (Sokal 1997, "Monte Carlo Methods in
    Statistical Mechanics", section 3); the bias that subtracting the sample's own mean puts
    into ρ is taken out to first order (Wolff 2004, "Monte Carlo errors with less errors",
    equation 49). 1 for fewer than 32 values and for constant ones. Cost: one FFT.
    """
    x = finite(values)
    n = len(x)
    if n < _FEWEST_CORRELATED:
        return 1.0
    signs = np.sign(x - np.median(x))
    signs -= signs.mean()
    power = float(signs @ signs)
    if power == 0.0:
        return 1.0
    sums = 1 + 2 * np.cumsum(_autocovariance(signs)[1:] / power)
    lags = np.arange(1, len(sums) + 1)
    far = np.flatnonzero(lags >= _WINDOW * sums)
    window = int(far[0]) if len(far) else len(sums) - 1
    tau = float(sums[window]) * (1 + (2 * window + 3) / n)
    return max(1.0, tau)


def _autocovariance(x: Floats) -> Floats:
    """Sums of x[i]·x[i + k] over i, for lags k up to half the length (Wiener–Khinchin theorem).

    Padding to one and a half times the length is enough for these: what wraps around lies
    beyond. A size of 2^a or 3·2^a transforms quickly.
    """
    power = 1 << (3 * len(x) // 2).bit_length()
    size = power if 3 * power // 4 < 3 * len(x) // 2 else 3 * power // 4
    spectrum = np.fft.rfft(x, size)
    covariance: Floats = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, size)[: len(x) // 2]
    return covariance


_FEWEST_PROCESSES = 3
Transform = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Location:
    """A median with its interval, in the unit of the values.

    `low` and `high` are both None where the data can't give them, and `reason` then says
    why in a sentence. `value` is None only when there is no value at all.
    """

    value: float | None
    low: float | None
    high: float | None
    confidence: float
    effective: float
    """The number of independent values that the sample is worth: n / τ."""
    reason: str = ""

    @property
    def half_width(self) -> float | None:
        """Half of the interval relative to the value; None without one or around zero."""
        if self.low is None or self.high is None or not self.value:
            return None
        return (self.high - self.low) / 2 / abs(self.value)


def median_interval(
    values: npt.ArrayLike, confidence: float = 0.95, tau: float | None = None
) -> Location:
    """Median of one sample in the order of time, its interval widened for autocorrelation.

    The interval lies between two order statistics, from the binomial distribution, and is
    exact whatever the distribution is (Le Boudec 2010, "Performance Evaluation of Computer
    and Communication Systems", theorem 2.1). Its ranks are then moved away from the middle
    by √τ, since τ dependent values tell as much as one independent value (Sokal 1997,
    "Monte Carlo Methods in Statistical Mechanics", section 3). `tau` is estimated from the
    values unless it is given. At 95% it takes 6 effective values.
    """
    x = finite(values)
    tau = autocorrelation_time(x) if tau is None else tau
    effective = len(x) / tau
    if len(x) == 0:
        return Location(None, None, None, confidence, 0.0, "There is no value.")
    value = middle(x)
    ranks = _ranks(len(x), confidence, tau)
    if ranks is None:
        few = f"{effective:.3g} effective values can't give an interval at {confidence:.0%}."
        return Location(value, None, None, confidence, effective, few)
    ordered = np.partition(x, ranks)
    return Location(
        value, float(ordered[ranks[0]]), float(ordered[ranks[1]]), confidence, effective
    )


def over_processes(
    medians: npt.ArrayLike, confidence: float = 0.95, *, share: bool = False
) -> Location:
    """Median over the medians of several processes, with the interval over processes.

    A process is the unit that is repeated (Kalibera and Jones 2013, "Rigorous benchmarking
    in reasonable time", section 6): repetitions inside one say nothing about page placement
    and address layout, which differ between them. One process has no interval. From six on
    (at 95%; eight at 99%) it is the exact one of `median_interval`, which holds even when processes
    fall on two speeds; below it is Student's t on logarithms, which trusts them to be spread
    about normally: ±2.5 standard deviations with three processes, ±1.2 with five. Two, which
    would give ±9.0, have no interval. (Values that are not all positive are taken as they are.)
    Shares, parts of a whole from 0 to 1, are taken by the arcsine of their root, whose spread is
    about the same near 0 as elsewhere (Anscombe 1948), and their interval stays from 0 to 1.
    """
    x = finite(medians)
    exact = median_interval(x, confidence, tau=1.0)
    if exact.low is not None or exact.value is None:
        return exact
    if len(x) < _FEWEST_PROCESSES:
        why = f"{len(x)} process{'es' * (len(x) > 1)} can't tell how much processes differ."
        return Location(exact.value, None, None, confidence, 1.0, why)
    if np.ptp(x) == 0:
        why = f"{len(x)} processes that agree to the last digit don't tell their spread."
        return Location(exact.value, None, None, confidence, float(len(x)), why)
    low, high = _student(x, confidence, *_scale(x, share))
    return Location(exact.value, low, high, confidence, float(len(x)))


def _scale(x: Floats, share: bool) -> tuple[Transform, Transform]:
    """The way to values that are spread about normally, and the way back."""
    if share and x.min() >= 0 and x.max() <= 1:
        return _angle, _share
    return (np.log, np.exp) if x.min() > 0 else (np.positive, np.positive)


def _angle(share: Floats) -> Floats:
    return np.asarray(np.arcsin(np.sqrt(share)))


def _share(angle: Floats) -> Floats:
    return np.asarray(np.sin(np.clip(angle, 0, np.pi / 2)) ** 2)


def _student(
    x: Floats, confidence: float, there: Transform, back: Transform
) -> tuple[float, float]:
    y = there(x).tolist()  # so few that numpy's calls would take ten times as long
    n, mean = len(y), fmean(y)
    deviation = sqrt(sum((value - mean) ** 2 for value in y) / (n - 1))
    width = _quantile(n - 1, (1 + confidence) / 2) * deviation / sqrt(n)
    low, high = back(np.array([mean - width, mean + width]))
    return float(low), float(high)


@lru_cache(maxsize=64)
def _quantile(freedom: int, share: float) -> float:
    return float(student_quantile(freedom, share))


@lru_cache(maxsize=256)
def _ranks(n: int, confidence: float, tau: float) -> tuple[int, int] | None:
    """Zero-based ranks of the interval's ends, or None when they lie beyond the values."""
    start, tail = _lower_tail(n)
    rank = start + int(np.searchsorted(tail, (1 - confidence) / 2, side="right")) - 1
    middle = (n - 1) / 2
    low = int(np.floor(middle - (middle - rank) * np.sqrt(tau) + 1e-9))
    return (low, n - 1 - low) if low >= 0 else None


def _lower_tail(n: int) -> tuple[int, Floats]:
    """P(X ≤ k) of a binomial X of n fair throws, for k from the returned start to n // 2.

    Each chance is the one before times (n - k + 1) / k, and symmetry gives their sum.
    """
    start = max(0, int(n / 2 - 4 * np.sqrt(n)))  # 8 standard deviations below the middle
    k = np.arange(start + 1, n // 2 + 1, dtype=np.float64)
    tail: Floats = np.cumsum(np.cumprod(np.concatenate([[1.0], (n - k + 1) / k])))
    middle = tail[-1] - tail[-2] if n % 2 == 0 else 0.0
    return start, tail / (2 * tail[-1] - middle)
