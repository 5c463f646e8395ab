"""A made-up run of everything that is told of a processor, with the figures of a known machine."""

import numpy as np

import made
from report.example import timed
from stend.record import Cache, CaseRecord, Metric, Numbers, Run, Sample, Work

KIB, MIB = 1 << 10, 1 << 20
RATE = Metric(name="rate", unit="FLOP/s", better="higher")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")
LATENCY = Metric(name="latency", unit="s", better="lower")
HZ = {"portable": 3.0e9, "avx2": 2.8e9, "avx512": 2.4e9}
FLOPS = {"portable": 4, "avx2": 16, "avx512": 32}
"""float64 operations a cycle."""
CACHES = (
    Cache(level=1, kind="instruction", bytes=32 * KIB, shared_by=1, count=2),
    Cache(level=1, kind="data", bytes=48 * KIB, shared_by=1, count=2),
    Cache(level=2, kind="unified", bytes=2 * MIB, shared_by=1, count=2),
    Cache(level=3, kind="unified", bytes=480 * MIB, shared_by=2, count=1),
)


def processor(seed: int = 1, processes: int = 3, full: bool = False, **also: object) -> Run:
    """The figures follow from what is said above, with noise of half a percent."""
    rng = np.random.default_rng(seed)
    make = _Maker(rng, processes)
    fields: dict[str, object] = {
        "id": f"{seed:031x}f",
        "label": "processor",
        "command": ("stend", "run", "processor", "memory"),
        "machine": made.machine(caches=CACHES),
        "cases": (
            *_peaks(make), *_linpack(make, full), *_fft(make, full), *_noise(rng, processes),
            *_latency(make, full), *_bandwidth(make, full), *_loaded(make), *_writes(make),
            *_stream(make),
        ),
    }  # fmt: skip
    return made.run(**(fields | also))


def latency_at(size: float) -> float:
    """Seconds: 48 KiB at 1.5 ns, 2 MiB at 5 ns, 40 MiB at 25 ns, beyond at 110 ns."""
    ends = ((48 * KIB, 1.5e-9), (2 * MIB, 5e-9), (40 * MIB, 25e-9))
    latency, beyond = 110e-9, 1.0
    for capacity, hit in reversed(ends):
        share = min(1.0, capacity / size)
        latency = share * hit + (1 - share) * latency
    return latency * beyond


class _Maker:
    """Makes cases whose samples are about a given figure."""

    def __init__(self, rng: np.random.Generator, processes: int) -> None:
        self.rng, self.processes = rng, processes

    def rate(self, name: str, figure: float, metric: Metric, **also: object) -> CaseRecord:
        work = also.pop("work", None) or Work(flops=1e8)
        amount = work.flops if metric.unit == "FLOP/s" else work.bytes
        if metric.unit == "op/s":
            amount = work.operations
        return self.time(name, amount / figure, work=work, metric=metric, **also)

    def time(self, name: str, seconds: float, **also: object) -> CaseRecord:
        under = also.pop("hz", None)
        samples = timed(self.rng, seconds, self.processes, 40, max(1, round(1e-4 / seconds)))
        if under:
            samples = tuple(_under(s, under) for s in samples)
        fields = {"variant": None, "metric": LATENCY, "work": Work()}
        question = f"What is {name} here?"
        return made.case(samples, benchmark=name, question=question, **(fields | also))


def _under(sample: Sample, hz: float) -> Sample:
    from msgspec.structs import replace

    return replace(sample, also={"frequency Hz": Numbers([hz] * len(sample.ticks))})


def _peaks(make: _Maker) -> list[CaseRecord]:
    cases = []
    for threads in (1, 2):
        for isa, hz in HZ.items():
            known = {"variant": isa, "parameters": {"threads": threads}, "hz": hz}
            for bits, factor in ((64, 1), (32, 2)):
                rate = threads * hz * FLOPS[isa] * factor
                work = Work(flops=1e8, precision=f"float{bits}")
                cases.append(make.rate(f"peak.float{bits}", rate, RATE, work=work, **known))
            ints = Metric(name="rate", unit="op/s", better="higher")
            work = Work(operations=1e8)
            rate = threads * hz * FLOPS[isa]
            cases.append(make.rate("peak.int32", rate, ints, work=work, **known))
    return cases


def _linpack(make: _Maker, full: bool) -> list[CaseRecord]:
    def work(n: int) -> Work:
        return Work(flops=2 * n**3 / 3 + 2 * n**2)

    cases = [
        make.rate("linpack.plain", 3.5e9, RATE, work=work(100), parameters={"n": 100, "lda": lda})
        for lda in (200, 201)
    ]
    libraries = {"reference": 3.5e9, "blis": 16e9, "openblas": 30e9, "mkl": 48e9}
    for name, share in (("level1", 0.1), ("level2", 0.15), ("level3", 0.8), ("lu", 1.0)):
        for library, rate in libraries.items():
            for threads in (1, 2) if name == "lu" else (1,):
                where = {"n": 1000, "threads": threads}
                cases.append(
                    make.rate(f"linpack.{name}", rate * share * threads**0.8, RATE,
                              work=work(1000), parameters=where, variant=library)
                )  # fmt: skip
    orders = (100, 250, 500, 1000, 2000, 4000, 8000) if full else (250, 500, 1000, 2000)
    for threads in (1, 2):
        for n in orders:
            for library, rate in libraries.items():
                reached = rate * n / (n + 200) * threads**0.8
                where = {"n": n, "threads": threads}
                cases.append(make.rate("linpack.sweep", reached, RATE, work=work(n),
                                       parameters=where, variant=library))  # fmt: skip
    return cases


