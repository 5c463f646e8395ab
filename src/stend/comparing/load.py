"""A run's watch → what others had of the machine while a case was measured, and what that slowed.

A case is met by what happened in its own time: a spell that is nothing to the run can be all that
one of its figures saw.
"""

from collections.abc import Iterable, Sequence
from math import exp, log

import numpy as np

from stend.record import CaseRecord, Run

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
    told = (case.parameters.get(name) for name in ("threads", "copies", "ranks"))
    return max((count for count in told if type(count) is int and count > 0), default=1)


def share_taken(slowed: Iterable[float]) -> float:
    """What share of the machine had to be taken for the largest of these."""
    return 1 - exp(-max(slowed))
