"""Change points against series whose changes are known: false alarms, places, what is found."""

from collections.abc import Callable

import numpy as np
from table import Table, held

from stend.statistics import Floats, change_points

Kind = Callable[[np.random.Generator, int], Floats]


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
    for levels in (
        ((13, 0.0), (3, 5.0)),
        ((20, 0.0), (3, 5.0)),
        ((15, 0.0), (5, 5.0)),
        ((20, 0.0), (10, 5.0)),
        ((30, 0.0), (30, 2.0)),
        ((50, 0.0), (10, 3.0)),
        ((20, 0.0), (20, 5.0), (20, 10.0)),
        ((20, 0.0), (20, 5.0), (20, 0.0)),
        ((40, 0.0), (5, 5.0), (40, 0.0)),
    ):
        cells = []
        for kind in (_gauss, _alike(0.3)):
            within = [_places(kind, i, levels) for i in range(count)]
            one, two = (100 * np.mean([w <= allowed for w in within]) for allowed in (1, 2))
            cells.append(f"{one:.0f} / {two:.0f}")
        table.row(", ".join(f"{n} × {level:g}" for n, level in levels), *cells)


def _found(kind: Kind, seed: int, n: int) -> list[int]:
    return [point.index for point in change_points(kind(np.random.default_rng([seed, n]), n))]


def _places(kind: Kind, seed: int, levels: tuple[tuple[int, float], ...]) -> float:
    """How many runs the worst found place is off; infinite where there are more or fewer."""
    counts = [n for n, _ in levels]
    x = kind(np.random.default_rng([seed, 1]), sum(counts))
    x += np.repeat([level for _, level in levels], counts)
    true = np.cumsum(counts)[:-1]
    places = [point.index for point in change_points(x)]
    if len(places) != len(true):
        return np.inf
    return float(np.max(np.abs(np.array(places) - true)))
