"""The levels of memory by the latency curve, compared with the caches that the OS reports.

Pure functions; `caches.py` sets what they find beside what the OS reports.

Of a cache of C bytes, random loads over S > C bytes miss the share 1 − C/S: the curve leaves
the cache at C and fades into the next level over several octaves. So what tells the end of a
cache is not where the curve is flat, but where it rises most within an octave: from C to 2C.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache as remembered
from math import log2

import numpy as np

from stend.comparing.estimate import Values
from stend.record import Cache
from stend.report.quantities import binary

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
        if all(_separated(rises, int(i), other) for other in found):
            found.append(int(i))
    return sorted({_end(at, rises, i) for i in found})


def _separated(rises: Values, i: int, other: int) -> bool:
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


_ABOUT = 1.5
"""Sizes within this factor agree: other data, and pages that share sets, take part of a cache."""
_FAR = 3.0
"""Octaves at which a reported cache and a plateau are rather two things than one."""
_ENOUGH = 4
"""Sizes within two octaves either side of a cache's end that must be there to show it."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the memory: as reported, and as the curve shows it."""

    name: str
    """"L1d", "L2", …, "memory"; "not reported" for one that only the curve shows."""
    reported: int | None
    """Bytes, as the OS says."""
    seen: tuple[float, float] | None
    """The curve is still on the level at the first size and has left it at the second, bytes."""
    latency: float | None
    """Seconds; None where no size was measured that lies in it."""
    span: tuple[float, float] | None = None
    """The lowest and the highest latency of its sizes; in `limits` with the interval of each."""
    at: float | None = None
    """The one size that `latency` is of, where the curve shows no plateau."""
    said: str = ""
    """What the OS and the curve disagree about."""

    @property
    def bytes(self) -> float | None:
        """What of it can be used: what the curve shows, or else what is reported."""
        return self.seen[0] if self.seen and self.said else self.reported or (
            self.seen[0] if self.seen else None)  # fmt: skip


def name_of(cache: Cache) -> str:
    """As people write it: L1d, L2, L3."""
    return f"L{cache.level}{'d' if cache.kind == 'data' else ''}"


def levels(
    sizes: Sequence[float], latencies: Sequence[float], caches: Sequence[Cache]
) -> tuple[Level, ...]:
    """Every cache that holds data, what else the curve shows, and memory last."""
    if not sizes:
        return ()
    reported = of_data(caches)
    curve = sorted(zip(sizes, latencies, strict=True))
    found = plateaus(sizes, latencies)
    edges = [p for p in found if p.beyond is not None]
    rows = [_row(c, p, curve, reported) for c, p in _pairing(tuple(reported), tuple(edges))]
    last = found[-1] if found and found[-1].beyond is None else None
    return (*rows, *_memory(rows, last, curve))


def sentences(found: Sequence[Level]) -> tuple[str, ...]:
    """What the OS and the curve disagree about."""
    return tuple(level.said for level in found if level.said)


def of_data(caches: Sequence[Cache]) -> list[Cache]:
    """One of each level, the largest where cores differ."""
    data = sorted((c for c in caches if c.kind != "instruction"), key=lambda c: c.bytes)
    return [c for _, c in sorted({c.level: c for c in data}.items())]


Pair = tuple[Cache | None, Plateau | None]


def _pairing(caches: tuple[Cache, ...], edges: tuple[Plateau, ...]) -> list[Pair]:
    """Pair caches and plateaus in their order, so that the octaves between the pairs are fewest.

    What stays alone costs `_FAR` octaves: with two alone, a pair may be twice as far apart.
    """

    @remembered
    def best(i: int, j: int) -> tuple[float, tuple[Pair, ...]]:
        ways: list[tuple[float, tuple[Pair, ...]]] = []
        if i < len(caches):
            cost, rest = best(i + 1, j)
            ways.append((cost + _FAR, ((caches[i], None), *rest)))
        if j < len(edges):
            cost, rest = best(i, j + 1)
            ways.append((cost + _FAR, ((None, edges[j]), *rest)))
        if i < len(caches) and j < len(edges):
            cost, rest = best(i + 1, j + 1)
            ways.append((cost + _octaves(caches[i], edges[j]), ((caches[i], edges[j]), *rest)))
        return min(ways, key=lambda way: way[0], default=(0.0, ()))

    return list(best(0, 0)[1])


