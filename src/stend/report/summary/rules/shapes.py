"""Times that are not one number: two values to jump between, a tail far above the median."""

from collections.abc import Iterator

import numpy as np

from stend.comparing.values import values_of
from stend.record import Sample
from stend.report.measured import Measured
from stend.report.quantities import figure
from stend.report.summary.figures import Figures
from stend.report.summary.finding import Finding
from stend.report.tails import P99, tail
from stend.statistics import finite

_OFTEN = 0.2
"""The share of the repetitions that the rarer mode needs: a median may then be of either."""
_MODES_APART = 1.25
_OF_SEVERAL = {"noise", "clock"}
"""Detours and steps of a clock are of several lengths by their nature."""
_TAIL = 10.0
"""Times the median: an operation in a hundred that takes ten times as long takes a tenth of the
time of all."""
_A_FEW = 5
"""Times its value that an observation lasts at most: to and fro, and both clock readings."""
_ENOUGH = 100
"""Repetitions of a process that have a 99th percentile."""


def two_modes(figures: Figures) -> Iterator[Finding]:
    """The repetitions jump between two values far apart, and often have either.

    Two modes that a test tells apart in the repetitions, the rarer one a fifth of them.
    """
    for m in figures.measured:
        modes = m.estimate.modes
        if (
            m.case.family in _OF_SEVERAL
            or len(modes) != 2
            or min(mode.weight for mode in modes) < _OFTEN
        ):
            continue
        low, high = sorted(mode.value for mode in modes)
        if low > 0 and high >= _MODES_APART * low:
            said = " or ".join(
                f"{figure(mode.value, m.estimate.unit)} ({mode.weight:.0%})" for mode in modes
            )
            yield Finding(
                f"{figures.name(m)} has one of two values, {said}: its median is of one of them.",
                m.index,
                high / low,
            )


def long_tail(figures: Figures) -> Iterator[Finding]:
    """Of single operations, the slowest hundredth takes over ten times as long in every process.

    What is so in each of several processes is no accident of one; rounds of many operations have
    no such tail, as their mean hides it.
    """
    for m in figures.measured:
        if m.case.family in _OF_SEVERAL or not _single(m):
            continue
        ratios = [_tail(m, i) for i in range(len(m.case.samples))]
        worst = tail(m, P99)
        if worst and len(ratios) > 1 and min(ratios) >= _TAIL:
            yield Finding(
                f"{figures.name(m)}: one in a hundred takes {figure(worst, 's')} and longer, "
                f"{worst / m.estimate.value:.0f} times the median.",
                m.index,
                min(ratios),
            )


def _single(m: Measured) -> bool:
    """Whether a repetition is one operation's time."""
    return m.case.metric.unit == "s" and all(map(_is_of_one, m.case.samples))


def _is_of_one(sample: Sample) -> bool:
    """Not a batch, nor a round of many operations whose mean the kernel reports."""
    if sample.batch != 1 or len(sample.ticks) < _ENOUGH or sample.load is not None:
        return False
    if sample.values is None:
        return True
    lasted = float(np.median(sample.ticks)) / sample.hz
    values = finite(sample.values)
    return len(values) > 0 and lasted <= _A_FEW * float(np.median(values))


def _tail(m: Measured, process: int) -> float:
    values = finite(values_of(m.case, m.case.samples[process]))
    middle = float(np.median(values)) if len(values) else 0.0
    return float(np.quantile(values, 1 - P99)) / middle if middle > 0 else 0.0
