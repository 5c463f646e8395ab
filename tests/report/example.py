"""A made-up run of every kind of case, with disturbances, for the tests of the reports."""

import numpy as np

import made
from stend.record import (
    CaseRecord,
    Conditions,
    Disturbance,
    Integers,
    Metric,
    Numbers,
    Run,
    Sample,
    Status,
    Stop,
    Watched,
    Work,
)
from stend.record.cautions import Caution

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u2028&\"'{{7*7}}<!--"
"""A name that would become markup wherever it isn't escaped."""

TIMERS = {
    "counter": (2e-8, 1e-9),
    "monotonic": (3.1e-8, 1e-9),
    "monotonic-coarse": (8e-9, 4e-3),
    "times": (2.4e-7, 1e-2),
}


def example(seed: int = 1, speed: float = 1.0, processes: int = 5, **also: object) -> Run:
    """A run whose figures are `speed` times the usual; `also` replaces fields of the run."""
    rng = np.random.default_rng(seed)
    fields: dict[str, object] = {
        "id": f"{seed:032x}",
        "label": f"example-{seed}",
        "command": ("stend", "run", "--quick"),
        "cases": tuple(_cases(rng, speed, processes)),
        "conditions": _conditions(),
    }
    return made.run(**(fields | also))


def large(cases: int, repetitions: int, processes: int = 5, seed: int = 1) -> Run:
    """A run of many cases with a million repetitions or so, for sizes and times."""
    rng = np.random.default_rng(seed)
    metric = Metric(name="time", unit="s", better="lower")
    return made.run(
        tuple(
            made.case(
                samples=timed(rng, 1e-4 * (1 + i), processes, repetitions // processes),
                benchmark=f"family{i % 10}.work",
                parameters={"size": i},
                metric=metric,
            )
            for i in range(cases)
        ),
        id=f"{seed:032x}",
        label=f"large-{seed}",
        conditions=_conditions(),
    )


def _cases(rng: np.random.Generator, speed: float, processes: int) -> list[CaseRecord]:
    return [
        *_stream(rng, speed, processes),
        *_memory(rng, speed, processes),
        *_clocks(rng, processes),
        _two_modes(rng, processes),
        made.case(
            samples=(),
            status=Status.SKIPPED,
            variant="avx512",
            reason="This processor has no avx512f; use another variant.",
        ),
        made.case(
            samples=(),
            status=Status.CRASHED,
            benchmark="third.party",
            parameters={"seed": 7},
            variant=None,
            reason="The worker ended by signal 11 (segmentation fault).",
        ),
    ]


def _stream(rng: np.random.Generator, speed: float, processes: int) -> list[CaseRecord]:
    bandwidth = {"copy": 30e9, "scale": 19e9, "add": 22.7e9, "triad": 22.8e9}
    cases = []
    for name, rate in bandwidth.items():
        for threads, share in ((1, 0.62), (2, 1.0)):
            for variant, gain in (("plain", 1.0), ("nt-avx512", 1.55)):
                work = 16e8 if name in {"copy", "scale"} else 24e8
                gained = 1.02 if name == "copy" and variant != "plain" else gain
                seconds = work / (rate * share * gained * speed)
                cases.append(
                    made.case(
                        samples=timed(rng, seconds, processes, 60),
                        benchmark=f"stream.{name}",
                        question=f"How many bytes a second does memory stream for {name}?",
                        parameters={"threads": threads, "elements": 100_000_000},
                        variant=variant,
                        work=Work(bytes=work),
                    )
                )
    return cases


def _memory(rng: np.random.Generator, speed: float, processes: int) -> list[CaseRecord]:
    return [
        made.case(
            samples=timed(rng, (1 << k) / (speed * (11e9 - 2e8 * k)), processes, 80),
            benchmark="memory.write",
            question="How many bytes a second does one thread write in blocks of this size?",
            parameters={"block": 1 << k, "region": 3 << 30},
            variant="plain",
            work=Work(bytes=float(1 << k)),
        )
        for k in range(19, 30)
    ]


def _clocks(rng: np.random.Generator, processes: int) -> list[CaseRecord]:
    cases = []
    overhead = Metric(name="overhead", unit="s", better="lower")
    step = Metric(name="step", unit="seconds", better="lower")
    error = Metric(name="error", unit="relative", better="lower")
    for timer, (cost, resolution) in TIMERS.items():
        samples = timed(rng, cost, processes, 100, batch=100_000)
        cases.append(_clock("overhead", overhead, {"timer": timer}, samples))
        seen = reporting(rng, lambda n, r=resolution: np.full(n, r), processes)
        cases.append(_clock("resolution", step, {"timer": timer}, seen))
        for duration in (1e-5, 1e-4, 1e-3, 1e-2):
            wrong = reporting(
                rng,
                lambda n, r=resolution, d=duration: (
                    (np.floor(rng.random(n) + d / r % 1) * r + d // r * r - d) / d
                ),
                processes,
            )
            where = {"timer": timer, "duration": duration}
            cases.append(_clock("error", error, where, wrong))
    return cases


def _clock(
    name: str, metric: Metric, parameters: dict[str, object], samples: tuple[Sample, ...]
) -> CaseRecord:
    return made.case(
        samples=samples,
        benchmark=f"clock.{name}",
        question=f"What is the {name} of this timer?",
        parameters=parameters,
        variant=None,
        metric=metric,
        work=Work(operations=1),
    )


def _two_modes(rng: np.random.Generator, processes: int) -> CaseRecord:
    samples = []
    for i in range(processes):
        low = rng.random(400) < 0.7
        seconds = np.where(low, 1e-4, 1.3e-4) * (1 + 0.01 * rng.standard_normal(400))
        found = (Caution.TWO_MODES, Caution.NOISY)
        stop = Stop(rule="rounds", criterion="interval", mean=float(seconds.mean()), rounds=2)
        samples.append(made.sample(list(seconds), process=i, cautions=found, stop=stop))
    return made.case(
        samples=tuple(samples),
        benchmark="alloc.pages",
        question="How long does a page fault take?",
        parameters={},
        variant=None,
        metric=Metric(name="time", unit="s", better="lower"),
        work=Work(),
    )


def timed(
    rng: np.random.Generator, seconds: float, processes: int, n: int, batch: int = 1
) -> tuple[Sample, ...]:
    return tuple(_sample(rng, seconds, i, n, batch) for i in range(processes))


def _sample(rng: np.random.Generator, seconds: float, process: int, n: int, batch: int) -> Sample:
    noise = 1 + 0.01 * np.abs(rng.standard_normal(n)) + 0.3 * (rng.random(n) < 0.02)
    took = seconds * batch * (1 + 0.004 * rng.standard_normal()) * noise
    ticks = np.round(took * 1e9).astype(np.int64)
    zeros = np.zeros(n, dtype=np.int64)
    return made.sample(
        [],
        process=process,
        batch=batch,
        started=Integers((np.cumsum(ticks) - ticks).tobytes()),
        ticks=Integers(ticks.tobytes()),
        core=Integers(zeros.tobytes()),
        preempted=Integers((rng.random(n) < 0.01).astype(np.int64).tobytes()),
        origin=1_000_000_000 + process * 2_000_000_000,
    )


def reporting(rng: np.random.Generator, values: object, processes: int) -> tuple[Sample, ...]:
    return tuple(
        made.sample([1e-5] * 200, process=i, values=Numbers(values(200))) for i in range(processes)
    )


def _conditions() -> Conditions:
    at = np.arange(0, 60_000_000_000, 100_000_000, dtype=np.int64) + 1_000_000_000
    rng = np.random.default_rng(7)
    steal = np.where(rng.random(len(at)) < 0.05, rng.random(len(at)) * 0.2, 0.0)
    return Conditions(
        before=(
            Disturbance(
                kind="governor",
                said="The governor of both cores is powersave.",
                advice="Let the cores run at a steady frequency.",
            ),
        ),
        during=(
            Disturbance(
                kind="steal",
                said="The hypervisor took 12% of the CPU time.",
                advice="Use a dedicated machine, or compare only interleaved.",
                start=3_200_000_000,
                end=3_900_000_000,
            ),
        ),
        watched=Watched(
            at=Integers(at.tobytes()),
            steal=Numbers(steal.tobytes()),
            others=Numbers(np.abs(rng.standard_normal(len(at)) * 0.1).tobytes()),
            mhz=Numbers(np.full(len(at), np.nan).tobytes()),
        ),
    )