def _fft(make: _Maker, full: bool) -> list[CaseRecord]:
    cases = []
    for n in (256, 500, 512, 521, 1024) if full else (512, 521):
        points = n * n
        for library, rate in (("scipy", 4e9), ("mkl", 18e9)):
            work = Work(flops=5 * points * np.log2(points), bytes=32.0 * points)
            reached = rate * (0.4 if n == 521 else 1.0)
            where = {"rows": n, "columns": n}
            cases.append(make.rate("fft.complex2d", reached, RATE, work=work, parameters=where,
                                   variant=library))  # fmt: skip
    return cases


def _noise(rng: np.random.Generator, processes: int) -> list[CaseRecord]:
    def case(name: str, metric: Metric, values: object) -> CaseRecord:
        samples = tuple(
            made.sample([1e-4] * 300, process=i, values=Numbers(values(300)))
            for i in range(processes)
        )
        return made.case(samples, benchmark=f"noise.{name}", parameters={}, variant=None,
                         metric=metric, work=Work())  # fmt: skip

    lost = Metric(name="lost", unit="share", better="lower")
    length = Metric(name="detour", unit="s", better="lower")
    quantum = Metric(name="time", unit="s", better="lower")
    return [
        case("lost", lost, lambda n: 0.03 + 0.003 * rng.standard_normal(n)),
        case("detour", length, lambda n: 2e-6 * np.exp(1.3 * rng.standard_normal(n) ** 2)),
        case("quantum", quantum, lambda n: 1e-4 * (1 + 0.05 * rng.random(n) ** 8)),
    ]


def _latency(make: _Maker, full: bool) -> list[CaseRecord]:
    sizes = [16 * KIB << i for i in range(17)]
    return [
        make.time("memory.latency", latency_at(size) * (1.1 if pages == "normal" else 1.0),
                  parameters={"size": size, "pages": pages})
        for pages in ("normal", "huge")
        for size in (sizes if full or pages == "huge" else sizes[::2])
    ]  # fmt: skip


def _bandwidth(make: _Maker, full: bool) -> list[CaseRecord]:
    sizes = [32 * KIB << (1 if full else 3) * i for i in range(16 if full else 6)]
    variants = {"read": ("avx512", "avx2", "portable"), "write": ("avx512", "nt", "portable"),
                "copy": ("avx512", "nt", "portable")}  # fmt: skip
    cases = []
    for threads in (1, 2):
        for name, kinds in variants.items():
            for variant in kinds if full else kinds[:1]:
                for size in sizes:
                    slow = {"portable": 0.6, "nt": 0.8}.get(variant, 1.0)
                    share = 1.5e-9 / latency_at(size / threads)
                    rate = slow * 180e9 * threads * share**0.6
                    known = {"work": Work(bytes=float(size)), "variant": variant}
                    known["parameters"] = {"size": size, "threads": threads}
                    cases.append(make.rate(f"memory.bandwidth.{name}", rate, BANDWIDTH, **known))
    return cases


def _loaded(make: _Maker) -> list[CaseRecord]:
    from msgspec.structs import replace

    cases = []
    for delay in (0, 50, 200, 1000, 10000):
        share = 1 / (1 + delay / 100)
        where = {"size": 1 << 30, "threads": 1, "delay": delay}
        seconds = 110e-9 * (1 + share**3)
        case = make.time("memory.loaded_latency", seconds, parameters=where)
        samples = tuple(
            replace(s, also={"injected B/s": Numbers([12e9 * share] * len(s.ticks))})
            for s in case.samples
        )
        cases.append(replace(case, samples=samples))
    return cases


def _writes(make: _Maker) -> list[CaseRecord]:
    return [
        make.rate("memory.write.parallel", 8e9 * threads**share, BANDWIDTH, work=Work(bytes=5e8),
                  variant="nt-avx512",
                  parameters={"threads": threads, "affinity": affinity, "block": 500_000_000})
        for affinity, share in (("none", 0.7), ("scatter", 0.8), ("compact", 0.5))
        for threads in (1, 2)
    ]  # fmt: skip


def _stream(make: _Maker) -> list[CaseRecord]:
    moved = {"copy": (16, 0), "scale": (16, 1), "add": (24, 1), "triad": (24, 2)}
    elements = 80_000_000
    return [
        make.rate(f"stream.{name}", 14e9 * threads**0.7, BANDWIDTH,
                  work=Work(bytes=moved_bytes * elements, flops=(flops * elements) or None),
                  variant="plain", parameters={"threads": threads, "elements": elements})
        for name, (moved_bytes, flops) in moved.items()
        for threads in (1, 2)
    ] + [
        make.rate("stream.copies.triad", 13e9 * copies**0.7, BANDWIDTH, variant="plain",
                  work=Work(bytes=24.0 * elements, flops=2.0 * elements),
                  parameters={"copies": copies, "elements": elements})
        for copies in (1, 2)
    ]  # fmt: skip
