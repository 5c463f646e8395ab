"""Change points against series whose changes are known: false alarms, places, what is found.

And the intervals of levels and changes: how often they hold the true one.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from table import Table, held

from stend.statistics import Floats, Location, change_points, levels, steps

Kind = Callable[[np.random.Generator, int], Floats]
Levels = tuple[tuple[int, float], ...]
"""Of a series: how many runs, at which height, in standard deviations between runs."""


def _gauss(chance: np.random.Generator, n: int) -> Floats:
    return chance.standard_normal(n)


def _alike(phi: float) -> Kind:
    """Each run a little like the one before: AR(1) of variance 1."""

    def series(chance: np.random.Generator, n: int) -> Floats:
        x = chance.standard_normal(n)
        for i in range(1, n):
            x[i] = phi * x[i - 1] + np.sqrt(1 - phi * phi) * x[i]
        return x

    return series


KINDS: dict[str, Kind] = {
    "Gaussian": _gauss,
    "Student's t, 2 degrees": lambda chance, n: chance.standard_t(2, n),
    "two levels 70/30, 8 deviations apart": lambda chance, n: (
        chance.standard_normal(n) + 8.0 * (chance.random(n) < 0.3)
    ),
    "AR(1) φ = 0.3": _alike(0.3),
    "AR(1) φ = 0.6": _alike(0.6),
}
LENGTHS = (12, 20, 30, 50, 100)
CHANGED: tuple[Levels, ...] = (
    ((13, 0.0), (3, 5.0)),
    ((20, 0.0), (3, 5.0)),
    ((15, 0.0), (5, 5.0)),
    ((20, 0.0), (10, 5.0)),
    ((30, 0.0), (30, 2.0)),
    ((50, 0.0), (10, 3.0)),
    ((20, 0.0), (20, 5.0), (20, 10.0)),
    ((20, 0.0), (20, 5.0), (20, 0.0)),
    ((40, 0.0), (5, 5.0), (40, 0.0)),
)
CONFIDENCE = 0.95


def false_alarms(count: int) -> None:
    """Share of unchanged series in which any change is found; the last kind has no target."""
    table = Table(
        f"Unchanged series of runs: any change found, %, {count} each",
        ["runs are", *(f"{n} runs" for n in LENGTHS)],
    )
    for name, kind in KINDS.items():
        shares = [100 * np.mean([_found(kind, i, n) != [] for i in range(count)]) for n in LENGTHS]
        bound = 100.0 if name.endswith("0.6") else 1.0 + 3 * np.sqrt(99.0 / count)
        table.row(name, *(held(float(x), lambda x, b=bound: x <= b, ".1f") for x in shares))


def changes(count: int) -> None:
    """Share of changed series in which every change is found within one or two runs, no other."""
    table = Table(
        f"Changed series: exactly these changes found, within a run / two, %, {count} each",
        ["levels, in deviations between runs", "Gaussian", "AR(1) φ = 0.3"],
    )
    for series in CHANGED:
        cells = []
        for kind in (_gauss, _alike(0.3)):
            within = [_off(kind, i, series)[0] for i in range(count)]
            one, two = (100 * np.mean([w <= allowed for w in within]) for allowed in (1, 2))
            cells.append(f"{one:.0f} / {two:.0f}")
        table.row(_said(series), *cells)


def coverage(count: int) -> None:
    """Of series whose changes were found as they are: how often intervals hold the true values."""
    kinds = {name: KINDS[name] for name in ("Gaussian", "AR(1) φ = 0.3", "AR(1) φ = 0.6")}
    table = Table(
        f"95% intervals that hold the true level / the true change, %, {count} each",
        ["levels, in deviations between runs", *kinds],
    )
    for series in (*(((n, 0.0),) for n in LENGTHS), *CHANGED):
        cells = []
        for kind in kinds.values():
            held_levels, held_steps = _held(kind, series, count)
            cells.append(" / ".join(_rate(one) for one in (held_levels, held_steps) if one))
        table.row(_said(series), *cells)


def _held(kind: Kind, series: Levels, count: int) -> tuple[list[bool], list[bool]]:
    """Whether each level's interval holds it, and each step's."""
    heights = [height for _, height in series]
    of_levels, of_steps = [], []
    for i in range(count):
        off, x, ends = _off(kind, i, series)
        if off <= 2:
            of_levels += _hold(levels(x, ends, CONFIDENCE), heights)
            of_steps += _hold(steps(x, ends, CONFIDENCE), np.diff(heights))
    return of_levels, of_steps


def _hold(found: Sequence[Location], true: Iterable[float]) -> list[bool]:
    return [
        one.low <= value <= one.high
        for one, value in zip(found, true, strict=True)
        if one.low is not None and one.high is not None
    ]


def _rate(hits: Sequence[bool]) -> str:
    """At least 94%, but for the counting error: two standard errors."""
    error = 2 * np.sqrt(94.0 * 6.0 / len(hits))
    return held(100 * float(np.mean(hits)), lambda x: x >= 94.0 - error, ".1f")


def _said(series: Levels) -> str:
    return ", ".join(f"{n} × {height:g}" for n, height in series)


def _found(kind: Kind, seed: int, n: int) -> list[int]:
    return [point.index for point in change_points(kind(np.random.default_rng([seed, n]), n))]


def _off(kind: Kind, seed: int, series: Levels) -> tuple[float, Floats, list[int]]:
    """How many runs the worst found place is off (infinite where there are more or fewer).

    Also the series, and the places.
    """
    counts = [n for n, _ in series]
    x = kind(np.random.default_rng([seed, 1]), sum(counts))
    x += np.repeat([height for _, height in series], counts)
    true = np.cumsum(counts)[:-1]
    places = [point.index for point in change_points(x)]
    if len(places) != len(true):
        return np.inf, x, places
    return float(np.max(np.abs(np.array(places) - true), initial=0.0)), x, places
