"""Where the level of a series of runs changed, how sure that is, and the levels between.

Runs near in time are alike, so that many tell less than as many independent ones would.

The figures of runs that are hours or days apart: tens to hundreds, heavy-tailed, each a little
like the one before. What happens inside one run is the matter of change.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from stend.statistics.location import Floats, Location, over_processes
from stend.statistics.ratios import unpaired

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


FEWEST_RUNS = 10
"""Values from which a change can be told at 99%: five and five have 252 arrangements."""
LEVEL = 0.01
"""False alarms that a series without a change may have."""

_TO_STAYS = 0.1
"""The part of the level that goes to changes which were taken back."""
_SHORTEST = 2
"""Values of a level: a single one that stands apart is an outlier."""
_ROUNDS = (199, 1800)
"""Arrangements drawn; no more than the first where a change is out of the question by then."""
_HOPELESS = 12
"""As many of the first arrangements look more like a change: p is about 0.06."""
_CLIP = 5.0
"""Robust standard deviations beyond which a value is no farther from those beside it."""
_ARTEFACT = 0.05
"""A p between its neighbours above which a change was only the shadow of others."""
_AROUND = 2
"""Values on either side that are beside one."""
_FEWEST_FOR_MORE = 30
"""Values from which further changes are looked for before their likeness is judged."""
_LEAST_DEPENDENCE = 0.3
"""Runs of one machine are taken to be at least so alike; few runs can't tell that they are not."""
MOST_LIKENESS = 0.95
"""Of runs of one level: more would be a level that moved."""

Rows = npt.NDArray[np.float64]
"""Series of equal length, one a row, each with the mean 0."""
Ends = npt.NDArray[np.intp]
"""Where each row's level changes: one or two indices a row."""
Best = Callable[[Rows], tuple[Floats, Ends]]


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """Between the values before `index` and those from it on, the level changed."""

    index: int
    p: float
    """The chance that an unchanged series looks as much like it; never below 1/2000."""


def change_points(values: Floats) -> tuple[ChangePoint, ...]:
    """Where the level of finite values in the order of time changed; none below ten values.

    Binary segmentation by the largest CUSUM, and where that finds nothing by the largest of a
    stretch against what surrounds it, for changes that were taken back (circular binary
    segmentation, Olshen and others 2004). As in E-divisive (Matteson and James 2014) its chance
    comes from arrangements of the same values, so that heavy tails and two levels between which
    runs jump at random are no change. Runs near in time are alike, though, and arranging them
    anew destroys that: so what is arranged is each value less ρ times the one before, and the
    likeness is put back afterwards (the sieve bootstrap of Bühlmann 1997 with one coefficient). ρ
    is estimated beside the change, its bias mended and one standard error added, and is at least
    0.3. The arrangements are drawn from a fixed seed.
    """
    found = sorted(_within(values, 0), key=lambda point: point.index)
    while found:
        edges = [0, *(point.index for point in found), len(values)]
        found, doubts = _again(values, found, edges)
        weakest = int(np.argmax(doubts))
        if doubts[weakest] <= _ARTEFACT:
            break
        del found[weakest]
    return tuple(found)


def _again(
    values: Floats, points: Sequence[ChangePoint], edges: Sequence[int]
) -> tuple[list[ChangePoint], list[float]]:
    """Each change looked for once more between its neighbours, and its p there.

    While others were not yet found it stood nearer to them, or was no more than their shadow
    (Bai 1997, "Estimating multiple breaks one at a time").
    """
    found, doubts = [], []
    for point, before, after in zip(points, edges, edges[2:], strict=False):
        ends, p = _tested(_clipped(values[before:after]), _split)
        found.append(replace(point, index=before + ends[0]))
        doubts.append(p if after - before >= FEWEST_RUNS else 0.0)
    return found, doubts


def steadily(values: Floats, times: Floats, points: Sequence[ChangePoint]) -> float | None:
    """By how much the values drift from the first to the last; None where levels fit better.

    A straight line in time against the levels between the change points, by Schwarz's
    information criterion (1978): a slow drift is found as steps, but needs many of them.
    """
    n = len(values)
    if not points or np.ptp(times) == 0:
        return None
    steps = float(np.sum(_residuals(values, [point.index for point in points]) ** 2))
    slope, start = np.polyfit(times - times[0], values, 1)
    line = float(np.sum((values - start - slope * (times - times[0])) ** 2))
    if n * np.log(max(line, 1e-300) / max(steps, 1e-300)) > (2 * len(points) - 1) * np.log(n):
        return None
    return float(slope * np.ptp(times))


def likeness(values: Floats, ends: Sequence[int]) -> float:
    """How alike successive values are beside level changes at `ends`: ρ of lag one, bias mended.

    Fitting a mean to each level takes about (1 + 4ρ)/n from ρ (Marriott and Pope 1954 for one).
    """
    rest = _residuals(values, ends)
    power = float(rest @ rest)
    if power == 0.0:
        return 0.0
    found = float(rest[1:] @ rest[:-1]) / power
    return min(max(found + (1 + 4 * found) / len(rest), 0.0), MOST_LIKENESS)