def _octaves(cache: Cache, plateau: Plateau) -> float:
    assert plateau.beyond is not None
    if plateau.last <= cache.bytes <= plateau.beyond:
        return 0.0
    return min(abs(log2(cache.bytes / end)) for end in (plateau.last, plateau.beyond))


def _row(
    cache: Cache | None,
    plateau: Plateau | None,
    curve: Sequence[tuple[float, float]],
    reported: Sequence[Cache],
) -> Level:
    if plateau is None:
        assert cache is not None
        at, latency = _inside(cache, curve, reported)
        said = _unseen(cache, curve)
        return Level(name_of(cache), cache.bytes, None, latency, at=at, said=said)
    assert plateau.beyond is not None
    seen = (plateau.last, plateau.beyond)
    if cache is None:
        said = (
            f"The curve leaves a level {between(seen)} that the OS does not report: a cache "
            "hidden from it, or the reach of the TLB."
        )
        return Level("not reported", None, seen, plateau.latency, plateau.span, said=said)
    last = cache is reported[-1]
    said = _wrong(cache, seen, last)
    return Level(name_of(cache), cache.bytes, seen, plateau.latency, plateau.span, said=said)


def _inside(
    cache: Cache, curve: Sequence[tuple[float, float]], reported: Sequence[Cache]
) -> tuple[float | None, float | None]:
    """The largest size well within the cache and well beyond the one before, and its latency."""
    before = max((c.bytes for c in reported if c.level < cache.level), default=0)
    there = [p for p in curve if 2 * before <= p[0] <= 0.8 * cache.bytes]
    return there[-1] if there else (None, None)


def _unseen(cache: Cache, curve: Sequence[tuple[float, float]]) -> str:
    name, size = name_of(cache), binary(cache.bytes)
    smallest, largest = curve[0][0], curve[-1][0]
    if smallest > cache.bytes:
        return f"The smallest size measured, {binary(smallest)}, is beyond the {name} of {size}."
    if largest < _ABOUT * cache.bytes:
        return (
            f"The sizes measured end at {binary(largest)}, before the curve could leave the "
            f"{name} of {size}."
        )
    if sum(cache.bytes / 4 <= at <= 4 * cache.bytes for at, _ in curve) < _ENOUGH:
        return f"Too few sizes were measured to show where the {name} of {size} ends."
    return f"The curve has no step at the {size} of the {name} that the OS reports."


def _wrong(cache: Cache, seen: tuple[float, float], last: bool) -> str:
    name, size = name_of(cache), binary(cache.bytes)
    if cache.bytes > _ABOUT * seen[1]:
        why = (
            "it is shared with others, or belongs to the host" if last else "a part of it is taken"
        )
        return (
            f"The OS reports an {name} of {size}, but the curve leaves it {between(seen)}: {why}."
        )
    if cache.bytes < seen[0] / _ABOUT:
        return (
            f"The OS reports an {name} of {size}, but the curve leaves it later, "
            f"{between(seen)}: the OS may see only a part of it."
        )
    return ""


def between(seen: tuple[float, float]) -> str:
    """Where a level ends, in words: the sampling tells no more than the sizes about its end."""
    return f"between {binary(seen[0])} and {binary(seen[1])}"


def _memory(
    rows: Sequence[Level], last: Plateau | None, curve: Sequence[tuple[float, float]]
) -> tuple[Level, ...]:
    """What lies beyond the last cache; nothing where the sizes end within it."""
    largest, latency = curve[-1]
    if any(r.seen is None and r.reported and largest < _ABOUT * r.reported for r in rows):
        return ()
    if last is None:
        return (Level("memory", None, None, latency, at=largest),)
    said = ""
    if last.span[1] > STEP * last.span[0] or last.first == last.last:
        said = f"The latency still grows at the largest size measured, {binary(largest)}."
    return (Level("memory", None, None, last.latency, last.span, said=said),)
