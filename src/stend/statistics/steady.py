"""Whether rounds of a load have become steady: their values come in, the two ratios go out.

SNIA, Solid State Storage Performance Test Specification 2.0.2, clause 2.1 (Definitions), Steady
State: over the measurement window, five rounds, (a) max(y) − min(y) is no more than 20% of the
mean of y, and (b) the same of the straight line that fits y best is within 10% of that mean.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

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