def _within(values: Floats, first: int) -> list[ChangePoint]:
    """The changes of one part of the series, which begins at `first`."""
    n = len(values)
    if n < FEWEST_RUNS or np.ptp(values) == 0:
        return []
    x = _clipped(values)
    ends, p = _tested(x, _split)
    if p > LEVEL * (1 - _TO_STAYS):
        ends, p = _tested(x, _stretch)
        if p > LEVEL * _TO_STAYS:
            return []
    edges = [0, *ends, n]
    inner = [point for a, b in pairwise(edges) for point in _within(values[a:b], first + a)]
    return [*(ChangePoint(first + end, p) for end in ends), *inner]


def _place(part: Floats) -> int:
    """Where a part with one change has it: nearer than where several were looked for at once."""
    return int(_split(_clipped(part)[None])[1][0, 0])


def _clipped(values: Floats) -> Floats:
    """The values less their mean, none too far from those beside it.

    One wild run must not hide a change. The width is that of the differences between neighbours,
    which a few changes of level don't widen (Hampel's filter, but cutting instead of replacing).
    """
    width = 1.4826 / sqrt(2) * float(np.median(np.abs(np.diff(values))))
    around = np.pad(values, _AROUND, constant_values=np.nan)
    near = np.lib.stride_tricks.sliding_window_view(around, 2 * _AROUND + 1)
    middle = np.nanmedian(near, axis=1)
    cut = _CLIP * width if width else np.inf
    x = np.clip(values, middle - cut, middle + cut)
    return np.asarray(x - x.mean())


def _residuals(values: Floats, ends: Sequence[int]) -> Floats:
    """What the means of the levels leave."""
    return np.concatenate([part - part.mean() for part in np.split(values, ends)])


def _tested(x: Floats, best: Best) -> tuple[list[int], float]:
    """Where the change is that `best` likes most, and its p."""
    found, at = best(x[None])
    ends = [int(end) for end in at[0]]
    alike = _alike(x, ends)
    alike = max(alike + sqrt((1 - alike * alike) / len(x)), _LEAST_DEPENDENCE)
    alike = min(alike, MOST_LIKENESS)
    chance = np.random.default_rng(len(x))
    drawn = reached = 0
    for count in _ROUNDS:
        others, _ = best(_arranged(x, alike, count, chance))
        reached += int(np.count_nonzero(others >= found[0] * (1 - 1e-9)))
        drawn += count
        if reached >= _HOPELESS:
            break
    return ends, (1 + reached) / (1 + drawn)


def _alike(x: Floats, ends: Sequence[int]) -> float:
    """`likeness` beside a change, and beside one more in each part where that leaves less.

    A second change, not yet found, looks like likeness and would hide the first.
    """
    found = likeness(x, ends)
    if len(x) < _FEWEST_FOR_MORE:
        return found
    more = set(ends)
    for a, b in pairwise([0, *ends, len(x)]):
        more |= {a + _place(x[a:b])} if b - a >= FEWEST_RUNS else set()
    other = likeness(x, sorted(more))
    return min(found, other + (1 + 4 * other) * (len(more) - len(ends)) / 2 / len(x))


def _arranged(x: Floats, alike: float, count: int, chance: "np.random.Generator") -> Rows:
    """Series of the same variance and likeness whose values come in any order."""
    fresh = x.copy()
    fresh[1:] -= alike * x[:-1]
    columns = chance.permuted(np.tile(fresh, (count, 1)), axis=1).T.copy()
    columns -= columns.mean(axis=0)
    columns[0] /= sqrt(1 - alike * alike)  # the first has no one before, and is as wide as all
    for before, column in pairwise(columns):
        column += alike * before
    columns -= columns.mean(axis=0)
    power = np.maximum(np.sum(columns**2, axis=0), 1e-300)
    return np.asarray((columns * np.sqrt(float(x @ x) / power)).T)


def _split(rows: Rows) -> tuple[Floats, Ends]:
    """The largest CUSUM of each row, and where its second level begins."""
    n = rows.shape[1]
    k = np.arange(_SHORTEST, n - _SHORTEST + 1)
    height = np.abs(np.cumsum(rows, axis=1)[:, k - 1]) / np.sqrt(k * (n - k) / n)
    at = height.argmax(axis=1)
    return np.take_along_axis(height, at[:, None], axis=1)[:, 0], k[at][:, None]


def _stretch(rows: Rows) -> tuple[Floats, Ends]:
    """The stretch of each row that differs most from the rest, and where it begins and ends."""
    count, n = rows.shape
    sums = np.concatenate([np.zeros((count, 1)), np.cumsum(rows, axis=1)], axis=1)
    best, ends = np.full(count, -1.0), np.zeros((count, 2), dtype=np.intp)
    for length in _lengths(n):
        inside = np.abs(sums[:, length:] - sums[:, :-length])[:, _SHORTEST : n - length - 1]
        height = inside / sqrt(length * (n - length) / n)
        at = height.argmax(axis=1)
        highest = np.take_along_axis(height, at[:, None], axis=1)[:, 0]
        better = highest > best
        best = np.where(better, highest, best)
        begin = at + _SHORTEST
        ends[better] = np.stack([begin, begin + length], axis=1)[better]
    return best, ends


def _lengths(n: int) -> list[int]:
    """Each about a quarter longer than the one before, up to half of the series."""
    found, length = [], _SHORTEST
    while length <= n // 2:
        found.append(length)
        length = max(length + 1, int(1.25 * length))
    return found
