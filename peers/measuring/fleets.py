"""Which node stands apart: how often a healthy fleet is blamed, and a slow node found."""

from collections.abc import Callable, Sequence

import numpy as np
from table import Table, held

from shapes import Random, correlated
from stend.comparing.outliers import CONFIDENCE, OF_LINKS, SMALLEST
from stend.statistics import Floats, Standing, beside_others, ends_of_links

PROCESSES = 3
"""Of a quick run; --full has five or more."""

Noise = Callable[[Random, int], Floats]
"""Logarithms of the figures of n nodes, a row a node, a column a process."""


def nodes(random: Random, n: int, deviation: float) -> Floats:
    return deviation * random.standard_normal((n, 1))


def heavy(random: Random, n: int, deviation: float) -> Floats:
    """Student's t with three degrees of freedom, of that standard deviation."""
    return deviation * random.standard_t(3, (n, PROCESSES)) / np.sqrt(3)


def normal(random: Random, n: int, deviation: float) -> Floats:
    return deviation * random.standard_normal((n, PROCESSES))


def wandering(random: Random, n: int) -> Floats:
    return np.array([correlated(random, PROCESSES, 0.9, 0.02) for _ in range(n)])


def two_speeds(random: Random, n: int) -> Floats:
    return 0.05 * (random.random((n, PROCESSES)) < 0.3)


HEALTHY: dict[str, Noise] = {
    "nodes 0.5%, processes 0.5%": lambda r, n: nodes(r, n, 0.005) + normal(r, n, 0.005),
    "nodes 1%, processes 1%, heavy tails": lambda r, n: nodes(r, n, 0.01) + heavy(r, n, 0.01),
    "nodes 1%, wandering by 2%, φ = 0.9": lambda r, n: nodes(r, n, 0.01) + wandering(r, n),
    "nodes 1%, processes on two speeds, 5% apart": lambda r, n: (
        nodes(r, n, 0.01) + two_speeds(r, n) + normal(r, n, 0.003)
    ),
    "nodes 2%, processes 3%, heavy tails": lambda r, n: nodes(r, n, 0.02) + heavy(r, n, 0.03),
}
UNLIKE: dict[str, Noise] = {
    "nodes 3%, processes 1%": lambda r, n: nodes(r, n, 0.03) + normal(r, n, 0.01),
    "nodes 5%, processes 1%": lambda r, n: nodes(r, n, 0.05) + normal(r, n, 0.01),
    "nodes 1% with heavy tails, processes 1%": lambda r, n: (
        0.01 * r.standard_t(3, (n, 1)) / np.sqrt(3) + normal(r, n, 0.01)
    ),
}
SIZES = (3, 4, 5, 8, 16, 64)
FIGURES = 20


def named(standings: Sequence[Standing], figures: int, smallest: float = SMALLEST) -> list[bool]:
    """Who would be named: the first step of Holm's correction, the one that a single node meets."""
    level = (1 - CONFIDENCE) / (len(standings) * figures)
    return [
        s.p is not None and s.p <= level and abs(s.shift or 0) > np.log1p(smallest)
        for s in standings
    ]


def blamed(noise: Noise, n: int, runs: int, seed: Sequence[int]) -> tuple[float, float]:
    """Percent of healthy sessions of one figure, and of twenty, in which any node is named."""
    random = np.random.default_rng(seed)
    stood = [beside_others(list(noise(random, n))) for _ in range(runs)]
    one = float(np.mean([any(named(s, 1)) for s in stood]))
    each = float(np.mean([any(named(s, FIGURES)) for s in stood]))
    return 100 * one, 100 * (1 - (1 - each) ** FIGURES)


def found(noise: Noise, n: int, runs: int, slower: float, figures: int, seed: int) -> float:
    """Percent of sessions in which the last node, slower by so much, is named."""
    random = np.random.default_rng([seed, n])
    count = 0
    for _ in range(runs):
        fleet = noise(random, n)
        fleet[-1] += np.log1p(-slower)
        count += named(beside_others(list(fleet)), figures)[-1]
    return 100 * count / runs


