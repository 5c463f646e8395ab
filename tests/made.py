"""Runs made by hand for tests: small, complete, every value can be replaced."""

from itertools import accumulate
from typing import Any

from stend.benchmarks.definition import Benchmark, best_or_all
from stend.record import (
    Cache,
    CaseRecord,
    ClockFacts,
    Integers,
    Machine,
    Metric,
    NumaNode,
    Proof,
    Run,
    Sample,
    Status,
    Stop,
    Work,
)


def sample(seconds: list[float] | None = None, process: int = 0, **also: Any) -> Sample:
    """A sample of a 1 GHz clock whose repetitions took `seconds`, end to end."""
    ticks = [round(s * 1e9) for s in (seconds if seconds is not None else [1e-3, 1.1e-3, 0.9e-3])]
    n = len(ticks)
    fields: dict[str, Any] = {
        "process": process,
        "clock": "tsc",
        "hz": 1e9,
        "origin": 1_000_000_000,
        "batch": 1,
        "started": Integers([0, *accumulate(ticks)][:n]),
        "ticks": Integers(ticks),
        "core": Integers([1] * n),
        "preempted": Integers([0] * n),
        "stop": Stop(rule="precision", criterion="precision", half_width=0.005, effective=float(n)),
        "proof": Proof(right=True, said="every element equals the scalar simulation"),
    }
    return Sample(**(fields | also))


def case(samples: tuple[Sample, ...] | None = None, **also: Any) -> CaseRecord:
    """A measured stream.triad on two threads."""
    fields: dict[str, Any] = {
        "benchmark": "stream.triad",
        "question": "How many bytes a second does memory stream for a = b + s·c?",
        "parameters": {"threads": 2, "elements": 1000},
        "variant": "plain",
        "metric": Metric(name="bandwidth", unit="B/s", better="higher"),
        "work": Work(bytes=24000.0, flops=2000.0),
        "status": Status.MEASURED,
        "samples": samples if samples is not None else tuple(sample(process=i) for i in range(3)),
    }
    return CaseRecord(**(fields | also))


def machine(**also: Any) -> Machine:
    """A small laptop."""
    fields: dict[str, Any] = {
        "host": "bench",
        "architecture": "x86_64",
        "cpu_model": "Example CPU",
        "isa": ("sse2", "avx2"),
        "packages": 1,
        "cores": 2,
        "threads": 2,
        "usable": (0, 1),
        "smt": False,
        "caches": (
            Cache(level=1, kind="data", bytes=32 << 10, line_bytes=64, ways=8, shared_by=1),
            Cache(level=3, kind="unified", bytes=8 << 20, line_bytes=64, ways=16, shared_by=2),
        ),
        "numa": (NumaNode(index=0, bytes=8 << 30, cpus=(0, 1), distances=(10,)),),
        "memory_bytes": 8 << 30,
        "memory_available": 6 << 30,
        "page_bytes": 4096,
        "clocks": (
            ClockFacts(
                name="tsc",
                available=True,
                hz=1e9,
                hz_uncertainty=100.0,
                resolution=1e-9,
                overhead=2e-8,
            ),
        ),
        "unknown": {"governor": "no cpufreq in /sys (a virtual machine?)"},
    }
    return Machine(**(fields | also))


def run(cases: tuple[CaseRecord, ...] | None = None, **also: Any) -> Run:
    """A finished run of one case."""
    fields: dict[str, Any] = {
        "id": "0123456789abcdef0123456789abcdef",
        "label": "made",
        "started": "2026-11-21T10:00:00Z",
        "finished": "2026-11-21T10:01:00Z",
        "stend": "0.1.0",
        "command": ("stend", "run"),
        "machine": machine(),
        "cases": cases if cases is not None else (case(),),
    }
    return Run(**(fields | also))


def benchmark(**also):
    """A definition whose kernel nobody makes."""
    fields = {
        "name": "a.b",
        "question": "How?",
        "metric": Metric(name="time", unit="s", better="lower"),
        "make": lambda case: None,
        "work": lambda case: Work(),
        "parameters": {},
        "variants": None,
        "takes": lambda case, machine, size: best_or_all(size),
        "quick": True,
        "card": False,
        "needs": lambda case, machine: None,
        "further": {},
        "module": "nowhere",
    }
    return Benchmark(**(fields | also))
