"""Runs → what their host did meanwhile that moves figures: its cores' frequency, others' load.

The frequency that was measured beside each sample differs between runs of one machine, a virtual
one above all: neighbours and the cooling decide it. Where nothing that sets it was changed, it
is the host's doing, and a figure follows it by anything from not at all (memory) to wholly
(arithmetic). Where machines or settings differ, it belongs to what is compared.
"""

from collections.abc import Sequence
from math import log
from statistics import fmean, median

import numpy as np

from stend.comparing.machines import same_machine
from stend.record import Machine, Metric, Run


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


def slowed_by_others(run: Run) -> float:
    """By how much others may have slowed its figures, as a logarithm; 0 of a quiet machine.

    From the share of all cores that they and the hypervisor took in half of the time or more: what
    is shorter does not move the median over processes.
    """
    share = busy_with_others(run)
    return -log(1 - min(share, _MOST)) if share >= _QUIET else 0.0


def busy_with_others(run: Run) -> float:
    """The share of the machine that was not for this run, the median over its time."""
    watched, threads = run.conditions.watched, run.machine.threads or len(run.machine.usable)
    if watched is None or not threads:
        return 0.0
    others, steal = (np.asarray(x, dtype=np.float64) for x in (watched.others, watched.steal))
    taken = others / threads + np.nan_to_num(steal)
    taken = taken[np.isfinite(taken)]
    return float(np.median(taken)) if len(taken) else 0.0


_QUIET = 0.05
"""Quiet runs had at most 2% (peers/measuring/README.md)."""
_MOST = 0.9


def host_notes(a: Sequence[Run], b: Sequence[Run]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is to be said of A's and of B's host."""
    return tuple(_load_notes(a)), (*_load_notes(b), *_clock_notes(a, b))


def _load_notes(runs: Sequence[Run]) -> list[str]:
    loaded = [(run, busy_with_others(run)) for run in runs if slowed_by_others(run)]
    if not loaded:
        return []
    said = ", ".join(f"{share:.0%} ({run.id[:8]})" for run, share in loaded)
    return [
        f"Others kept {said} of the machine busy: these figures are known only as far as that "
        "leaves them. Measure again when it is quiet."
    ]


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
