"""JMH's JSON (`-rf json -rff FILE`): a sample for each fork, a value for each iteration."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from stend.errors import RunFileError
from stend.foreign.cases import TIME, Process, Result, Told
from stend.record import Machine, Metric
from stend.statistics import Floats

TOOL = "JMH"
FAMILY = "jmh"

_SECONDS = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "hr": 3600.0, "day": 86400.0,
}  # fmt: skip
_RATE = Metric(name="throughput", unit="op/s", better="higher")

Histogram = list[tuple[float, int]]
"""Pairs of a time and how many calls took it."""


class _Score(msgspec.Struct):
    scoreUnit: str  # noqa: N815
    rawData: list[list[float]] = []  # noqa: N815
    rawDataHistogram: list[list[Histogram]] = []  # noqa: N815


class Benchmark(msgspec.Struct):
    """What is read of an entry of a file."""

    jmhVersion: str  # noqa: N815
    benchmark: str
    mode: str
    primaryMetric: _Score  # noqa: N815
    secondaryMetrics: dict[str, _Score] = {}  # noqa: N815
    threads: int = 1
    params: dict[str, str] = {}
    jdkVersion: str = ""  # noqa: N815
    jvmArgs: list[str] = []  # noqa: N815


File = list[Benchmark]


def told(file: File) -> Told:
    """All that a file tells; it has no time of day and no host."""
    versions = {TOOL: file[0].jmhVersion, "JDK": file[0].jdkVersion} if file else {}
    return Told(
        tool=" ".join([TOOL, *list(versions.values())[:1]]),
        results=[_result(benchmark) for benchmark in file],
        machine=Machine(versions={name: version for name, version in versions.items() if version}),
    )


def _result(of: Benchmark) -> Result:
    rate, scale = _unit(of.primaryMetric.scoreUnit)
    forks = [scale * fork for fork in _forks(of.primaryMetric)]
    also = {
        f"{name} {score.scoreUnit}": list(_forks(score))
        for name, score in of.secondaryMetrics.items()
    }
    processes = [
        Process(fork, also={n: c[i] for n, c in also.items() if _fits(c, forks)})
        for i, fork in enumerate(forks)
    ]
    return Result(
        f"{FAMILY}.{of.benchmark}",
        processes,
        {"mode": of.mode, "threads": of.threads, **of.params},
        metric=_RATE if rate else TIME,
        question="How many calls are made in a second?" if rate else "How long does one call take?",
        failed="" if any(map(len, forks)) else "The file has no iteration of it.",
        detail={"JVM's arguments": " ".join(of.jvmArgs)} if of.jvmArgs else {},
    )


def _fits(columns: Sequence[Floats], forks: Sequence[Floats]) -> bool:
    return [len(column) for column in columns] == [len(fork) for fork in forks]


def _unit(unit: str) -> tuple[bool, float]:
    """Whether it is a rate, and what one is in seconds, or a second."""
    top, _, bottom = unit.partition("/")
    if top == "ops" and bottom in _SECONDS:
        return True, 1 / _SECONDS[bottom]
    if bottom == "op" and top in _SECONDS:
        return False, _SECONDS[top]
    raise RunFileError(f"A score has the unit {unit!r}; known are those like ops/s and us/op.")


def _forks(score: _Score) -> Iterator[Floats]:
    """The scores of each fork's iterations; of a histogram, the mean, as JMH has it."""
    for scores in score.rawData:
        yield np.array(scores)
    for iterations in score.rawDataHistogram:
        yield np.array([_mean(histogram) for histogram in iterations])


def _mean(histogram: Histogram) -> float:
    calls = sum(count for _, count in histogram)
    return sum(value * count for value, count in histogram) / calls if calls else float("nan")
