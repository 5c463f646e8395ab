"""How much a figure would differ in another run, from the figures of runs.

All is on logarithms. Processes of one run tell how they scatter, and that tells much of how runs
do: both meet the same host. The rest is seen in other runs, if there are any.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

from stend.statistics.distributions import f_tail, student_cdf, student_quantile

FLOOR = 0.01
"""Standard deviation between runs whose processes all agree."""
OF_PROCESSES = 0.5
"""The variance between runs over that of their processes. It is no fifth of it where there are
five: what disturbs a host outlasts a process."""
BELIEF = 6.0
"""Degrees of freedom that what the processes lead one to expect is worth beside what was seen.

The first two were fitted to stored runs, and the third chosen so that hosts whose runs differ by
more than their processes show seldom deceive: peers/measuring/README.md."""
_DOUBT = 0.1
"""Where runs scatter as only so large a share of those expected would, belief begins to fade."""

LARGEST = 700.0
"""Of an interval's ends: about the logarithm of the largest number."""

FEWEST_PROCESSES = 3
"""Of a run, to tell how they scatter."""
_FEWEST_SEEN = 2
"""Degrees of freedom from which runs alone, without processes, can tell how runs scatter."""
_NOTHING = 1e-12
"""Runs that scatter by less, beside what is expected, agree to the last digit: of a few that says
nothing of how the next will."""


class RunFigure(NamedTuple):
    """One run's figure of one case."""

    log: float
    """The logarithm of its value."""
    scatter: float | None
    """The variance of the logarithms of its processes; None where they are too few to tell."""
    slowed: float = 0.0
    """By how much what else the host did may have slowed it, as a logarithm."""
    unrest: float = 0.0
    """How far its processes were from their own faster repetitions, as a logarithm."""
    most: float = 0.0
    """By how much what else the host did slowed it at most, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Shift:
    """From the runs of A to those of B, as logarithms."""

    estimate: float
    variance: float
    """Of the estimate."""
    spread: float
    """Standard deviation of one run's figure, between runs."""
    freedom: float
    explained: float = 0.0
    """What the host is known to have brought of it: anything from nothing to this."""
    slowed: tuple[float, float] = (0.0, 0.0)
    """What others' load brought of it: anything from the first to the second."""


class Answer(NamedTuple):
    """What can be said of a shift at a confidence."""

    low: float
    high: float
    p: float
    """Two-sided, of "no shift"."""


def run_figure(processes: Sequence[float], slowed: float = 0.0, unrest: float = 0.0) -> RunFigure:
    """A run's figure from its processes' medians, which must be positive: their median."""
    few = len(processes) < FEWEST_PROCESSES
    scatter = None if few else _variance([log(x) for x in processes])
    return RunFigure(log(median(processes)), scatter, slowed, unrest)


def between_runs(
    a: Sequence[RunFigure],
    b: Sequence[RunFigure],
    history: Iterable[Sequence[RunFigure]] = (),
    explained: float = 0.0,
) -> Shift | None:
    """The shift from A to B as any runs would show it; None where nothing tells how runs scatter.

    A run is expected to have the variance v: `FLOOR`'s, that of what slowed it, that of its unrest
    beyond that of other runs, and a part of its processes' variance; where they agree more than
    those of other runs do, they are met half way, since few agree by chance; one of the
    history that can't tell is taken to be as usual. A side's figure is the mean with weights 1/v: a
    run that was disturbed counts less. What runs scatter in truth is φ v.
    Of φ, the prior says 1 with `BELIEF` degrees of freedom, and each group of runs that ought to be
    alike, a side or a part of the history, adds its own: the moderated variance of Smyth 2004,
    "Linear models and empirical Bayes methods for assessing differential expression in microarray
    experiments", whose prior follows a covariate as in limma-trend, and counts less where what is
    seen contradicts it (Phipson et al. 2016, "Robust hyperparameter estimation protects against
    hypervariable genes"). The prior is given, not estimated from a suite's cases: they share the
    host, so that many cases of few runs agree by chance together.
    """
    groups = [a, b, *(group for group in history if len(group) > 1)]
    typical = _typical(groups)
    means = [_mean(group, typical) for group in groups]
    scatter, seen = sum(mean.scatter for mean in means), sum(len(group) - 1 for group in groups)
    belief = 0.0 if typical.scatter is None else _belief(scatter, seen)
    freedom = belief + seen
    if typical.scatter is None and (freedom < _FEWEST_SEEN or scatter < _NOTHING):
        return None
    scale = (belief + scatter) / freedom
    return Shift(
        estimate=means[1].log - means[0].log,
        variance=scale * (means[0].variance + means[1].variance),
        spread=sqrt(scale * fmean(_expected(run, typical) for run in (*a, *b))),
        freedom=freedom,
        explained=explained,
    )


