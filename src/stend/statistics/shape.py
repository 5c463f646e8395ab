"""The shape of a sample: normality (Golenkov et al. 2015), modes and tails."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from stend.statistics.distributions import chi_squared_tail, normal_cdf
from stend.statistics.location import Floats, finite

_LEAST_EXPECTED = 5.0
"""Cells that expect fewer are merged (Cochran 1954, "Some methods for strengthening the common
χ² tests")."""


def pearson_normal(values: npt.ArrayLike) -> float | None:
    """P value of Pearson's χ² test that the values come from a normal distribution.

    Equal cells between the extremes, their number by Sturges 1926 ("The choice of a class
    interval"), those that expect fewer than 5 values merged with their neighbours; two
    degrees of freedom go to the mean and deviation estimated from the values (Pearson 1900;
    Cramér 1946, "Mathematical Methods of Statistics", section 30.3). None when the values
    are constant or too few to leave a degree of freedom (about 30).
    """
    x = finite(values)
    if len(x) < 2 or np.ptp(x) == 0:
        return None
    seen, expected = _cells(x)
    freedom = len(seen) - 3
    if freedom < 1:
        return None
    statistic = float(((seen - expected) ** 2 / expected).sum())
    return float(chi_squared_tail(freedom, statistic))


def tight(values: npt.ArrayLike, spread: float = 0.02) -> bool:
    """Whether the whole range of the values is within `spread` of their mean."""
    x = finite(values)
    return len(x) > 0 and bool(np.ptp(x) <= spread * abs(x.mean()))


def interval_normal(values: npt.ArrayLike, share: float = 0.8) -> float | None:
    """P value of Pearson's test on the shortest interval that holds `share` of the values.

    None as in `pearson_normal`. The middle of a normal sample is a truncated one, so the
    more values, the surer this rejects: about 88% pass at 64, none from 1,024 on.
    """
    x = np.sort(finite(values))
    held = int(np.ceil(share * len(x)))
    if held < 2:
        return None
    start = int(np.argmin(x[held - 1 :] - x[: len(x) - held + 1]))
    return pearson_normal(x[start : start + held])


def _cells(x: Floats) -> tuple[Floats, Floats]:
    """Counts seen and expected in each cell."""
    cells = max(5, round(1 + np.log2(len(x))))
    seen, edges = np.histogram(x, bins=cells)
    chance = normal_cdf((edges - x.mean()) / x.std(ddof=1))
    chance[0], chance[-1] = 0.0, 1.0
    return _merged(seen.astype(np.float64), len(x) * np.diff(chance))


def _merged(seen: Floats, expected: Floats) -> tuple[Floats, Floats]:
    starts, filled = [0], 0.0
    for i, value in enumerate(expected[:-1], start=1):
        filled += value
        if filled >= _LEAST_EXPECTED:
            starts.append(i)
            filled = 0.0
    if len(starts) > 1 and filled + expected[-1] < _LEAST_EXPECTED:
        starts.pop()
    return np.add.reduceat(seen, starts), np.add.reduceat(expected, starts)


_FEWEST = 64


@dataclass(frozen=True, slots=True)
class Mode:
    """One of two values that a sample jumps between."""

    value: float
    """Median of the values that belong to it."""
    weight: float
    """Their share of all values."""

    @classmethod
    def of(cls, part: Floats, n: int) -> Self:
        """The mode that these of `n` values are in."""
        return cls(float(np.median(part)), len(part) / n)


def two_modes(values: npt.ArrayLike) -> tuple[Mode, Mode] | None:
    """The lower and the higher of two modes, at least 1% apart and of at least 5% each, or None.

    The values, their outermost 3% a side drawn in (winsorised), are split where the two
    parts vary least in themselves (Fisher 1958, "On grouping for maximum homogeneity"; Otsu
    1979, "A threshold selection method from gray-level histograms"). They are two modes when
    their distance is D > 4 of Ashman, Bird and Zepf 1994 ("Detecting bimodality in
    astronomical datasets", equation 4), with medians and quartiles for means and deviations
    so that spikes do no harm, and when the middle third of the way between them holds less
    than 5% of the values, where an exponential sample has 18%.
    """
    x = np.sort(finite(values))
    if len(x) < _FEWEST:
        return None
    edge = int(0.03 * len(x))
    cut = _best_split(np.clip(x, x[edge], x[-1 - edge]), int(np.ceil(0.05 * len(x))))
    low, high = Mode.of(x[:cut], len(x)), Mode.of(x[cut:], len(x))
    matters = high.value - low.value >= 0.01 * abs(float(np.median(x)))
    return (low, high) if matters and _separated(x[:cut], x[cut:]) else None


def _separated(low: Floats, high: Floats) -> bool:
    """Whether two sorted parts are far from each other, with a valley between."""
    bottom, top = np.median(low), np.median(high)
    if top - bottom <= 4 * np.sqrt((_deviation(low) ** 2 + _deviation(high) ** 2) / 2):
        return False
    between = np.searchsorted(
        np.concatenate([low, high]), [(2 * bottom + top) / 3, (bottom + 2 * top) / 3]
    )
    return bool(between[1] - between[0] < 0.05 * (len(low) + len(high)))


def _deviation(part: Floats) -> float:
    """Standard deviation by the quartiles, which spikes don't reach."""
    first, third = np.quantile(part, [0.25, 0.75])
    return float(third - first) / 1.349


def _best_split(x: Floats, least: int) -> int:
    """Size of the lower part when the sum of squares within both parts is smallest."""
    centred = x - x.mean()
    sizes = np.arange(least, len(x) - least + 1)
    sums = np.cumsum(centred)[sizes - 1]
    between = sums**2 / (sizes * (len(x) - sizes))
    return int(sizes[np.argmax(between)])


def quantised(values: npt.ArrayLike) -> bool:
    """Whether the values lie on a grid coarser than 0.5% of the median, so 1% can't be told.

    The grid is the smallest distance between neighbouring distinct values, and there must
    be fewer than half as many of those as values. Constant values have no grid: False.
    """
    x = finite(values)
    distinct = np.unique(x)
    if len(x) < _FEWEST or len(distinct) < 2 or 2 * len(distinct) > len(x):
        return False
    return bool(np.diff(distinct).min() >= 0.005 * abs(np.median(x)))


def noisy(values: npt.ArrayLike, share: float = 0.05) -> bool:
    """Whether more than `share` of the values lie far above the median.

    Far is more than 8 robust standard deviations, taken from the lower half, which
    disturbances don't reach (the median absolute deviation of that half times 1.4826;
    Hampel 1974, "The influence curve and its role in robust estimation"), and at least 5%.
    """
    x = finite(values)
    if len(x) < _FEWEST:
        return False
    middle = float(np.median(x))
    deviation = 1.4826 * float(np.median(middle - x[x <= middle]))
    far = middle + max(8 * deviation, 0.05 * abs(middle))
    return float(np.mean(x > far)) > share
