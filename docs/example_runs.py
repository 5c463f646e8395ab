"""The runs that the documents' examples are about: made by a formula, the same everywhere.

A machine before and after a new kernel, eight runs of each, one a day: the cipher stays as it is,
memory's latency grows by 8%, and the mutex, which differs from run to run, may have become faster.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from stend.benchmarks.registry import load
from stend.record import (
    Cache,
    CaseRecord,
    ClockFacts,
    Integers,
    Machine,
    NumaNode,
    Proof,
    Run,
    Sample,
    Status,
    Stop,
    Work,
)
from stend.store import Store

PROCESSES, REPETITIONS = 5, 200
HZ = 1e9

CASES = {
    "gost.kuznyechik": (
        {"mode": "ecb", "size": 64 << 20, "offset": 0, "threads": 1},
        "avx512",
    ),
    "memory.latency": ({"size": 1 << 30, "pages": "huge"}, None),
    "stream.triad": ({"threads": 8, "elements": 33554432}, "nontemporal-avx2"),
    "threads.mutex.lock_unlock": ({"threads": 8, "load": "none", "affinity": "bound"}, None),
}
WORK = {
    "gost.kuznyechik": Work(bytes=64 << 20),
    "memory.latency": Work(operations=1),
    "stream.triad": Work(bytes=24 * 33554432, flops=2 * 33554432),
    "threads.mutex.lock_unlock": Work(operations=1),
}
BEFORE = {
    "gost.kuznyechik": 30.1e-3,
    "memory.latency": 92e-9,
    "stream.triad": 24.6e-3,
    "threads.mutex.lock_unlock": 410e-9,
}
"""Seconds of an execution."""
AFTER = BEFORE | {
    "memory.latency": 1.08 * BEFORE["memory.latency"],
    "threads.mutex.lock_unlock": 0.97 * BEFORE["threads.mutex.lock_unlock"],
}
SPREAD = {
    "gost.kuznyechik": 0.0008,
    "memory.latency": 0.004,
    "stream.triad": 0.0015,
    "threads.mutex.lock_unlock": 0.04,
}
"""Of runs among each other, as a part; of processes and of repetitions half of it."""


def machine(kernel: str) -> Machine:
    """A small server, with all that a run of it tells."""
    return Machine(
        host="bench1",
        architecture="x86_64",
        cpu_vendor="GenuineIntel",
        cpu_model="Example 8-core processor",
        isa=("sse2", "avx2", "fma", "avx512"),
        packages=1,
        cores=8,
        threads=8,
        usable=tuple(range(8)),
        smt=False,
        caches=(
            Cache(level=1, kind="data", bytes=48 << 10, line_bytes=64, ways=12, shared_by=1),
            Cache(level=2, kind="unified", bytes=1 << 20, line_bytes=64, ways=8, shared_by=1),
            Cache(level=3, kind="unified", bytes=32 << 20, line_bytes=64, ways=16, shared_by=8),
        ),
        numa=(NumaNode(index=0, bytes=64 << 30, cpus=tuple(range(8)), distances=(10,)),),
        memory_bytes=64 << 30,
        memory_available=60 << 30,
        page_bytes=4096,
        governor="performance",
        virtualisation="none",
        kernel=kernel,
        os="Debian GNU/Linux 12 (bookworm)",
        clocks=(ClockFacts(name="tsc", available=True, hz=HZ, resolution=1e-9, overhead=2e-8),),
    )


def runs() -> Iterator[Run]:
    """Eight of each kernel, a day apart; their ids begin with 0 to 9 and a to f."""
    for number in range(16):
        label = "before" if number < 8 else "after"
        day = f"2026-11-{4 + number:02}"
        yield Run(
            id=f"{number:x}" * 32,
            label=label,
            started=f"{day}T09:00:00Z",
            finished=f"{day}T09:04:00Z",
            stend="0.1.0",
            command=("stend", "run", *CASES, "--label", label),
            machine=machine("6.1.0-18" if label == "before" else "6.12.3-1"),
            cases=tuple(_cases(Random(number), BEFORE if label == "before" else AFTER)),
        )


def _cases(random: Random, seconds: dict[str, float]) -> Iterator[CaseRecord]:
    for name, (parameters, variant) in CASES.items():
        benchmark = load()[0][name]
        of_run = seconds[name] * random.lognormvariate(0, SPREAD[name])
        yield CaseRecord(
            benchmark=name,
            question=benchmark.question,
            parameters=parameters,
            variant=variant,
            metric=benchmark.metric,
            work=WORK[name],
            status=Status.MEASURED,
            samples=tuple(
                _sample(process, random, of_run, SPREAD[name] / 2) for process in range(PROCESSES)
            ),
        )


def _sample(process: int, random: Random, seconds: float, spread: float) -> Sample:
    """Batches of about 0.1 ms, or single executions of what is longer."""
    batch = max(1, round(1e-4 / seconds))
    mine = seconds * batch * random.lognormvariate(0, spread) * HZ
    ticks = [round(mine * random.lognormvariate(0, spread)) for _ in range(REPETITIONS)]
    return Sample(
        process=process,
        clock="tsc",
        hz=HZ,
        origin=0,
        batch=batch,
        started=Integers(sum(ticks[:i]) for i in range(REPETITIONS)),
        ticks=Integers(ticks),
        core=Integers([process] * REPETITIONS),
        preempted=Integers([0] * REPETITIONS),
        stop=Stop(
            rule="precision", criterion="precision", half_width=0.005, effective=float(REPETITIONS)
        ),
        proof=Proof(right=True, said="every result was right"),
    )


def fill(path: Path) -> None:
    """Keep all of them in a store there."""
    with Store.open(str(path)) as store:
        for run in runs():
            store.add(run)
