"""Pairs of hosts that exchange messages, in the order of a tournament, and their cases."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import Benchmark
from stend.errors import UsageError
from stend.processes.mpi import joined
from stend.record import Machine
from stend.running.session import Asked

if TYPE_CHECKING:
    from stend.running.plan import Planned

BENCHMARK = "mpi.pingpong"
FAMILY = "mpi."

ALL_PAIRS = 16
"""Hosts of which every pair is measured: 120 pairs. Beyond, each host has a few partners."""

DISTANCES = (1, 2, 4, 8)
"""On a ring of more hosts. Neighbours and their neighbours make triangles, which it takes to tell
the slow end of a link from the other."""

_SIZES = ["8", "1MiB"]
"""Bytes of a message where the user names none: a latency and a bandwidth."""

Pair = tuple[str, str]


def tournament(hosts: Sequence[str]) -> list[Pair]:
    """All pairs, round by round, so that a host rests while the others of its round play.

    The circle method of a round robin: one host stays, the others turn around it.
    """
    circle: list[str | None] = [*hosts, *([None] if len(hosts) % 2 else [])]
    found: list[Pair] = []
    order = {host: place for place, host in enumerate(hosts)}
    for _ in range(len(circle) - 1):
        for a, b in zip(circle, reversed(circle[len(circle) // 2 :]), strict=False):
            if a is not None and b is not None:
                found.append((a, b) if order[a] < order[b] else (b, a))
        circle.insert(1, circle.pop())
    return found


def ring(hosts: Sequence[str], distances: Sequence[int] = DISTANCES) -> list[Pair]:
    """Each host with those at some distances along a ring of all, in the order of the hosts."""
    n = len(hosts)
    return [(hosts[i], hosts[(i + d) % n]) for d in distances for i in range(n)]


def pairs_of(hosts: Sequence[str]) -> tuple[list[Pair], str]:
    """The pairs to measure, and a sentence when they are not all."""
    if len(hosts) <= ALL_PAIRS:
        return tournament(hosts), ""
    found = ring(hosts)
    away = ", ".join(map(str, DISTANCES))
    return found, (
        f"Each of {len(hosts)} nodes is paired with those {away} places away ({len(found)} "
        f"pairs); all pairs are measured only for up to {ALL_PAIRS} nodes."
    )


def wants_pairs(benchmarks: Sequence[Benchmark]) -> Benchmark | None:
    """The benchmark that measures a pair, when one of its family was asked for."""
    from stend.benchmarks.registry import load

    if not any(benchmark.name.startswith(FAMILY) for benchmark in benchmarks):
        return None
    return load()[0].get(BENCHMARK)


def planned_pairs(
    benchmark: Benchmark, asked: Asked, pairs: Sequence[Pair], machine: Machine
) -> "tuple[Planned, ...]":
    """The cases of all pairs; none where not one can be measured."""
    from stend.running.plan import Choice, plan

    known = {k: v for k, v in asked.settings.items() if k in benchmark.parameters}
    usual = {} if asked.size == "full" or "bytes" not in benchmark.parameters else {"bytes": _SIZES}
    settings = {**usual, **known, "hosts": [joined(pair) for pair in pairs], "place": ["nodes"]}
    names = {variant.name for variant in benchmark.available()} | {"all", "default"}
    variants = [name for name in asked.variants if name in names]
    try:
        return plan([benchmark], machine, Choice(asked.size, settings, variants))
    except UsageError as error:
        raise UsageError(f"The pairs of nodes can't be measured: {error}") from error
