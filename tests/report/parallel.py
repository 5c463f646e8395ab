"""A made-up run of threads, cores, NUMA nodes and messages: four nodes of a two-way machine."""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

import made
from report.example import timed
from stend.record import CaseRecord, Integers, Machine, Metric, NumaNode, Numbers, Run, Sample, Work

TIME = Metric(name="time", unit="s", better="lower")
LATENCY = Metric(name="latency", unit="s", better="lower")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")
NOTHING = Work()
RATE = Metric(name="rate", unit="op/s", better="higher")
GIB = 1 << 30
BIG = 128_000_000


def parallel(seed: int = 1, cpus: int = 16, nodes: int = 4, full: bool = False) -> Run:
    """The figures follow from the functions below, with noise."""
    rng = np.random.default_rng(seed)
    where = machine(cpus, nodes)
    return made.run(
        (*threads(rng, full), *cores(rng, where), *numa(rng, where), *mpi(rng, full)),
        id=f"{seed:031x}e",
        label="parallel",
        command=("stend", "run", "threads", "cores", "numa", "mpi"),
        machine=where,
    )


def machine(cpus: int, nodes: int) -> Machine:
    """Each node has as many CPUs as the next; neighbours are nearer than the others."""
    each = cpus // nodes
    return made.machine(
        packages=max(1, nodes // 2),
        cores=cpus,
        threads=cpus,
        usable=tuple(range(cpus)),
        numa=tuple(
            NumaNode(
                index=i,
                bytes=64 * GIB,
                cpus=tuple(range(i * each, (i + 1) * each)),
                distances=tuple(distance(i, j) for j in range(nodes)),
            )
            for i in range(nodes)
        ),
    )


def distance(i: int, j: int) -> int:
    """As firmware tells it: 10 within a node, 16 within a socket of two nodes, 32 beyond."""
    return 10 if i == j else 16 if i // 2 == j // 2 else 32


def cores(rng: np.random.Generator, where: Machine, rows: int | None = None) -> list[CaseRecord]:
    """A row for each CPU: 45 ns within a node, then 3 ns more for each unit of distance."""
    homes = {cpu: node.index for node in where.numa for cpu in node.cpus}
    return [_row(rng, cpu, homes) for cpu in list(where.usable)[:rows]]


def _row(rng: np.random.Generator, cpu: int, homes: dict[int, int]) -> CaseRecord:
    others = [other for other in homes if other != cpu]
    usual = [45e-9 + 3e-9 * (distance(homes[cpu], homes[o]) - 10) for o in others]
    samples = []
    for process in range(2):
        noise = 1 + 0.03 * rng.standard_normal((len(others), 1)) + 0.02 * rng.random((1, 20))
        columns = np.array(usual)[:, None] * noise
        samples.append(
            made.sample(
                [1e-3] * 20,
                process,
                values=Numbers(np.median(columns, axis=0).tobytes()),
                also={
                    f"to CPU {o} s": Numbers(c.tobytes())
                    for o, c in zip(others, columns, strict=True)
                },
            )
        )
    return made.case(
        tuple(samples), benchmark="cores.latency", parameters={"cpu": cpu}, variant=None,
        question="How long does a cache line take from this core to each other?",
        metric=LATENCY, work=Work(),
    )  # fmt: skip


def numa(rng: np.random.Generator, where: Machine) -> list[CaseRecord]:
    """Each node with each memory."""
    pairs = [(a.index, b.index) for a in where.numa for b in where.numa]
    return [
        made.case(
            timed(rng, 1e9 / (200e9 / distance(i, j)), 2, 20), benchmark="numa.copy",
            question="How many bytes a second are copied from node to node?", variant=None,
            parameters={"node": i, "memory": j, "block": 500_000_000}, metric=BANDWIDTH,
            work=Work(bytes=1e9),
        )
        for i, j in pairs
    ] + [
        made.case(
            timed(rng, 80e-9 + 4e-9 * (distance(i, j) - 10), 2, 20, batch=1000),
            benchmark="numa.latency", question="How long does a load from a node's memory take?",
            parameters={"node": i, "memory": j, "size": GIB}, variant=None, metric=LATENCY,
            work=Work(),
        )
        for i, j in pairs
    ]  # fmt: skip


LOADS = {"none": 1.0, "half": 1.2, "all": 2.5, "twice": 6.0}
LIFE = {"create": 45e-6, "create_join": 65e-6}
MUTEX = {"create": 22e-9, "destroy": 11e-9, "lock": 17e-9, "unlock": 18e-9}
CONTENDED = {"spinlock": 15e-9, "semaphore": 30e-9, "atomic_add": 6e-9}


def threads(rng: np.random.Generator, full: bool) -> Iterator[CaseRecord]:
    """Every operation under each load, bound and not."""
    for load, slow in (LOADS if full else {"none": 1.0}).items():
        for affinity, gain in (("none", 1.0), ("bound", 0.75)):
            here = {"load": load, "affinity": affinity}
            for name, seconds, parameters, variant in _operations(full):
                times = seconds * slow * gain
                yield made.case(
                    timed(rng, times, 3, 40, batch=max(1, round(1e-6 / times))),
                    benchmark=f"threads.{name}", parameters={**parameters, **here},
                    question=f"How long does {name} take?", variant=variant, metric=TIME,
                    work=Work(operations=1),
                )  # fmt: skip


def _operations(full: bool) -> Iterator[tuple[str, float, dict[str, object], str | None]]:
    for name, seconds in LIFE.items():
        yield name, seconds, {}, None
    for keep, seconds in (("detached", 90e-6), ("joined", 170e-6)):
        yield "chain", seconds, {"length": 15000, "keep": keep}, None
    for blocked in (100, 200, 500, 1000) if full else (100, 1000):
        yield "wake.one", 50e-6, {"blocked": blocked}, None
        yield "wake.all", 5e-6 * blocked, {"blocked": blocked}, None
    for name, seconds in MUTEX.items():
        yield f"mutex.{name}", seconds, {}, None
    counts = (1, 2, 4, 8, 16) if full else (1, 2)
    for count in counts:
        yield "mutex.lock_unlock", 35e-9 * count**1.3, {"threads": count}, None
        for name, seconds in CONTENDED.items():
            yield name, seconds * count**1.2, {"threads": count}, None
        for apart in (8, 128):
            slow = count if apart == 8 else 1
            yield "false_sharing", 5e-9 * slow, {"threads": count, "apart": apart}, None
        for variant, seconds in (("pthread", 3e-6), ("spin", 150e-9)):
            if count > 1:
                yield "barrier", seconds * count, {"threads": count}, variant
    yield "switch", 1.4e-6, {}, None
    for variant, seconds in (("pipe", 6e-6), ("futex", 4e-6)):
        for place, more in (("same", 1.0), ("other", 2.2)):
            yield "ping_pong", seconds * more, {"place": place}, variant


PLACES = {
    ("socket", ""): (0.3e-6, 9e9),
    ("sockets", ""): (0.8e-6, 6e9),
    ("nodes", "n1+n2"): (18e-6, 1.1e9),
    ("nodes", "n1+n3"): (19e-6, 1.1e9),
    ("nodes", "n2+n3"): (45e-6, 0.4e9),
}
"""Seconds of an empty message and bytes a second."""


def mpi(rng: np.random.Generator, full: bool) -> Iterator[CaseRecord]:
    """Two implementations at three places."""
    sizes = [0, *(1 << k for k in range(28)), BIG] if full else [8, 1024, 65536, 1 << 20, BIG]
    for variant, slow in (("openmpi", 1.0), ("mpich", 1.15)) if full else (("openmpi", 1.0),):
        for (place, hosts), (start, rate) in PLACES.items():
            for size in sizes:
                seconds = slow * (start + size / rate)
                here = {"bytes": size, "place": place, "hosts": hosts}
                n = 400 if size < 1 << 20 else 60
                yield _messages(rng, "pingpong", seconds, here, variant, n=n)
                if 0 < size < BIG and hosts in {"", "n1+n2"}:
                    work = Work(bytes=2.0 * size)
                    yield _messages(rng, "bidirectional", 1.2 * seconds, here, variant, BANDWIDTH,
                                    work)  # fmt: skip
                    yield _messages(rng, "put", 0.9 * seconds, here, variant)
                    yield _messages(rng, "get", 1.4 * seconds, here, variant)
            rates = {"bytes": 8, "window": 64, "place": place, "hosts": hosts}
            yield _messages(rng, "message_rate", 20 * start, rates, variant, RATE,
                            Work(operations=64))  # fmt: skip
        yield from _collectives(rng, sizes, variant, slow)


def _collectives(
    rng: np.random.Generator, sizes: list[int], variant: str, slow: float
) -> Iterator[CaseRecord]:
    for ranks in (2, 4):
        here = {"place": "socket", "hosts": "", "ranks": ranks}
        yield _messages(rng, "barrier", 0.4e-6 * ranks * slow, here, variant, ranks=ranks)
        for name, factor in (("bcast", 1.0), ("allreduce", 2.0), ("alltoall", 2.5),
                             ("gather", 1.5)):  # fmt: skip
            for size in sizes[: -1 if len(sizes) < 9 else 22]:
                seconds = slow * factor * ranks * (0.4e-6 + size / 8e9)
                yield _messages(rng, name, seconds, {"bytes": size} | here, variant, ranks=ranks)


def _messages(
    rng: np.random.Generator, name: str, seconds: float, where: dict[str, object], variant: str,
    metric: Metric = LATENCY, work: Work = NOTHING, n: int = 120, ranks: int = 2,
) -> CaseRecord:  # fmt: skip
    return made.case(
        tuple(_sample(rng, seconds, process, n, ranks) for process in range(3)),
        benchmark=f"mpi.{name}", question=f"How long does {name} take?", parameters=where,
        variant=variant, metric=metric, work=work,
    )  # fmt: skip


def _sample(rng: np.random.Generator, seconds: float, process: int, n: int, ranks: int) -> Sample:
    took = seconds * (1 + 0.03 * rng.gamma(2, size=n) + 8 * (rng.random(n) < 0.008))
    ticks = np.maximum(1, np.round(took * 1e10)).astype(np.int64)
    own = {f"rank {i} s": Numbers((took * (1 - 0.02 * i)).tobytes()) for i in range(ranks)}
    return replace(
        made.sample([0.0] * n, process, hz=1e10, also=own),
        ticks=Integers(ticks.tobytes()),
        started=Integers((np.cumsum(ticks) - ticks).tobytes()),
    )