def bounded(
    a: Sequence[RunFigure],
    b: Sequence[RunFigure],
    history: Iterable[Sequence[RunFigure]] = (),
    explained: float = 0.0,
    *,
    higher: bool,
) -> Shift | None:
    """The same shift, of which others' load brought no more than it can have; None without load.

    What slowed a run is no variance here. It made each side worse, by nothing up to `most`:
    `higher` tells whether worse figures are the smaller ones.
    """
    sides = [fmean(run.most for run in side) for side in (a, b)]
    if not any(sides):
        return None
    still = [[run._replace(slowed=0.0) for run in group] for group in (a, b, *history)]
    shift = between_runs(still[0], still[1], still[2:], explained)
    of_a, of_b = sides
    brought = (-of_b, of_a) if higher else (-of_a, of_b)
    return shift and replace(shift, slowed=brought)


def student(shifts: Sequence[Shift], confidence: float) -> list[Answer]:
    """The interval of each shift, and its p, by Student's distribution.

    Of what the host explains anything may be true, so the interval is the union over all of it, and
    the p that of the part which it can't explain.
    """
    estimate, variance, freedom, explained = (
        np.array([getattr(shift, field) for shift in shifts], dtype=np.float64)
        for field in ("estimate", "variance", "freedom", "explained")
    )
    error = np.sqrt(variance)
    width = error * student_quantile(freedom, (1 + confidence) / 2)
    load = np.array([shift.slowed for shift in shifts], dtype=np.float64).reshape(-1, 2)
    least, most = np.minimum(explained, 0) + load[:, 0], np.maximum(explained, 0) + load[:, 1]
    left = np.abs(estimate - np.clip(estimate, least, most))
    p = 2 * student_cdf(freedom, -left / error)
    low, high = estimate - width - most, estimate + width - least
    ends = (np.clip(end, -LARGEST, LARGEST).tolist() for end in (low, high))
    return [Answer(*of_one) for of_one in zip(*ends, p.tolist(), strict=True)]


def _belief(scatter: float, seen: int) -> float:
    """What the prior is worth: less where runs scatter far more than it has it."""
    if not seen or scatter <= seen:
        return BELIEF
    as_much = float(f_tail(seen, BELIEF, scatter / seen))
    return BELIEF * min(1.0, as_much / _DOUBT)


def _variance(values: Sequence[float]) -> float:
    """As `statistics.variance`, which is exact and thirty times slower."""
    middle = fmean(values)
    return sum((x - middle) ** 2 for x in values) / (len(values) - 1)


class _Mean(NamedTuple):
    log: float
    variance: float
    scatter: float
    """The sum of squared distances from it, each over the variance expected of its run."""


class _Typical(NamedTuple):
    scatter: float | None
    """What the processes of a run scatter by; None where a run of A or B can't tell."""
    unrest: float


def _typical(groups: Sequence[Sequence[RunFigure]]) -> _Typical:
    """Of groups of which the first two are A and B; of the others a run may lack its scatter."""
    runs = [run for group in groups for run in group]
    known = [run.scatter for run in runs if run.scatter is not None]
    complete = all(run.scatter is not None for side in groups[:2] for run in side)
    scatter = median(known) if complete else None
    return _Typical(scatter, median(run.unrest for run in runs))


def _expected(run: RunFigure, typical: _Typical) -> float:
    unrest = max(0.0, run.unrest**2 - typical.unrest**2)
    known = FLOOR**2 + run.slowed**2 + unrest
    if typical.scatter is None:
        return known
    own = typical.scatter if run.scatter is None else run.scatter
    return known + OF_PROCESSES * max(own, (own + typical.scatter) / 2)


def _mean(runs: Sequence[RunFigure], typical: _Typical) -> _Mean:
    variances = [_expected(run, typical) for run in runs]
    weight = sum(1 / v for v in variances)
    middle = sum(run.log / v for run, v in zip(runs, variances, strict=True)) / weight
    scatter = sum((run.log - middle) ** 2 / v for run, v in zip(runs, variances, strict=True))
    return _Mean(middle, 1 / weight, scatter)
