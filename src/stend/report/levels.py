"""Latency by size → the levels of the memory: where the curve leaves each, and its latency.

Pure functions; `caches.py` sets what they find beside what the OS reports.

Of a cache of C bytes, random loads over S > C bytes miss the share 1 − C/S: the curve leaves
the cache at C and fades into the next level over several octaves. So what tells the end of a
cache is not where the curve is flat, but where it rises most within an octave: from C to 2C.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stend.comparing.values import Values

STEP = 1.3
"""A rise within an octave by less than this factor ends no level: noise, or a TLB that fills."""
_BETWEEN = 0.5
"""Between two ends the rise falls, on a log scale, below this share of the lesser of theirs."""
_TOP = 0.9
"""Rises of at least this share of the highest are its top, and the last size within the first
octave of it is the end: a cache that is left at once, between two sizes, makes all sizes of the
octave below rise alike."""


@dataclass(frozen=True, slots=True)
class Plateau:
    """The sizes that one level holds."""

    first: float
    """The smallest size beyond the level before, bytes."""
    last: float
    """The largest size on it, bytes."""
    beyond: float | None
    """The next size that was measured: the curve has left the level there. None: it hasn't."""
    latency: float
    """The median over the last octave of its sizes, where it is purest, in seconds."""
    span: tuple[float, float]
    """The lowest and the highest latency of these."""


def plateaus(sizes: Sequence[float], latencies: Sequence[float]) -> tuple[Plateau, ...]:
    """The levels of a latency curve, smallest first; none where it is too short to show any.

    Latencies are first made to grow with the size, as those of true caches do: a median of
    three takes single spikes out (it leaves every monotone curve as it is), and the geometric
    mean of the highest so far and the lowest to come evens out what noise is left. A cache is
    left somewhere between `last` and `beyond`: the sampling tells no more.
    """
    if len(sizes) < 3 or min(sizes) <= 0 or not all(0 < x < np.inf for x in latencies):
        return ()
    order = np.argsort(sizes, kind="stable")
    at = np.log2(np.asarray(sizes, dtype=np.float64)[order])
    raw = np.asarray(latencies, dtype=np.float64)[order]
    ends = [*_ends(at, _rises(at, _growing(np.log(raw)))), len(at) - 1]
    begins = [0, *(end + 1 for end in ends[:-1])]
    return tuple(_plateau(i, j, at, raw) for i, j in zip(begins, ends, strict=True) if i <= j)


def _growing(y: Values) -> Values:
    """The curve without spikes, nowhere falling."""
    middle = np.median([y[:-2], y[1:-1], y[2:]], axis=0)
    y = np.concatenate([[min(y[0], middle[0])], middle, [max(y[-1], middle[-1])]])
    highest, lowest = np.maximum.accumulate(y), np.minimum.accumulate(y[::-1])[::-1]
    return np.asarray((highest + lowest) / 2)


def _rises(at: Values, steady: Values) -> Values:
    """How much the curve rises within an octave of each size, or up to the next if it is farther.

    None from the last size on.
    """
    following = np.append(at[1:], at[-1])
    return np.asarray(np.interp(np.maximum(at + 1, following), at, steady) - steady)


def _ends(at: Values, rises: Values) -> list[int]:
    """The last index of each level but the last: tops of the rise with a valley between them."""
    found: list[int] = []
    for i in np.argsort(-rises, kind="stable"):
        if rises[i] < np.log(STEP):
            break
        if all(_apart(rises, int(i), other) for other in found):
            found.append(int(i))
    return sorted({_end(at, rises, i) for i in found})


def _apart(rises: Values, i: int, other: int) -> bool:
    low, high = sorted((i, other))
    return bool(rises[low : high + 1].min() < _BETWEEN * rises[i])


def _end(at: Values, rises: Values, highest: int) -> int:
    least, first = _TOP * rises[highest], highest
    while first > 0 and rises[first - 1] >= least:
        first -= 1
    last = first
    while rises[last + 1] >= least and at[last + 1] < at[first] + 0.99:
        last += 1
    return last


def _plateau(i: int, j: int, at: Values, raw: Values) -> Plateau:
    sizes = np.exp2(at)
    beyond = float(sizes[j + 1]) if j + 1 < len(at) else None
    pure = raw[i : j + 1][at[i : j + 1] >= at[j] - 1]
    span = (float(pure.min()), float(pure.max()))
    return Plateau(float(sizes[i]), float(sizes[j]), beyond, float(np.median(pure)), span)
