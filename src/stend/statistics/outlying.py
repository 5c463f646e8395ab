"""Which member of a fleet stands apart: repeated looks at each member in, one standing each out.

What goes in is on a scale where differences count, such as logarithms of figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stend.statistics.values import Floats, finite

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
    middles = np.array([np.median(looks[i]) for i in known])
    own = np.array([looks[i].var(ddof=1) for i in known])
    typical = _typical_variance(own, [len(looks[i]) for i in known])
    errors = own * _OF_MEDIAN / np.array([len(looks[i]) for i in known])
    for place, i in enumerate(known):
        standings[i] = _standing(place, middles, errors, usual**2 + typical, belief)
    return standings


def _standing(place: int, middles: Floats, errors: Floats, prior: float, belief: float) -> Standing:
    from scipy import special

    others = np.delete(middles, place)
    seen = _freedom(len(others))
    variance = (belief * prior + seen * spread(others) ** 2) / (belief + seen)
    excess = max(0.0, float(errors[place] - np.median(errors)))
    shift = float(middles[place] - np.median(others))
    error = float(np.sqrt(variance + excess + variance * _OF_MEDIAN / len(others)))
    freedom = belief + seen
    p = 2 * float(special.stdtr(freedom, -abs(shift) / error))
    return Standing(shift, error, freedom, min(1.0, p))


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
    rows, columns = np.triu_indices(n, 1)
    half = n // 2 + 1
    k = half * (half - 1) // 2 - 1
    distance = float(np.partition(np.abs(x[rows] - x[columns]), k)[k])
    few = n / (n + 1.4) if n % 2 else n / (n + 3.8)
    return 2.2219 * _FEW.get(n, few) * distance


_FEW = {2: 0.399, 3: 0.994, 4: 0.512, 5: 0.844, 6: 0.611, 7: 0.857, 8: 0.669, 9: 0.872}

_FREEDOM = {2: 1.0, 3: 0.8, 4: 1.7, 5: 1.8, 6: 3.0, 7: 3.0, 8: 4.3, 9: 4.3}
"""Of a squared Qn, from the scatter of 20,000 of normal samples: 2 E² / V."""


def _freedom(n: int) -> float:
    return _FREEDOM.get(n, 0.75 * (n - 1) - 1.5)


def _typical_variance(own: Floats, looks: Sequence[int]) -> float:
    """The median of the members' own variances, which for few looks lies below the truth."""
    freedom = np.array(looks) - 1.0
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
