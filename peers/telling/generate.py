"""Made runs of the shape of real ones, quickly and the same every time.

A run takes the benchmarks, parameters and units of real suites; its repetitions scatter as
timings do: a floor, a tail, spikes, processes that differ, here and there two modes or a drift.
    generate.py large STORE [CASES [REPETITIONS]]   two such runs, "made-a" and "made-b"
    generate.py many STORE [RUNS]                   many small ones, "made"
"""

import hashlib
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from stend.record import (
    Cache,
    CaseRecord,
    ClockFacts,
    Conditions,
    Disturbance,
    Integers,
    Machine,
    Metric,
    Numbers,
    Proof,
    Run,
    Sample,
    Scalar,
    Status,
    Stop,
    Watched,
    Work,
)
from stend.record.cautions import Caution
from stend.store import Store

CASES, REPETITIONS, PROCESSES = 200, 1_000_000, 5
HZ = 2_500_000_000
RATE = Metric(name="bandwidth", unit="B/s", better="higher")
TIME = Metric(name="time", unit="s", better="lower")
SPEED = Metric(name="speed", unit="FLOP/s", better="higher")

Kind = tuple[str, str, dict[str, Scalar], str | None, Metric, Work, float]
"""Benchmark, question, parameters, variant, metric, work, and the seconds one execution takes."""


def kinds() -> Iterator[Kind]:
    """200 cases as a full run has them, the same on every call."""
    yield from _streams()
    yield from _latencies()
    yield from _ciphers()
    yield from _numerics()
    yield from _threads()


def _streams() -> Iterator[Kind]:
    for name, arrays, rate in (
        ("copy", 2, 12e9),
        ("scale", 2, 11e9),
        ("add", 3, 12.5e9),
        ("triad", 3, 12.6e9),
    ):
        question = f"How many bytes a second does memory stream for {name}?"
        for threads in (1, 2, 4, 8, 16, 32):
            for variant, gain in (("plain", 1.0), ("nontemporal-avx512", 1.3)):
                moved = 8.0 * arrays * (1 << 24)
                seconds = moved / (rate * gain * 8 * threads / (7 + threads))
                where = {"threads": threads, "elements": 1 << 24}
                yield f"stream.{name}", question, where, variant, RATE, Work(bytes=moved), seconds


def _latencies() -> Iterator[Kind]:
    for power in range(12, 30):
        size = 1 << power
        seconds = (
            1.2e-9 + 3e-9 * (size > 1 << 15) + 12e-9 * (size > 1 << 20) + 7e-8 * (size > 1 << 25)
        )
        for variant in ("pages-4k", "pages-2m"):
            yield (
                "memory.latency", "How long does a load wait that depends on the one before?",
                {"size": size, "pattern": "random"}, variant, TIME, Work(),
                seconds * (1.0 if variant == "pages-2m" else 1.15),
            )  # fmt: skip


def _ciphers() -> Iterator[Kind]:
    for cipher, cost in (("kuznyechik", 6.0), ("magma", 11.0)):
        for mode in ("ctr", "mgm"):
            for power in range(6, 21, 2):
                yield (
                    f"gost.{cipher}", "How many bytes a second does this cipher take?",
                    {"mode": mode, "bytes": 1 << power}, "avx2", RATE,
                    Work(bytes=float(1 << power)), (120 + cost * (1 << power) / 8) / 3e9,
                )  # fmt: skip


def _numerics() -> Iterator[Kind]:
    for variant, rate in (("plain", 12e9), ("openblas", 60e9), ("mkl", 66e9)):
        for n in (100, 200, 500, 1000, 2000):
            flops = 2 * n**3 / 3 + 2 * n**2
            yield (
                "linpack.lu",
                "How fast is a system of equations solved?",
                {"n": n},
                variant,
                SPEED,
                Work(flops=flops),
                flops / rate,
            )
        for side in (256, 512, 1024, 2048):
            flops = 10 * side**2 * np.log2(side)
            yield (
                "fft.complex2d",
                "How fast is a transform?",
                {"side": side},
                variant,
                SPEED,
                Work(flops=float(flops)),
                flops / (rate / 4),
            )


def _threads() -> Iterator[Kind]:
    for name in ("create", "mutex", "condition", "spinlock", "barrier", "semaphore", "yield"):
        for threads in (1, 2, 4, 8, 16, 32, 64):
            yield (
                f"threads.{name}",
                "How long does this operation take?",
                {"threads": threads},
                None,
                TIME,
                Work(),
                4e-8 * threads**0.7,
            )


