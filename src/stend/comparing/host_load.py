"""What others had of the machine while a run was measured, and what its clock did meanwhile.

A case is met by what happened in its own time: a spell that is nothing to the run can be all that
one of its figures saw.

The frequency that was measured beside each sample differs between runs of one machine, a virtual
one above all: neighbours and the cooling decide it. Where nothing that sets it was changed, it
is the host's doing, and a figure follows it by anything from not at all (memory) to wholly
(arithmetic). Where machines or settings differ, it belongs to what is compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from statistics import fmean, median

import numpy as np

from stend.comparing.facts import same_machine
from stend.record import CaseRecord, Machine, Metric, Run
from stend.statistics import RunFigure

Span = tuple[float, float]
"""From when to when a process was measured, by CLOCK_MONOTONIC, ns."""

_QUIET = 0.05
"""Quiet runs had at most 2% (peers/measuring/README.md)."""
_MOST = 0.9


def spans_of(case: CaseRecord) -> tuple[Span, ...]:
    """When each of its processes was measured."""
    return tuple(
        (
            sample.origin + 1e9 * sample.started[0] / sample.hz,
            sample.origin + 1e9 * (sample.started[-1] + sample.ticks[-1]) / sample.hz,
        )
        for sample in case.samples
        if len(sample.ticks)
    )


class Load:
    """The share of a machine that was not for a run, look by look."""

    def __init__(self, run: Run) -> None:
        """Take it from what was watched; nothing was: nothing is known of others."""
        watched, threads = run.conditions.watched, run.machine.threads or len(run.machine.usable)
        self._threads = threads
        self._at = np.zeros(0)
        self._taken = np.zeros(1)
        if watched is None or not threads:
            return
        others, steal = (np.asarray(x, dtype=np.float64) for x in (watched.others, watched.steal))
        taken = others / threads + np.nan_to_num(steal)
        known = np.isfinite(taken)
        self._at = np.asarray(watched.at, dtype=np.float64)[known]
        self._taken = np.concatenate(([0.0], np.cumsum(taken[known])))
        """Summed up, so that the mean over any looks is one difference."""

    def slowed(self, spans: Sequence[Span]) -> float:
        """By how much others may have slowed what was measured then, as a logarithm.

        What they and the hypervisor took in the middle process; 0 where that is next to nothing.
        """
        return _as_logarithm(self._share(spans))

    def most(self, case: CaseRecord) -> float:
        """By how much they slowed a case at most, as a logarithm.

        They can have taken all that they took from the cores that the case needs. A load of storage
        needs any; of what else does not tell its threads, one core is taken to be meant.
        """
        share = self._share(spans_of(case))
        needed = self._threads if case.family == "storage" else _threads_of(case)
        return _as_logarithm(share * max(1.0, self._threads / needed)) if share >= _QUIET else 0.0

    def _share(self, spans: Sequence[Span]) -> float:
        """What was taken in the middle process; a look tells of the time since the one before."""
        if not len(self._at) or not spans:
            return 0.0
        begun, ended = np.asarray(spans, dtype=np.float64).T
        first = np.searchsorted(self._at, begun, side="right")
        last = np.minimum(np.searchsorted(self._at, ended) + 1, len(self._at))
        looks = np.maximum(last - first, 1)
        share = (self._taken[np.maximum(last, first)] - self._taken[first]) / looks
        return float(np.median(share))


def _as_logarithm(share: float) -> float:
    return -log(1 - min(share, _MOST)) if share >= _QUIET else 0.0


def _threads_of(case: CaseRecord) -> int:
    counts = (case.parameters.get(name) for name in ("threads", "copies", "ranks"))
    return max((count for count in counts if type(count) is int and count > 0), default=1)


def share_taken(slowed: Iterable[float]) -> float:
    """What share of the machine had to be taken for the largest of these."""
    return 1 - exp(-max(slowed))


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
            f"Other programs or the hypervisor kept up to {said}: the intervals are wider for "
            "that. Measure again when the machine is quiet."
        )


def _clock_notes(a: Sequence[Run], b: Sequence[Run]) -> list[str]:
    """A sentence where what the frequency brought is worth one."""
    brought = brought_by_clock(a, b)
    if abs(brought) < _WORTH_TELLING:
        return []
    ghz = [fmean(hz for run in side if (hz := core_frequency(run))) / 1e9 for side in (a, b)]
    return [
        f"Its cores ran at {ghz[1]:.2f} GHz and A's at {ghz[0]:.2f}, with no setting changed: "
        "the intervals include what that by itself can explain."
    ]


_WORTH_TELLING = 0.01


def follows(metric: Metric) -> int:
    """Which way a figure goes when the frequency rises: rates 1, times -1, all else 0."""
    if metric.unit.endswith("/s"):
        return 1
    return -1 if metric.unit in ("s", "s/slice") else 0


def _set(machine: Machine) -> tuple[object, ...]:
    return machine.governor, machine.turbo, machine.kernel
