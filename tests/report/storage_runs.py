"""Made-up storage runs for the tests: six workloads, their courses, histograms, what was beside."""

from math import nan

import numpy as np

import made
from stend.record import (
    CaseRecord,
    Integers,
    Numbers,
    Proof,
    Run,
    Sample,
    Status,
    Stop,
    Work,
)
from stend.record.loads import (
    DiskCourse,
    FioRun,
    Flow,
    Histogram,
    HostSamples,
    Load,
    Steady,
    StorageTarget,
)
from stend.storage.fio import results

FURTHER = {name: metric for name, metric in results.FURTHER.items() if name != "p99.99 s"}
TARGET = StorageTarget(path="/data/made", kind="file", bytes=1 << 30, filesystem="ext4")
MACHINES = (("bench", False), ("array", True))
SIX = (
    ("read", 4096, 128, 16, 371e3), ("write", 4096, 128, 16, 233e3),
    ("randread", 4096, 64, 2, 118e3), ("randwrite", 4096, 16, 2, 84e3),
    ("read", 131072, 128, 16, 43e3), ("write", 131072, 16, 2, 20e3),
)  # fmt: skip
"""What is done, block, depth, jobs and IOPS: those of the published tests."""
_SECOND = 1_000_000_000


def storage(seed: int = 1, speed: float = 1.0, **also: object) -> Run:
    """A run of the six workloads whose IOPS are `speed` times the usual."""
    given = {k: also.pop(k) for k in ("rounds", "seconds", "spread", "machines") if k in also}
    cases = tuple(
        workload(rw, block, depth, jobs, iops * speed, seed=seed + i, **given)
        for i, (rw, block, depth, jobs, iops) in enumerate(SIX)
    )
    fields = {"id": f"{seed:032x}", "label": f"storage-{seed}", "cases": cases}
    return made.run(**(fields | {"command": ("stend", "storage", "run")} | also))


def curve(seed: int = 1) -> Run:
    """Latency at parts of the maximum, and a sweep of the depth."""
    loads = [
        workload("randread", 4096, 64, 2, 1200.0 * percent, seed=seed, seconds=10, rounds=2,
                 latency=1e-4 / (1.06 - percent / 100), load=percent)
        for percent in range(10, 101, 10)
    ]  # fmt: skip
    most = workload("randread", 4096, 64, 2, 120e3, seed=seed, seconds=10, rounds=2, latency=2e-3)
    depths = [
        workload(
            "randread",
            4096,
            depth,
            1,
            120e3 * depth / (depth + 12),
            seed=seed,
            seconds=10,
            rounds=2,
        )
        for depth in (1, 2, 4, 8, 16, 32, 64, 128)
    ]
    return made.run((most, *loads, *depths), id=f"{seed:032x}", label="curve")


def workload(
    rw: str,
    block: int,
    depth: int,
    jobs: int,
    iops: float,
    *,
    seed: int = 1,
    rounds: int = 3,
    seconds: int = 60,
    spread: float = 0.005,
    latency: float | None = None,
    timed: int = 3000,
    machines: tuple[tuple[str, bool], ...] = MACHINES,
    **parameters: int,
) -> CaseRecord:
    """A measured case: each round a sample with its load."""
    rng = np.random.default_rng(seed)
    wait = latency or depth * jobs / iops
    samples = tuple(
        sample(rng, i, rw, block, iops * np.exp(spread * rng.standard_normal()), wait, seconds,
               timed, machines)
        for i in range(rounds)
    )  # fmt: skip
    return made.case(
        samples,
        benchmark=f"storage.{rw}",
        question="How many operations a second does the storage do, and how long does each take?",
        parameters={"block": block, "depth": depth, "jobs": jobs, "target": "file"} | parameters,
        variant=None,
        metric=results.METRIC,
        further=FURTHER,
        work=Work(),
        detail={"job file": "[global]\nioengine=libaio\n"},
    )


def failed(case: CaseRecord, reason: str, state: str = "partial") -> CaseRecord:
    """The same case when its last round went wrong."""
    from msgspec.structs import replace

    *good, last = case.samples
    load = replace(last.load, state=state, reasons=(reason,))
    samples = (*good, replace(last, load=load, proof=Proof(right=False, said=reason)))
    return replace(case, samples=samples, status=Status.FAILED, reason=reason)


