"""Runs → what their host did meanwhile that moves figures: its cores' frequency, others' load.

The frequency that was measured beside each sample differs between runs of one machine, a virtual
one above all: neighbours and the cooling decide it. Where nothing that sets it was changed, it
is the host's doing, and a figure follows it by anything from not at all (memory) to wholly
(arithmetic). Where machines or settings differ, it belongs to what is compared.
"""

from collections.abc import Iterator, Sequence
from math import log
from statistics import fmean, median

from stend.comparing.load import share_taken
from stend.comparing.machines import same_machine
from stend.record import Machine, Metric, Run
from stend.statistics import RunFigure

Figures = dict[str, RunFigure]
"""Of one case, by the id of the run."""


def brought_by_clock(a: Sequence[Run], b: Sequence[Run]) -> float:
    """The logarithm of B's frequency over A's; 0 where it is unknown, or part of the question."""
    first, runs = a[0].machine, (*a, *b)
    if not all(
        same_machine(first, run.machine) and _set(run.machine) == _set(first) for run in runs
    ):
        return 0.0
    found = [[core_frequency(run) for run in side] for side in (a, b)]
    known = [[log(hz) for hz in side if hz] for side in found]
    return fmean(known[1]) - fmean(known[0]) if all(known) else 0.0


def core_frequency(run: Run) -> float | None:
    """The median of what was measured before and after each sample, in Hz."""
    found = [hz for case in run.cases for sample in case.samples for hz in sample.core_hz or ()]
    return median(found) if found else None


def host_notes(
    a: Sequence[Run], b: Sequence[Run], figures: tuple[Sequence[Figures], Sequence[Figures]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is to be said of A's and of B's host; `figures` are those of each side's cases."""
    loaded = [tuple(_load_notes(of_side)) for of_side in figures]
    return loaded[0], (*loaded[1], *_clock_notes(a, b))


def _load_notes(figures: Sequence[Figures]) -> Iterator[str]:
    """A sentence where others had the machine while a figure was measured."""
    slowed: dict[str, list[float]] = {}
    for of_case in figures:
        for run, figure in of_case.items():
            slowed.setdefault(run, []).append(figure.slowed)
    said = ", ".join(
        f"{share_taken(of_run):.0%} of the machine busy while {sum(map(bool, of_run))} of "
        f"{len(of_run)} figures were measured ({run[:8]})"
        for run, of_run in slowed.items()
        if any(of_run)
    )
    if said:
        yield (
            f"Others kept up to {said}: these figures are known only as far as that leaves them. "
            "Measure again when it is quiet."
        )


def _clock_notes(a: Sequence[Run], b: Sequence[Run]) -> list[str]:
    """A sentence where what the frequency brought is worth one."""
    brought = brought_by_clock(a, b)
    if abs(brought) < _WORTH_TELLING:
        return []
    ghz = [fmean(hz for run in side if (hz := core_frequency(run))) / 1e9 for side in (a, b)]
    return [
        f"Its cores ran at {ghz[1]:.2f} GHz and A's at {ghz[0]:.2f}, with no setting changed: the "
        "intervals hold what that alone can explain."
    ]


_WORTH_TELLING = 0.01


def follows(metric: Metric) -> int:
    """Which way a figure goes when the frequency rises: rates 1, times -1, all else 0."""
    if metric.unit.endswith("/s"):
        return 1
    return -1 if metric.unit in ("s", "s/slice") else 0


def _set(machine: Machine) -> tuple[object, ...]:
    return machine.governor, machine.turbo, machine.kernel
