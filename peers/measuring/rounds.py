"""The rule `rounds`: what it accepts, by which criterion, and how far from the truth."""

from collections import Counter
from collections.abc import Callable

import numpy as np
from intervals import LENGTH, decays, jumps, spikes
from table import Table

from shapes import Random, correlated, normal
from stend.record import Stop
from stend.running.sampling import Rounds, measure
from stend.statistics import Floats, interval_normal, pearson_normal
from synthetic import CLOCK, Played, proved

N = LENGTH
SHAPES: dict[str, Callable[[Random], Floats]] = {
    "Gaussian 3%": lambda r: normal(r, N, 0.03),
    "Gaussian 0.3%": lambda r: normal(r, N, 0.003),
    "log-normal 30%": lambda r: np.exp(0.3 * r.standard_normal(N)),
    "minimum + exponential 5%": lambda r: 1 + 0.05 * r.exponential(size=N),
    "spiky, 1% of about ×10": lambda r: normal(r, N, 0.003) + spikes(r),
    "AR(1) φ = 0.95": lambda r: 1 + correlated(r, N, 0.95, 0.03),
    "modes 85/15, +30%": lambda r: normal(r, N, 0.003) + jumps(r, 0.15, 0.3),
    "modes 50/50, +10%": lambda r: normal(r, N, 0.005) + jumps(r, 0.5, 0.1),
    "warm-up +50%, e^(-i/200)": decays(200, 0.01),
    "drift of 10% in 4,096": lambda r: (
        normal(r, N, 0.01) + 0.1 * np.minimum(np.arange(N) / 4096, 1)
    ),
    "step of 5% after 1,000": lambda r: normal(r, N, 0.01) + 0.05 * (np.arange(N) >= 1000),
    "coarse clock, 5% a step": lambda r: np.round(normal(r, N, 0.02) / 0.05) * 0.05,
}
CRITERIA = ["normal", "tight", "interval", "not reproducible"]


def alone(series: Floats) -> Stop:
    """The rule as published: from the first repetition on, without a warm-up."""
    rule, n = Rounds(), 0
    while True:
        n += rule.wants(n, 0.0)[0]
        if stop := rule.look(series[:n], 0.0):
            return stop


def table(runs: int) -> None:
    """What the rule does with each shape, by itself and behind the engine's warm-up."""
    out = Table(
        f"Rule `rounds`, {runs} runs each; errors of the mean against the settled mean, 5–95%",
        ["sample", *(f"{c} %" for c in CRITERIA), "round", "error alone %", "in the engine %"],
    )
    for index, (name, make) in enumerate(SHAPES.items()):
        random = np.random.default_rng([300, index])
        true = float(np.mean([make(random)[N // 2 :].mean() for _ in range(100)]))
        stops = [alone(make(random)) for _ in range(runs)]
        behind = [
            measure(Played(1e-4 * make(random)), clock=CLOCK, rule=Rounds(), budget=9, proof=proved)
            for _ in range(runs)
        ]
        counts = Counter(s.criterion for s in stops)
        out.row(
            name,
            *(f"{100 * counts[c] / runs:.0f}" for c in CRITERIA),
            f"{np.mean([s.rounds for s in stops]):.1f}",
            _errors([(s.mean or 0) / true - 1 for s in stops]),
            _errors([(s.stop.mean or 0) * 1e4 / true - 1 for s in behind]),
        )


def acceptance(runs: int) -> None:
    """How often a criterion accepts a sample of N values of each shape."""
    sizes = [32, 64, 128, 256, 512, 1024, 4096]
    out = Table(
        f"Accepted by Pearson's test / by the 80% interval, %, {runs} samples each",
        ["sample", *(f"N = {n}" for n in sizes)],
    )
    for name in ["Gaussian 3%", "log-normal 30%", "minimum + exponential 5%", "AR(1) φ = 0.95"]:
        random = np.random.default_rng([400, len(name)])
        series = [SHAPES[name](random) for _ in range(runs)]
        out.row(name, *(_accepted([x[:n] for x in series]) for n in sizes))


def _accepted(samples: list[Floats]) -> str:
    rates = [
        100 * np.mean([(test(x) or 0.0) > 0.05 for x in samples])
        for test in (pearson_normal, interval_normal)
    ]
    return f"{rates[0]:.0f} / {rates[1]:.0f}"


def _errors(errors: list[float]) -> str:
    low, high = np.percentile(errors, [5, 95])
    return f"{100 * np.mean(errors):+.1f} ({100 * low:+.1f} … {100 * high:+.1f})"