def _runs(n: int, runs: int) -> int:
    return max(50, runs // (4 if n > 16 else 1))


def false_alarms(runs: int) -> None:
    table = Table(
        f"Healthy fleets, at 99% over all nodes, {PROCESSES} processes each: any node named, %, "
        f"of one figure / of {FIGURES} figures ({runs} fleets each, a quarter of them of 64 nodes)",
        ["noise", *(f"{n} nodes" for n in SIZES)],
    )
    for index, (name, noise) in enumerate((HEALTHY | UNLIKE).items()):
        cells = []
        for n in SIZES:
            count = _runs(n, runs)
            one, many = blamed(noise, n, count, [500, index, n])
            allowed = 1 + 300 * np.sqrt(0.01 * 0.99 / count)
            demanded = name in HEALTHY
            bounded = held(one, lambda x, a=allowed, d=demanded: not d or x <= a, ".1f")
            cells.append(f"{bounded} / {many:.1f}")
        table.row(name if name in HEALTHY else f"({name})", *cells)


def power(runs: int) -> None:
    for figures in (1, FIGURES):
        table = Table(
            f"One node slow by 3 / 10 / 30%: named, %, among {figures} "
            f"figure{'s' * (figures > 1)} ({runs} fleets each, a quarter of them of 64 nodes)",
            ["noise", *(f"{n} nodes" for n in SIZES)],
        )
        for index, (name, noise) in enumerate(HEALTHY.items()):
            cells = []
            for n in SIZES:
                count = _runs(n, runs)
                rates = [found(noise, n, count, d, figures, 600 + index) for d in (0.03, 0.1, 0.3)]
                sure = index < 2
                last = held(rates[2], lambda x, s=sure: not s or x >= 90, ".0f")
                cells.append(f"{rates[0]:.0f} / {rates[1]:.0f} / {last}")
            table.row(name, *cells)


def as_a_whole(runs: int) -> None:
    """Twenty figures together: each node has a part of its own in all of them."""
    table = Table(
        f"Twenty figures together, nodes 1% in all of them and 1% in each, processes 1%: % of "
        f"{runs} fleets",
        ["nodes", "any named, none slow", "slow by 3% in all", "by 10%", "by 30% in one figure"],
    )
    for n in SIZES[:-1]:
        random = np.random.default_rng([800, n])

        def stood(in_all: float, in_one: float, random: Random = random, n: int = n) -> list[bool]:
            base = nodes(random, n, 0.01)
            looks = [
                base + nodes(random, n, 0.01) + normal(random, n, 0.01) for _ in range(FIGURES)
            ]
            fleet = np.array(looks)
            fleet -= np.median(np.median(fleet, axis=2), axis=1)[:, None, None]
            fleet[:, -1] += np.log1p(-in_all)
            fleet[0, -1] += np.log1p(-in_one)
            return named(beside_others(list(np.median(fleet, axis=0))), 2)

        healthy = 100 * float(np.mean([any(stood(0, 0)) for _ in range(runs)]))
        slow = [np.mean([stood(by, 0)[-1] for _ in range(runs)]) for by in (0.03, 0.1)]
        in_one = np.mean([stood(0, 0.3)[-1] for _ in range(runs)])
        table.row(
            str(n),
            held(healthy, lambda x: x <= 1 + 30 / np.sqrt(runs), ".1f"),
            *(f"{100 * rate:.0f}" for rate in (*slow, in_one)),
        )


LINK_SIZES = (3, 4, 5, 8, 16)


def links(runs: int) -> None:
    """All pairs, a link's logarithm the sum of what its ends and the way between them add."""
    table = Table(
        f"Links of all pairs, links differ by 3%, processes by 2%: % of {runs} fleets",
        ["nodes", "any named, none slow", "node slow by 20%", "by 50%", "another named with it",
         "one link slow by 50%: an end named"],
    )  # fmt: skip
    for n in LINK_SIZES:
        random = np.random.default_rng([700, n])
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]

        def stood(slow: dict[int, float], bad: int | None, pairs=pairs, random=random, n=n):
            base = 0.03 * random.standard_normal((len(pairs), 1))
            looks = base + 0.02 * random.standard_normal((len(pairs), PROCESSES))
            for node, by in slow.items():
                looks[[node in pair for pair in pairs]] += np.log1p(by)
            if bad is not None:
                looks[bad] += np.log(1.5)
            ends = np.array([ends_of_links(pairs, look) for look in looks.T]).T
            standings = beside_others(list(ends), usual=OF_LINKS)
            slow_side = [(s.shift or 0) > 0 for s in standings]
            return [a and b for a, b in zip(named(standings, 4, OF_LINKS), slow_side, strict=True)]

        count = max(40, runs // (4 if n > 8 else 1))
        healthy = [any(stood({}, None)) for _ in range(count)]
        weak = [stood({n - 1: 0.2}, None)[-1] for _ in range(count)]
        strong = [stood({n - 1: 0.5}, None) for _ in range(count)]
        one_link = [any(stood({}, 0)) for _ in range(count)]
        table.row(
            str(n),
            held(100 * float(np.mean(healthy)), lambda x, c=count: x <= 1 + 30 / np.sqrt(c), ".1f"),
            f"{100 * np.mean(weak):.0f}",
            f"{100 * np.mean([s[-1] for s in strong]):.0f}",
            f"{100 * np.mean([any(s[:-1]) for s in strong]):.1f}",
            f"{100 * np.mean(one_link):.1f}",
        )