def run(seed: int, cases: int = CASES, repetitions: int = REPETITIONS, **also: object) -> Run:
    """A run of about so many repetitions; every third family differs from seed to seed."""
    rng = np.random.default_rng(seed)
    each = max(4, repetitions // cases // PROCESSES)
    # the second round of the same kinds is told apart by a parameter
    named = ((kind, n // 192) for n, kind in enumerate(cycle(kinds())))
    made = tuple(_case(rng, kind, again, each) for kind, again in islice(named, cases))
    fields = {
        "id": identity(seed),
        "label": f"made-{seed}",
        "started": "2026-11-23T02:00:00Z",
        "finished": "2026-11-23T02:20:00Z",
        "stend": "0.1.0",
        "command": ("stend", "run", "--full"),
        "size": "full",
        "machine": machine(),
        "conditions": _conditions(rng),
        "cases": made,
    }
    return Run(**(fields | also))


def identity(seed: int) -> str:
    """32 hexadecimal digits whose first ones differ from seed to seed."""
    return hashlib.sha256(str(seed).encode()).hexdigest()[:32]


def machine() -> Machine:
    """A server of 32 cores."""
    return Machine(
        host="made", architecture="x86_64", cpu_vendor="GenuineIntel", cpu_model="Made CPU 32",
        isa=("sse2", "avx", "avx2", "avx512f"), packages=2, cores=32, threads=64,
        usable=tuple(range(64)), smt=True, memory_bytes=256 << 30, memory_available=250 << 30,
        memory_bandwidth=281.6e9, page_bytes=4096, kernel="Linux 6.1.0", os="Debian GNU/Linux 12",
        virtualisation="none", container="none", governor="performance", turbo=False,
        caches=(
            Cache(level=1, kind="data", bytes=32 << 10, line_bytes=64, ways=8, shared_by=2),
            Cache(level=2, kind="unified", bytes=1 << 20, line_bytes=64, ways=16, shared_by=2),
            Cache(level=3, kind="unified", bytes=32 << 20, line_bytes=64, ways=16, shared_by=32),
        ),
        clocks=(ClockFacts(name="tsc", available=True, hz=HZ, resolution=4e-10, overhead=2e-8),),
        versions={"python": "3.11.2", "gcc": "12.2.0"},
    )  # fmt: skip


def _case(rng: np.random.Generator, kind: Kind, again: int, each: int) -> CaseRecord:
    benchmark, question, parameters, variant, metric, work, seconds = kind
    seconds *= 1 + 0.02 * rng.standard_normal() * (sum(map(ord, benchmark)) % 3 == 0)
    two_modes = rng.random() < 0.04
    drift = 0.03 * (rng.random() < 0.04)
    return CaseRecord(
        benchmark=benchmark,
        question=question,
        parameters=parameters | ({"again": again} if again else {}),
        variant=variant,
        metric=metric,
        work=work,
        status=Status.MEASURED,
        samples=tuple(
            _sample(rng, seconds, each, process, two_modes, drift) for process in range(PROCESSES)
        ),
    )


def _sample(
    rng: np.random.Generator, seconds: float, n: int, process: int, two_modes: bool, drift: float
) -> Sample:
    batch = max(1, round(2e-5 / seconds))  # a repetition is long enough for its clock
    noise = 1 + 0.008 * rng.standard_gamma(2.0, n) + 0.3 * (rng.random(n) < 0.005)
    noise *= 1 + 0.12 * (two_modes & (rng.random(n) < 0.3))
    noise *= 1 + 0.004 * rng.standard_normal() + drift * np.arange(n) / n
    ticks = np.round(seconds * batch * noise * HZ).astype(np.int64)
    found = [Caution.TWO_MODES] * two_modes + [Caution.DRIFTING] * (drift > 0)
    return Sample(
        process=process,
        clock="tsc",
        hz=HZ,
        origin=10**9 + process * 10**11,
        batch=batch,
        started=Integers((np.cumsum(ticks) - ticks).tobytes()),
        ticks=Integers(ticks.tobytes()),
        core=Integers(rng.integers(0, 2, n, np.int64).tobytes()),
        preempted=Integers((rng.random(n) < 0.002).astype(np.int64).tobytes()),
        warm_up=3,
        core_hz=(2.5e9, 2.5e9),
        stop=Stop(rule="precision", criterion="precision", half_width=0.004, effective=n / 1.5),
        proof=Proof(right=True, said="the whole result equals an independent computation"),
        cautions=tuple(found),
    )


def _conditions(rng: np.random.Generator) -> Conditions:
    at = np.arange(0, 1200 * 10**9, 10**9, dtype=np.int64) + 10**9
    zero = np.zeros(len(at))
    return Conditions(
        during=(
            Disturbance(
                kind="steal",
                said="The hypervisor took 12% of the CPU time.",
                advice="Use a dedicated machine, or compare only interleaved.",
                start=3 * 10**9,
                end=4 * 10**9,
            ),
        ),
        watched=Watched(
            at=Integers(at.tobytes()),
            steal=Numbers(np.where(rng.random(len(at)) < 0.02, 0.1, 0.0).tobytes()),
            others=Numbers(np.abs(0.1 * rng.standard_normal(len(at))).tobytes()),
            mhz=Numbers((2500 + zero).tobytes()),
        ),
    )


def large(store: Path, cases: int = CASES, repetitions: int = REPETITIONS) -> None:
    """Store two runs of one machine that differ here and there."""
    with Store.open(str(store)) as kept:
        for seed, label in ((1, "made-a"), (2, "made-b")):
            kept.add(run(seed, cases, repetitions, label=label))


def many(store: Path, runs: int = 1000) -> None:
    """Store many small runs of one machine, an hour apart."""
    first = run(1, 12, 12 * 5 * 20)
    with Store.open(str(store)) as kept:
        for n in range(runs):
            day, hour = divmod(n, 24)
            at = f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:00:00Z"
            kept.add(replace(first, id=identity(n + 100), label="made", started=at, finished=at))


if __name__ == "__main__":
    what, where, *numbers = sys.argv[1:]
    {"large": large, "many": many}[what](Path(where), *map(int, numbers))