def sample(
    rng: np.random.Generator,
    process: int,
    rw: str,
    block: int,
    iops: float,
    wait: float,
    seconds: int,
    timed: int,
    machines: tuple[tuple[str, bool], ...] = (),
) -> Sample:
    """One round; the first has what came before it: a precondition, a warm-up, two rounds."""
    began = 1_000_000_000_000 + (process * (seconds + 5) + 60 * bool(process)) * _SECOND
    before = [("precondition", 20), ("warm-up", 10), ("round", 10), ("round", 10)]
    phases = [*(before if process == 0 else []), ("measure", seconds)]
    runs = []
    for phase, lasts in phases:
        runs.append(fio_run(rng, phase, began, rw, block, iops, wait, lasts, timed))
        began += (lasts + 2) * _SECOND
    first, last = runs[0], runs[-1]
    operations = sum(f.operations for f in last.flows)
    wide = last.flows[0].histogram
    assert wide is not None
    ordered = np.repeat(np.asarray(wide.ns), np.asarray(wide.counts)) / 1e9
    p50, p99, p999 = np.quantile(ordered, [0.5, 0.99, 0.999])
    load = Load(
        fio="3.33",
        state="ok",
        targets=(TARGET,),
        runs=tuple(runs),
        steady=Steady(reached=True, rounds=5, values=Numbers([iops] * 5), spread=0.02,
                      excursion=0.01) if process == 0 else None,
        beside=tuple(beside(rng, host, remote, first.began, began) for host, remote in machines),
    )  # fmt: skip
    return Sample(
        process=process,
        clock="monotonic",
        hz=1e9,
        origin=last.began,
        batch=1,
        started=Integers([0]),
        ticks=Integers([seconds * _SECOND]),
        core=Integers([-1]),
        preempted=Integers([0]),
        values=Numbers([operations / seconds]),
        also={
            "bandwidth B/s": Numbers([operations * block / seconds]),
            "latency s": Numbers([float(ordered.mean())]),
            "p50 s": Numbers([p50]),
            "p99 s": Numbers([p99]),
            "p99.9 s": Numbers([p999]),
            "cpu share": Numbers([0.71 + 0.01 * rng.standard_normal()]),
        },
        stop=Stop(rule="once", criterion="once"),
        proof=Proof(right=True, said="fio ended without an error and did what was asked"),
        load=load,
    )


def fio_run(
    rng: np.random.Generator,
    phase: str,
    began: int,
    rw: str,
    block: int,
    iops: float,
    wait: float,
    seconds: int,
    timed: int,
) -> FioRun:
    """One run of fio, second by second; readings of the sixth second are lacking.

    Latencies are of `timed` operations a second, however many it did.
    """
    kept = [i for i in range(seconds) if i != 6]
    rates = iops * (1 + 0.03 * rng.standard_normal(seconds))
    latencies = [
        wait * np.exp(0.4 * rng.standard_normal(timed) + (rng.random(timed) < 0.004) * 2)
        for _ in range(seconds)
    ]
    counted = [_bins(some, 4) for some in latencies]
    totals = _bins(np.concatenate(latencies), 7)
    flow = Flow(
        direction="write" if "write" in rw else "read",
        operations=round(float(rates.sum())),
        bytes=round(float(rates.sum())) * block,
        seconds=float(seconds),
        mean=float(np.mean(latencies)),
        least=float(np.min(latencies)),
        most=float(np.max(latencies)),
        histogram=Histogram(of="total", ns=Integers(totals), counts=Integers(totals.values())),
        at=Integers((i + 1) * _SECOND for i in kept),
        iops=Numbers(rates[i] for i in kept),
        bandwidth=Numbers(rates[i] * block for i in kept),
        latency=Numbers(latencies[i].mean() for i in kept),
        interval=Integers(n for n, i in enumerate(kept) for _ in counted[i]),
        ns=Integers(ns for i in kept for ns in counted[i]),
        counts=Integers(count for i in kept for count in counted[i].values()),
    )
    return FioRun(
        phase=phase,  # type: ignore[arg-type]
        state="ok",
        began=began,
        asked=float(seconds),
        lasted=float(seconds),
        flows=(flow,),
    )


def _bins(seconds: "np.ndarray", bits: int) -> dict[int, int]:
    """Counts by nanoseconds of which `bits` are kept: 64 bins an octave are 7, 8 are 4."""
    ns = np.round(seconds * 1e9).astype(np.int64)
    shift = np.maximum(0, np.floor(np.log2(ns)).astype(np.int64) + 1 - bits)
    values, counts = np.unique((ns >> shift) << shift, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def beside(
    rng: np.random.Generator, host: str, remote: bool, began: int, ended: int
) -> HostSamples:
    """A machine once a second; of the remote one five samples are lacking."""
    n = (ended - began) // _SECOND
    share = np.clip(np.linspace(0.2, 0.5, n) + 0.02 * rng.standard_normal(n), 0, 1)
    if remote:
        share[12:17] = nan
    columns = {name: Numbers(share * part) for name, part in
               {"user": 0.2, "system": 0.6, "interrupts": 0.2, "waiting": 0.4,
                "steal": 0.02}.items()}  # fmt: skip
    at = Integers(began + i * _SECOND for i in range(n))
    return HostSamples(
        host=host,
        remote=remote,
        offset=0.012 if remote else None,
        uncertainty=0.001 if remote else None,
        cpus=16 if remote else 2,
        memory_bytes=64 << 30 if remote else 8 << 30,
        at=at,
        memory_used=Numbers(2e9 + 1e9 * share),
        memory_cached=Numbers(3e9 * share),
        disks=(DiskCourse(name="sda", reads=Numbers(share), writes=Numbers(share),
                          read=Numbers(share), written=Numbers(share), busy=Numbers(share)),),
        **columns,
    )  # fmt: skip
