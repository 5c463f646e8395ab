"""The rule `precision` through the engine: coverage at the stop, bias, cautions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from table import Table, held

from shapes import Random, correlated, normal
from stend.record import Sample
from stend.record.cautions import Caution
from stend.running.sampling import Precision, measure
from stend.statistics import Floats, Location, median_interval
from synthetic import CLOCK, Played, proved

LENGTH = 28000
"""Repetitions in a series: more than warm-up and sampling take together."""


@dataclass(frozen=True)
class Case:
    """A shape of timings, relative to its base, and what is demanded of it."""

    name: str
    make: Callable[[Random], Floats]
    median: float | None = None
    """The true one; None: taken from two million values."""
    covers: tuple[float, float] = (0.93, 0.97)
    modes: int = 1


def spikes(random: Random) -> Floats:
    return np.where(random.random(LENGTH) < 0.01, 10 * random.exponential(size=LENGTH), 0)


def jumps(random: Random, weight: float, distance: float) -> Floats:
    return distance * (random.random(LENGTH) < weight)


N = LENGTH
CASES = [
    Case("Gaussian 0.3%", lambda r: normal(r, N, 0.003), 1.0),
    Case("Gaussian 3%", lambda r: normal(r, N, 0.03), 1.0),
    Case("Gaussian 15%", lambda r: normal(r, N, 0.15), 1.0),
    Case("log-normal 5%", lambda r: np.exp(0.05 * r.standard_normal(N)), 1.0),
    Case("log-normal 30%", lambda r: np.exp(0.3 * r.standard_normal(N)), 1.0),
    Case(
        "minimum + exponential 5%",
        lambda r: 1 + 0.05 * r.exponential(size=N),
        1 + 0.05 * np.log(2),
    ),
    Case(
        "minimum + exponential 50%",
        lambda r: 1 + 0.5 * r.exponential(size=N),
        1 + 0.5 * np.log(2),
    ),
    Case("spiky, 1% of about ×10", lambda r: normal(r, N, 0.003) + spikes(r)),
    Case("AR(1) φ = 0.5", lambda r: 1 + correlated(r, N, 0.5, 0.03), 1.0, (0.90, 1.0)),
    Case("AR(1) φ = 0.8", lambda r: 1 + correlated(r, N, 0.8, 0.03), 1.0, (0.90, 1.0)),
    Case("AR(1) φ = 0.95", lambda r: 1 + correlated(r, N, 0.95, 0.03), 1.0, (0.90, 1.0)),
    Case("modes 50/50, +10%", lambda r: normal(r, N, 0.005) + jumps(r, 0.5, 0.1), modes=2),
    Case("modes 85/15, +30%", lambda r: normal(r, N, 0.003) + jumps(r, 0.15, 0.3), modes=2),
    Case("modes 70/30, +3%", lambda r: normal(r, N, 0.003) + jumps(r, 0.3, 0.03), modes=2),
    Case(
        "modes 70/30, +10%, spiky",
        lambda r: normal(r, N, 0.003) + jumps(r, 0.3, 0.1) + spikes(r),
        modes=2,
    ),
]


def decays(constant: int, deviation: float) -> Callable[[Random], Floats]:
    """A warm-up of +50% with a time constant in repetitions."""
    return lambda r: normal(r, N, deviation) + 0.5 * np.exp(-np.arange(N) / constant)


def run(series: Floats, base: float) -> tuple[Sample, Location]:
    sample = measure(Played(base * series), clock=CLOCK, rule=Precision(), budget=2.0, proof=proved)
    return sample, median_interval(np.asarray(sample.ticks) / (sample.hz * sample.batch * base))


def stationary(runs: int, base: float) -> None:
    """Coverage, bias and cautions on samples that don't move."""
    table = Table(
        f"Rule `precision`, repetitions of {base * 1e6:.0f} µs, budget 2 s, {runs} runs each",
        ["sample", "covers %", "bias %", "two modes %", "moved %", "stopped by", "repetitions"],
    )
    for index, case in enumerate(CASES):
        random = np.random.default_rng([index, round(base * 1e6)])
        true = case.median or np.median(np.concatenate([case.make(random) for _ in range(70)]))
        found = [run(case.make(random), base) for _ in range(runs)]
        table.row(case.name, *_judged(case, float(true), found))


