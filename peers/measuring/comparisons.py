"""A against B: how often equal things are called different, and real changes found."""

from collections.abc import Callable

import numpy as np
from table import Table, held

from shapes import Random, correlated
from stend.statistics import (
    Floats,
    Ratio,
    between_runs,
    holm,
    paired,
    run_figure,
    student,
    unpaired,
)

REPETITIONS = 30
"""In each process."""

Host = Callable[[Random, int], Floats]
"""The host's speed in each of n consecutive slots, relative to 1."""

HOSTS: dict[str, Host] = {
    "steady": lambda _, n: np.zeros(n),
    "wandering, AR(1) 1.5%, φ = 0.9": lambda r, n: correlated(r, n, 0.9, 0.015),
    "slowing down by 20%": lambda _, n: np.linspace(0, 0.2, n),
    "slower by 10% from the middle on": lambda _, n: 0.1 * (np.arange(n) >= n // 2 - 3),
}


def medians(random: Random, host: Host, slots: int, spread: float) -> Floats:
    """Process medians of slots: log-normal 3% repetitions with 1% spikes of ×5."""
    noise = np.exp(0.03 * random.standard_normal((slots, REPETITIONS)))
    noise *= np.where(random.random(noise.shape) < 0.01, 5, 1)
    processes = 1 + spread * random.standard_normal(slots)
    result: Floats = np.median(noise, axis=1) * (1 + host(random, slots)) * processes
    return result


Order = Callable[[Random, int], np.ndarray]
"""Which of n pairs begin with B."""

ORDERS: dict[str, Order] = {
    "ABBA": lambda _, n: np.arange(n) % 2 == 1,
    "by chance": lambda r, n: r.random(n) < 0.5,
}


def interleaved(
    random: Random, host: Host, order: Order, pairs: int, spread: float, change: float
) -> Ratio:
    slots = medians(random, host, 2 * pairs, spread).reshape(pairs, 2)
    turned = order(random, pairs)
    slots[turned] = slots[turned, ::-1].copy()
    return paired(np.log(slots[:, 1] * (1 + change) / slots[:, 0]))


def sequential(random: Random, host: Host, each: int, spread: float, change: float) -> Ratio:
    """All of A, then all of B: two stored runs."""
    slots = medians(random, host, 2 * each, spread)
    return unpaired(slots[:each], slots[each:] * (1 + change))


def different(found: list[Ratio]) -> float:
    """Percent whose 99% interval excludes 1."""
    return 100 * float(np.mean([f.low is not None and not f.low <= 1 <= f.high for f in found]))


def pairs_of(runs: int) -> None:
    """Interleaved: a verdict takes an interval that excludes 1 and an estimate beyond 1%."""
    table = Table(
        f"Interleaved A against B at 99%, processes spread by 1%, {runs} runs each",
        ["host", "order", "pairs", "A/A excludes 1 %", "and by 1% %", "1% found %", "2% found %"],
    )
    for host, order, pairs in ((h, o, p) for h in HOSTS for o in ORDERS for p in (10, 20, 30)):
        random = np.random.default_rng([pairs, list(HOSTS).index(host), list(ORDERS).index(order)])
        found = [
            [
                interleaved(random, HOSTS[host], ORDERS[order], pairs, 0.01, change)
                for _ in range(runs)
            ]
            for change in (0.0, 0.01, 0.02)
        ]
        rates = [different(f) for f in found]
        matters = [f for f in found[0] if f.value and abs(np.log(f.value)) > 0.01]
        called = different(matters) * len(matters) / runs if matters else 0.0
        powerful = pairs == 20 and host == "steady"
        table.row(
            host,
            order,
            str(pairs),
            held(rates[0], lambda rate: rate <= 1 + 3 * _error(runs), ".2f"),
            held(called, lambda rate: rate <= 1 + _error(runs), ".2f"),
            f"{rates[1]:.1f}",
            held(rates[2], lambda v, demanded=powerful: not demanded or v >= 90, ".1f"),
        )


def _error(runs: int) -> float:
    """Standard error of a rate of 1%, in percent."""
    return 100 * float(np.sqrt(0.01 * 0.99 / runs))


def runs_of(runs: int) -> None:
    """Two stored runs, one after the other: what can't be asked of them."""
    table = Table(
        f"Two runs one after the other at 99%, processes spread by 1%, {runs} runs each",
        ["host", "processes", "A/A different %", "2% found %", "5% found %"],
    )
    for host, each in ((h, n) for h in HOSTS for n in (2, 3, 5, 10)):
        random = np.random.default_rng([each, list(HOSTS).index(host), 7])
        rates = [
            different([sequential(random, HOSTS[host], each, 0.01, c) for _ in range(runs)])
            for c in (0.0, 0.02, 0.05)
        ]
        table.row(host, str(each), *(f"{rate:.1f}" for rate in rates))


SUITE = 20
"""Cases."""
PROCESSES = 5
PAST = 15
"""Runs of a history."""

RUNS: dict[str, Callable[[Random, tuple[int, ...]], Floats]] = {
    "like their processes": lambda r, shape: 0.0 * r.standard_normal(shape),
    "by 1%": lambda r, shape: 0.01 * r.standard_normal(shape),
    "by 1%, heavy tails (t, 3)": lambda r, shape: 0.01 * r.standard_t(3, shape) / 3**0.5,
    "(by 3%)": lambda r, shape: 0.03 * r.standard_normal(shape),
    "(by 3%, heavy tails)": lambda r, shape: 0.03 * r.standard_t(3, shape) / 3**0.5,
    "(by 5%)": lambda r, shape: 0.05 * r.standard_normal(shape),
}
"""How far runs of a host differ beyond what their processes show; in brackets, more than was ever
measured without a cause that the run's own record tells: for these there is no target."""


def suites_of(runs: int) -> None:
    """Stored runs as `compare` judges them: suites with any case called different."""
    table = Table(
        f"Suites of {SUITE} cases in which nothing changed, {PROCESSES} processes spread by 1%, "
        f"any false verdict at 99%, % of {runs}, and the median half-width of an interval ± %",
        ["runs differ", *(f"{n} a side{h}" for n in (1, 2, 3) for h in ("", f", {PAST} known"))],
    )
    most = 5 + 100 * float(np.sqrt(0.05 * 0.95 / runs))  # and the error of counting
    for name, host in RUNS.items():
        random = np.random.default_rng([list(RUNS).index(name), 9])
        cells = [_suites(random, host, runs, n, past) for n in (1, 2, 3) for past in (0, PAST)]
        allowed = 100.0 if name.startswith("(") else most
        table.row(
            name,
            *(
                held(rate, lambda r, allowed=allowed: r <= allowed, ".1f") + f" ±{width:.1f}"
                for rate, width in cells
            ),
        )


def _suites(
    random: Random,
    host: Callable[[Random, tuple[int, ...]], Floats],
    runs: int,
    each: int,
    past: int,
) -> tuple[float, float]:
    """Half of a run's own variance is common to its cases."""
    false, widths = 0, []
    for _ in range(runs):
        count = 2 * each + past
        own = host(random, (count, SUITE)) + host(random, (count, 1))
        noise = 0.01 * random.standard_normal((count, SUITE, PROCESSES))
        values = np.exp(own[..., None] / 2**0.5 + noise)
        found = [[run_figure(processes.tolist()) for processes in run] for run in values]
        cases = list(zip(*found, strict=True))
        shifts = [between_runs(c[:each], c[each : 2 * each], [c[2 * each :]]) for c in cases]
        answers = student([shift for shift in shifts if shift], 0.99)
        widths += [(answer.high - answer.low) / 2 for answer in answers]
        false += any(p is not None and p <= 0.01 for p in holm([a.p for a in answers]))
    return 100 * false / runs, 100 * float(np.median(widths))
