"""How many times A is B: from interleaved pairs, or from the process medians of two runs.

Also Holm's correction for a suite of such questions. Where the data can't answer, a reason
stands instead of an interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stend.statistics.distributions import student_cdf, student_quantile
from stend.statistics.location import Floats, finite
from stend.statistics.ranks import Shift, rank_sum, signed_rank

_FEWEST_PROCESSES = 3


@dataclass(frozen=True, slots=True)
class Ratio:
    """B over A, with its interval; above 1 means that B's values are larger.

    Either `low`, `high` and `p` are all given, or all are None and `reason` says why in a
    sentence. `value` is None only when there is nothing to estimate it from. `p` is
    two-sided, of "the ratio is 1", and it is at most 1 - confidence exactly when the
    interval excludes 1.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    confidence: float
    method: str
    """"signed rank", "rank sum" or "Welch"."""
    reason: str = ""


def paired(log_ratios: npt.ArrayLike, confidence: float = 0.99) -> Ratio:
    """Ratio from interleaved pairs, each given as log(b / a).

    Pairs that are not finite are left out. The Hodges–Lehmann estimate with the Wilcoxon
    signed-rank interval: see `signed_rank`. A drift of the host, which both of a pair share,
    cancels. An interval at 99% takes 8 pairs, at 95% 6, whatever the values are: with fewer
    even the most extreme outcome is too likely by chance.
    """
    x = finite(log_ratios)
    if len(x) == 0:
        return _cannot(None, confidence, "signed rank", "There is no pair with two values.")
    shift = signed_rank(x, confidence)
    return _ratio(
        shift,
        confidence,
        "signed rank",
        f"{len(x)} pairs can't give an interval at {confidence:.0%}: "
        f"it takes {fewest_pairs(confidence)}.",
    )


def fewest_pairs(confidence: float = 0.99, cases: int = 1) -> int:
    """Pairs from which `paired` can find a difference in each of so many cases.

    Even when all n pairs agree, the signed-rank test has p = 2^(1 - n), which Holm's
    correction holds against a level that the number of cases divides.
    """
    return 1 + int(np.ceil(np.log2(max(1, cases) / (1 - confidence)) - 1e-9))


def unpaired(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = 0.99) -> Ratio:
    """Ratio b / a of two sets of process medians that were not interleaved.

    Where the rank-sum test can reach the confidence (at 99% five against five), the
    Hodges–Lehmann estimate with its exact interval on logarithms: see `rank_sum`. With
    fewer, down to three a side, Welch's t on logarithms (Welch 1947, "The generalization of
    Student's problem when several different population variances are involved"), which
    trusts that the process medians are spread about normally. Two a side would call equal
    things different in 2.5–6% at 99% when processes fall on two speeds, and find a
    difference of five standard deviations in 8% (simulated): no interval. Values must be
    positive.
    """
    x, y = finite(a), finite(b)
    if min(len(x), len(y)) == 0:
        return _cannot(None, confidence, "rank sum", "One side has no value.")
    if min(x.min(), y.min()) <= 0:
        return _cannot(None, confidence, "rank sum", "A ratio takes positive values only.")
    x, y = np.log(x), np.log(y)
    shift = rank_sum(x, y, confidence)
    if shift.interval is not None:
        return _ratio(shift, confidence, "rank sum", "")
    return _welch(x, y, confidence)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p values, each to be held against the level of the whole suite.

    Holm 1979, "A simple sequentially rejective multiple test procedure". None is a question
    that was not answered: it stays None and does not count.
    """
    asked = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, i) in enumerate(asked):
        largest = max(largest, min(1.0, p * (len(asked) - rank)))
        adjusted[i] = largest
    return adjusted


def _welch(x: Floats, y: Floats, confidence: float) -> Ratio:
    estimate = float(y.mean() - x.mean())
    few = min(len(x), len(y))
    if few < _FEWEST_PROCESSES:
        return _cannot(
            estimate,
            confidence,
            "Welch",
            f"{len(x)} and {len(y)} processes say too little about how processes differ: "
            f"measure at least {_FEWEST_PROCESSES} a side.",
        )
    if np.ptp(np.concatenate([x, y])) == 0:
        return Ratio(1.0, 1.0, 1.0, 1.0, confidence, "Welch")
    if np.ptp(x) == np.ptp(y) == 0:
        return _cannot(
            estimate,
            confidence,
            "Welch",
            f"The processes of each side agree to the last digit, and {few} are too few to "
            "know their spread from that: measure more processes.",
        )
    errors = x.var(ddof=1) / len(x), y.var(ddof=1) / len(y)
    error = float(np.sqrt(sum(errors)))
    freedom = sum(errors) ** 2 / (errors[0] ** 2 / (len(x) - 1) + errors[1] ** 2 / (len(y) - 1))
    width = error * float(student_quantile(freedom, (1 + confidence) / 2))
    p = 2 * float(student_cdf(freedom, -abs(estimate) / error))
    return _ratio(Shift(estimate, (estimate - width, estimate + width), p), confidence, "Welch", "")


def _ratio(shift: Shift, confidence: float, method: str, reason: str) -> Ratio:
    if shift.interval is None:
        return _cannot(shift.estimate, confidence, method, reason)
    low, high = shift.interval
    return Ratio(
        float(np.exp(shift.estimate)),
        float(np.exp(low)),
        float(np.exp(high)),
        shift.p,
        confidence,
        method,
    )


def _cannot(log_ratio: float | None, confidence: float, method: str, reason: str) -> Ratio:
    value = None if log_ratio is None else float(np.exp(log_ratio))
    return Ratio(value, None, None, None, confidence, method, reason)
