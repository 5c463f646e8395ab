"""The three criteria of the rounds rule (Golenkov et al. 2015): normal, tight, 80%-interval."""

import numpy as np
import numpy.typing as npt

from stend.statistics.values import Floats, finite

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
    from scipy import special

    x = finite(values)
    if len(x) < 2 or np.ptp(x) == 0:
        return None
    seen, expected = _cells(x)
    freedom = len(seen) - 3
    if freedom < 1:
        return None
    statistic = float(((seen - expected) ** 2 / expected).sum())
    return float(special.chdtrc(freedom, statistic))


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
    from scipy import special

    cells = max(5, round(1 + np.log2(len(x))))
    seen, edges = np.histogram(x, bins=cells)
    chance = special.ndtr((edges - x.mean()) / x.std(ddof=1))
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
