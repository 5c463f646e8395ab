"""Histories with a known truth: runs a week apart whose figures change where they are told to."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from made import case, machine, run, sample
from stend.record import CaseRecord, Conditions, Disturbance, Run
from stend.store import Store

BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
PROCESSES = 5


def when(i: int) -> str:
    """The time of run i: a week and a little after the one before."""
    return (BEGIN + timedelta(days=7 * i, minutes=13 * i % 60)).strftime("%Y-%m-%dT%H:%M:%SZ")


def planted(
    count: int,
    factor: Callable[[int], float] = lambda i: 1.0,
    *,
    noise: float = 0.01,
    seed: int = 1,
    cases: Callable[[float], tuple[CaseRecord, ...]] | None = None,
    **also: Callable[[int], Any],
) -> list[Run]:
    """So many runs, whose times are `factor` of what they were, with a noise between runs.

    `also` gives further fields of run i.
    """
    chance = np.random.default_rng(seed)
    found = []
    for i in range(count):
        seconds = 1e-3 * factor(i) * float(np.exp(noise * chance.standard_normal()))
        spread = np.exp(0.002 * chance.standard_normal((PROCESSES, 6)))
        samples = tuple(sample(list(seconds * row), process=p) for p, row in enumerate(spread))
        fields = {"id": f"{i:032x}", "label": "", "started": when(i), "finished": when(i)}
        fields |= {name: of(i) for name, of in also.items()}
        made = (case(samples),) if cases is None else cases(seconds)
        found.append(run(made, **fields))
    return found


def kernel_update(at: int) -> Callable[[int], Any]:
    """A machine whose kernel was replaced before run `at`."""
    return lambda i: machine(kernel="5.10.0" if i < at else "6.1.0", host="bench")


def disturbed(at: int) -> Callable[[int], Conditions]:
    """Conditions in which run `at` was disturbed."""
    said = Disturbance(kind="load", said="Load of 2.1 on 2 cores.")
    return lambda i: Conditions(during=(said,) if i == at else ())


def store(url: str, runs: list[Run]) -> str:
    """Put them into a store, and give its URL."""
    with Store.open(url) as opened:
        for one in runs:
            opened.add(one)
    return url


if __name__ == "__main__":
    store(
        sys.argv[1],
        planted(
            40,
            lambda i: 1.08 if i >= 26 else 1.0,
            machine=kernel_update(26),
            conditions=disturbed(17),
            label=lambda i: "<b>nightly</b>" if i == 3 else "nightly",
        ),
    )
