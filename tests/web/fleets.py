"""Fleets with known stories: machines × days in, whole runs out, the same ones every time.

Every machine is measured once a day in the small hours. On the day of the update a third of them
boots into a new kernel, which makes MPI slower; one node has been sick (slow in everything) and one
has a slow memory module from the beginning. Figures scatter by 1% between machines, 0.4% between
runs and 0.1% between processes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from math import exp

import numpy as np

from made import machine, sample
from stend.record import (
    CaseRecord,
    Conditions,
    Disturbance,
    Metric,
    NumaNode,
    Run,
    Status,
    Work,
)

BEGAN = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)
OLD, NEW = "6.1.0-25-amd64", "6.1.0-28-amd64"
SICK, SLOW_MEMORY, BROKEN = 7, 4, 5
"""Numbers of the machines that something is wrong with."""
_PROCESSES = 3

_RATE = Metric(name="bandwidth", unit="B/s", better="higher")
_FLOPS = Metric(name="speed", unit="FLOP/s", better="higher")
_TIME = Metric(name="latency", unit="s", better="lower")
_QUESTIONS = {"stream": "How fast?", "memory": "How late?", "peak": "How many?", "mpi": "How far?"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A case that every machine measures."""

    benchmark: str
    parameters: dict[str, bool | int | float | str]
    variant: str | None
    metric: Metric
    work: Work
    seconds: float
    """Of one execution on a machine that is well."""

    @property
    def family(self) -> str:
        return self.benchmark.partition(".")[0]


def kinds(count: int) -> list[Kind]:
    """So many cases: of streams, latencies, peaks and MPI in turn."""
    return [_kind(i % 4, i // 4) for i in range(count)]


def _kind(of: int, i: int) -> Kind:
    threads = 1 << (i % 6)
    if of == 0:
        name = f"stream.{('triad', 'copy', 'scale', 'add')[i // 6 % 4]}"
        work = Work(bytes=24e6, flops=2e6)
        return Kind(name, {"threads": threads, "elements": 10**6 * (1 + i // 24)}, "plain",
                    _RATE, work, 24e6 / (1e10 * threads**0.6))  # fmt: skip
    if of == 1:
        size = 1 << (12 + i)
        parameters = {"size": size, "pages": "small"}
        return Kind("memory.latency", parameters, None, _TIME, Work(), 1e-9 * (2 + 3 * i))
    if of == 2:
        parameters = {"threads": threads, "n": 1 + i // 6}
        work = Work(flops=1e9)
        return Kind("peak.float64", parameters, "avx2", _FLOPS, work, 1e9 / (3e10 * threads))
    parameters = {"bytes": 8 << i, "place": "cores"}
    return Kind("mpi.pingpong", parameters, "openmpi", _TIME, Work(), 5e-7 * (1 + i / 4))


def fleet(machines: int, days: int, cases: int, *, update: int | None = None) -> Iterator[Run]:
    """Runs in the order of time; on day `update`, from 0, every third machine gets the kernel."""
    measured = kinds(cases)
    for day in range(days):
        for number in range(1, machines + 1):
            updated = update is not None and day >= update and number % 3 == 0
            yield _run(number, day, measured, NEW if updated else OLD)


def name(number: int) -> str:
    """The machine's."""
    return f"node{number:03d}"


def _run(number: int, day: int, measured: list[Kind], kernel: str) -> Run:
    began = BEGAN + timedelta(days=day, minutes=number)
    disturbed = number == SICK
    during = (Disturbance(kind="steal", said="The hypervisor took 12% of the processor."),)
    return Run(
        id=blake2b(f"{number} {day}".encode(), digest_size=16).hexdigest(),
        label="nightly",
        started=_said(began),
        finished=_said(began + timedelta(seconds=50)),
        stend="0.1.0",
        command=("stend", "run", "--label", "nightly"),
        machine=_machine(number, kernel),
        conditions=Conditions(during=during if disturbed else ()),
        cases=tuple(_case(kind, number, day, kernel) for kind in measured),
    )


def _machine(number: int, kernel: str):
    microcode = "0x2" if number == SLOW_MEMORY else "0x1"
    return machine(
        host=name(number),
        cpu_model="Example CPU 9000",
        cores=32,
        threads=64,
        usable=tuple(range(64)),
        memory_bytes=256 << 30,
        memory_available=250 << 30,
        numa=(NumaNode(index=0, bytes=256 << 30, cpus=tuple(range(64)), distances=(10,)),),
        kernel=kernel,
        os="Debian 12",
        governor="performance",
        microcode=microcode,
        virtualisation="none",
        versions={"gcc": "12.2.0", "python": "3.11.2"},
    )


def _case(kind: Kind, number: int, day: int, kernel: str) -> CaseRecord:
    broken = number == BROKEN and kind.family == "mpi"
    fields = {
        "benchmark": kind.benchmark,
        "question": _QUESTIONS[kind.family],
        "parameters": kind.parameters,
        "variant": kind.variant,
        "metric": kind.metric,
        "work": kind.work,
    }
    if broken:
        reason = "mpirun was not found."
        return CaseRecord(**fields, status=Status.FAILED, reason=reason)
    scatter = np.random.default_rng(
        [number, day, *kind.benchmark.encode(), *map(hash_of, kind.parameters.values())]
    )
    own = np.random.default_rng([number, *kind.benchmark.encode()]).normal(0, 0.01)
    slower = own + scatter.normal(0, 0.004) + _slower(kind, number, kernel)
    seconds = [kind.seconds * exp(slower + scatter.normal(0, 0.001)) for _ in range(_PROCESSES)]
    # As many executions a repetition as make ticks of a 1 GHz clock precise.
    batch = max(1, round(1e-3 / kind.seconds))
    samples = tuple(sample([s * batch] * 3, process=p, batch=batch) for p, s in enumerate(seconds))
    return CaseRecord(**fields, status=Status.MEASURED, samples=samples)


def _slower(kind: Kind, number: int, kernel: str) -> float:
    found = 0.0
    if number == SICK:
        found += 0.25
    if number == SLOW_MEMORY and kind.family in ("stream", "memory"):
        found += 0.18
    if kernel == NEW and kind.family == "mpi":
        found += 0.12
    return found


def hash_of(value: object) -> int:
    """The same in every process."""
    return int.from_bytes(blake2b(repr(value).encode(), digest_size=4).digest(), "big")


def _said(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
