"""A series of runs whose level changed at known places → each level, and each step between two.

Runs near in time are alike, so that many tell less than as many independent ones would.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import log, sqrt

import numpy as np

from stend.statistics.change_points import MOST_LIKENESS, likeness
from stend.statistics.location import Location, over_processes
from stend.statistics.ratios import unpaired
from stend.statistics.values import Floats

_ERRORS = 1.5
"""Standard errors added to the likeness that is found: the least multiple of a quarter with which
95% intervals hold in at least 94% up to a likeness of 0.6 (peers/measuring/trends.py)."""


def levels(values: Floats, ends: Sequence[int], confidence: float) -> list[Location]:
    """The median of each stretch between changes at `ends`, with its interval over runs."""
    wider = _wider(values, ends)
    return [_level(part, confidence, wider) for part in np.split(values, ends)]


def steps(values: Floats, ends: Sequence[int], confidence: float) -> list[Location]:
    """How far the level moved at each of the `ends`, with its interval: see `unpaired`."""
    wider = _wider(values, ends)
    parts = np.split(values, ends)
    return [_widened(_step(a, b, confidence), wider) for a, b in pairwise(parts)]


def _level(part: Floats, confidence: float, wider: float) -> Location:
    """About its median: of logarithms that are all positive `over_processes` would take others."""
    middle = float(np.median(part))
    found = _widened(over_processes(part - middle, confidence), wider)
    low, high = (None if end is None else middle + end for end in (found.low, found.high))
    return replace(found, value=middle, low=low, high=high)


def _step(before: Floats, after: Floats, confidence: float) -> Location:
    origin = float(np.median(before))
    found = unpaired(np.exp(before - origin), np.exp(after - origin), confidence)
    value, low, high = (x and log(x) for x in (found.value, found.low, found.high))
    return Location(value, low, high, confidence, float(min(len(before), len(after))))


def _widened(found: Location, wider: float) -> Location:
    if found.value is None or found.low is None or found.high is None:
        return found
    low, high = (found.value + wider * (end - found.value) for end in (found.low, found.high))
    return replace(found, low=low, high=high)


def _wider(values: Floats, ends: Sequence[int]) -> float:
    """How many times wider an interval is than that over as many independent runs.

    √((1 + ρ) / (1 - ρ)) for a likeness of ρ, which few runs tell badly, and rather too low.
    """
    alike = likeness(values, ends)
    alike = min(alike + _ERRORS * sqrt((1 - alike * alike) / len(values)), MOST_LIKENESS)
    return sqrt((1 + alike) / (1 - alike))
