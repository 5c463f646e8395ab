"""Which member of a fleet stands apart, by repeated looks at each member.

What goes in is on a scale where differences count, such as logarithms of figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stend.statistics.distributions import student_cdf
from stend.statistics.location import Floats, finite

USUAL = 0.015
"""Standard deviation by which members that are all well usually differ: of logarithms, 1.5%.

Processors of one kind differ by 1 to 5% in speed, more where turbo or a power cap decides
(Acun, Miller and Kale 2016, "Variation among processors under Turbo Boost in HPC systems";
Inadomi et al. 2015, "Analyzing and mitigating the impact of manufacturing variability in
power-constrained supercomputing").
"""

BELIEF = 6.0
"""Degrees of freedom that `USUAL` is worth beside what the fleet itself shows."""

FEWEST = 3
"""Of two members nobody can say which one is wrong."""

_FEWEST_LOOKS = 2

Counts = npt.NDArray[np.int64]

_OF_MEDIAN = np.pi / 2
"""The variance of a median over that of a mean, of many normal values; fewer have less."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one member is beside the others; `p` and all else is None where `reason` says why."""

    shift: float | None
    """Its median less the median of the others' medians."""
    error: float | None
    """Standard error of that, were the member like the others."""
    freedom: float | None
    """Degrees of freedom of the error."""
    p: float | None
    """Two-sided, of "it is like the others"."""
    reason: str = ""


def beside_others(
    members: Sequence[npt.ArrayLike], usual: float = USUAL, belief: float = BELIEF
) -> list[Standing]:
    """Set each member beside all others.

    The shift is taken against the median of the others, whose spread is `spread`, Qn. A few
    members can't tell their spread: so it is averaged with what is usual, `usual` and what the
    looks at one member themselves vary by, which counts as `belief` degrees of freedom (the
    moderated t of Smyth 2004, "Linear models and empirical Bayes methods for assessing
    differential expression", with a prior that is given). A member whose own looks vary more
    than those of the typical one has that added to its error. The p is Student's, and of one
    comparison: correct it for the number of members and figures (`holm`).
    """
    looks = [finite(member) for member in members]
    known = [i for i, look in enumerate(looks) if len(look) >= _FEWEST_LOOKS]
    standings = [_cannot(_few_looks(len(look))) for look in looks]
    if len(known) < FEWEST:
        few = f"only {len(known)} measured it: it takes {FEWEST} to tell which one stands apart."
        for i in known:
            standings[i] = _cannot(few)
        return standings
    counts = np.array([len(looks[i]) for i in known])
    middles, own = _middles_and_variances([looks[i] for i in known], counts)
    typical = _typical_variance(own, counts)
    errors = own * _OF_MEDIAN / counts
    for i, standing in zip(known, _stood(middles, errors, usual**2 + typical, belief), strict=True):
        standings[i] = standing
    return standings


def _middles_and_variances(looks: Sequence[Floats], counts: Counts) -> tuple[Floats, Floats]:
    """Of each member; those with as many looks together."""
    middles, variances = np.empty(len(looks)), np.empty(len(looks))
    for count in np.unique(counts):
        of_these = counts == count
        table = np.array([look for look, this in zip(looks, of_these, strict=True) if this])
        middles[of_these] = np.median(table, axis=1)
        variances[of_these] = table.var(axis=1, ddof=1)
    return middles, variances


def _stood(middles: Floats, errors: Floats, prior: float, belief: float) -> list[Standing]:
    """Each member beside the others, all at once: a fleet has a hundred."""
    count = len(middles) - 1
    others = np.median(_others(middles), axis=1)
    seen = _freedom(count)
    variance = (belief * prior + seen * _spreads_of_others(middles) ** 2) / (belief + seen)
    excess = np.maximum(0.0, errors - np.median(errors))
    shift = middles - others
    error = np.sqrt(variance + excess + variance * _OF_MEDIAN / count)
    freedom = belief + seen
    p = np.minimum(1.0, 2 * student_cdf(freedom, -np.abs(shift) / error))
    found = zip(shift.tolist(), error.tolist(), p.tolist(), strict=True)
    return [Standing(off, by, freedom, chance) for off, by, chance in found]


def _others(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A row for each value: all the others, in their order."""
    n = len(values)
    place = np.arange(n - 1)
    return np.asarray(values[place + (place >= np.arange(n)[:, None])])


def _spreads_of_others(values: Floats) -> Floats:
    """`spread` of the others of each value.

    The distances are sorted once. Of those that are not to a value, the k-th is found in the
    order of all by how many that are to it come before.
    """
    n = len(values)
    k, factor = _quantile(n - 1)
    rows, columns = np.triu_indices(n, 1)
    distances = np.abs(values[rows] - values[columns])
    order = np.argsort(distances, kind="stable")
    place = np.zeros((n, n), dtype=np.int64)
    place[rows[order], columns[order]] = place[columns[order], rows[order]] = np.arange(len(order))
    own = np.sort(place[~np.eye(n, dtype=bool)].reshape(n, n - 1), axis=1)
    before = (own - np.arange(n - 1) <= k).sum(axis=1)
    return np.asarray(factor * distances[order[k + before]])


def spread(values: npt.ArrayLike) -> float:
    """Qn, a standard deviation that half of the values can't break; 0 of fewer than two.

    The k-th smallest distance between two of them, k = C(h, 2), h = n // 2 + 1 (Rousseeuw and
    Croux 1993, "Alternatives to the median absolute deviation", with its corrections for
    few values).
    """
    x = finite(values)
    n = len(x)
    if n < 2:
        return 0.0
    k, factor = _quantile(n)
    rows, columns = np.triu_indices(n, 1)
    return factor * float(np.partition(np.abs(x[rows] - x[columns]), k)[k])


def _quantile(n: int) -> tuple[int, float]:
    """Which of the distances of n values, from 0, and what it is to be multiplied by."""
    half = n // 2 + 1
    few = n / (n + 1.4) if n % 2 else n / (n + 3.8)
    return half * (half - 1) // 2 - 1, 2.2219 * _FEW.get(n, few)


_FEW = {2: 0.399, 3: 0.994, 4: 0.512, 5: 0.844, 6: 0.611, 7: 0.857, 8: 0.669, 9: 0.872}

_FREEDOM = {2: 1.0, 3: 0.8, 4: 1.7, 5: 1.8, 6: 3.0, 7: 3.0, 8: 4.3, 9: 4.3}
"""Of a squared Qn, from the scatter of 20,000 of normal samples: 2 E² / V."""


def _freedom(n: int) -> float:
    return _FREEDOM.get(n, 0.75 * (n - 1) - 1.5)


def _typical_variance(own: Floats, looks: Counts) -> float:
    """The median of the members' own variances, which for few looks lies below the truth."""
    freedom = looks - 1.0
    return float(np.median(own / (1 - 2 / (9 * freedom)) ** 3))


def _cannot(reason: str) -> Standing:
    return Standing(None, None, None, None, reason)


def _few_looks(count: int) -> str:
    return f"{count} process{'es' * (count != 1)} can't tell how much its figure varies."


def ends_of_links(links: Sequence[tuple[int, int]], values: npt.ArrayLike) -> Floats | None:
    """What each end adds to its links, when a link's value is the sum of what its ends add.

    Least absolute deviations by reweighted least squares (Schlossmacher 1973, "An iterative
    technique for absolute deviations curve fitting"), so that one bad link between two good
    ends is not blamed on them. None where the links don't tell: it takes a triangle, and all
    ends connected with it.
    """
    count = 1 + max(max(link) for link in links)
    design = np.zeros((len(links), count))
    for row, (a, b) in enumerate(links):
        design[row, [a, b]] = 1.0
    y = np.asarray(values, dtype=np.float64)
    if np.linalg.matrix_rank(design) < count or not np.isfinite(y).all():
        return None
    ends = _solved(design, y)
    floor = 1e-6 * max(float(np.ptp(y)), 1e-12)
    for _ in range(50):
        weights = 1 / np.sqrt(np.maximum(np.abs(y - design @ ends), floor))
        ends = _solved(design * weights[:, None], y * weights)
    return ends


def _solved(design: Floats, y: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(design, y, rcond=None)[0], dtype=np.float64)