def _judged(case: Case, true: float, found: list[tuple[Sample, Location]]) -> list[str]:
    cover = np.mean([w.low is not None and w.low <= true <= w.high for _, w in found])
    bias = np.mean([w.value / true - 1 for _, w in found])
    modes = _share(found, Caution.TWO_MODES)
    moved = _share(found, Caution.DRIFTING) + _share(found, Caution.STEP)
    one = case.modes == 1
    return [
        held(100 * cover, lambda c: not one or _within(c, case.covers, len(found)), ".1f"),
        held(100 * bias, lambda b: not one or abs(b) <= 0.1, "+.3f") if one else "–",
        held(100 * modes, lambda m: m <= 2 if one else m >= 99 - _rare(len(found)), ".1f"),
        f"{100 * moved:.1f}",
        _stops(found),
        f"{np.mean([len(s.ticks) for s, _ in found]):.0f}",
    ]


def _within(percent: float, bounds: tuple[float, float], runs: int) -> bool:
    """Whether the coverage is within the bounds, give or take two standard errors of it."""
    error = 100 * 2 * np.sqrt(0.05 * 0.95 / runs)
    return 100 * bounds[0] - error <= percent <= 100 * bounds[1] + error


def _rare(runs: int) -> float:
    """Two standard errors of a share of 1%, in percent."""
    return float(100 * 2 * np.sqrt(0.01 * 0.99 / runs))


def _share(found: list[tuple[Sample, Location]], caution: Caution) -> float:
    return float(np.mean([caution in sample.cautions for sample, _ in found]))


def _stops(found: list[tuple[Sample, Location]]) -> str:
    counts = Counter(sample.stop.criterion for sample, _ in found)
    return ", ".join(f"{k} {100 * v / len(found):.0f}%" for k, v in counts.most_common())


def moving(runs: int) -> None:
    """Bias after warm-ups, and what is said of samples that move."""
    table = Table(
        f"Samples that move, repetitions of 100 µs, budget 2 s, {runs} runs each",
        ["sample", "bias %", "drifting %", "step %", "two modes %", "warm-up repetitions"],
    )
    steady, ramp, count = 1.0, np.arange(N) / 16384, np.arange(N)
    cases: list[tuple[str, Callable[[Random], Floats], float | None]] = [
        *(
            (f"warm-up +50%, e^(-i/{c}), noise {100 * d:g}%", decays(c, d), steady)
            for c in (50, 200, 1000)
            for d in (0.001, 0.01, 0.1)
        ),
        ("warm-up +50%, e^(-i/4000): beyond the bound", decays(4000, 0.01), None),
        ("ramp of 10%", lambda r: normal(r, N, 0.01) + 0.1 * ramp, None),
        ("ramp of 10% in the first quarter", lambda r: normal(r, N, 0.01) + 0.1 * np.minimum(
            4 * ramp, 1), None),
        ("step of 5% after 1,800", lambda r: normal(r, N, 0.01) + 0.05 * (count > 1800), None),
        ("step of 2% after 2,500, noise 3%",
         lambda r: normal(r, N, 0.03) + 0.02 * (count > 2500), None),
    ]  # fmt: skip
    for index, (name, make, true) in enumerate(cases):
        random = np.random.default_rng([100, index])
        found = [run(make(random), 1e-4) for _ in range(runs)]
        bias = 100 * np.mean([w.value - 1 for _, w in found])
        table.row(
            name,
            held(bias, lambda b: abs(b) <= 0.3, "+.3f") if true else f"({bias:+.2f})",
            *(
                f"{100 * _share(found, c):.1f}"
                for c in (Caution.DRIFTING, Caution.STEP, Caution.TWO_MODES)
            ),
            f"{np.mean([s.warm_up for s, _ in found]):.0f}",
        )
