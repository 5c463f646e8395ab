"""Findings about single figures: an odd core or link, two modes, long tails, losing defaults."""

from collections.abc import Callable, Iterator, Sequence
from math import exp, log

import numpy as np

from stend.benchmarks import registry
from stend.benchmarks.definition import Variant
from stend.comparing.estimate import values_of
from stend.comparing.limits import threads_of
from stend.record import Sample
from stend.report.matrices import COPY, LATENCY
from stend.report.measured_case import P99, Measured, tail
from stend.report.quantities import figure
from stend.report.summary.figures import (
    Figures,
    Finding,
    alike,
    better,
    but_for,
    goodness,
    shown,
    times,
)
from stend.statistics import Ratio, beside_others, finite, holm

_LEVEL = 0.01
"""Of all fellows together: one machine in a hundred that is well is told to have one apart."""
_APART_MATTERS = 1.1
"""Times: by less, cores of one processor differ from the day they are made."""
_FELLOWS = 4
"""With fewer nobody can say which one is wrong."""


def core_apart(figures: Figures) -> Iterator[Finding]:
    """Of cases that differ by their CPU alone, one stands apart by a tenth from the others.

    Of four at least, by the test of fleets at 1% with Holm's correction over all of them.
    """
    pinned = [m for m in figures.measured if type(m.case.parameters.get("cpu")) is int]
    for group in alike(pinned, lambda m: but_for(m, "cpu")):
        yield from _outliers(group, lambda m: f"CPU {m.case.parameters['cpu']}", "CPUs")


def link_apart(figures: Figures) -> Iterator[Finding]:
    """Of the ways from a memory node to another one's memory, one stands apart: as with cores."""
    remote = [
        m
        for m in figures.of(COPY, LATENCY)
        if m.case.parameters.get("node") != m.case.parameters.get("memory")
    ]
    for group in alike(remote, lambda m: but_for(m, "node", "memory")):
        yield from _outliers(group, _link, "links")


def _link(m: Measured) -> str:
    node, memory = (m.case.parameters.get(n) for n in ("node", "memory"))
    return f"The link from node {node} to the memory of node {memory}"


def _outliers(
    group: Sequence[Measured], name: Callable[[Measured], str], things: str
) -> Iterator[Finding]:
    known = [m for m in group if all(x > 0 for x in m.estimate.medians.values())]
    if len(known) < _FELLOWS:
        return
    standings = beside_others([[*map(log, m.estimate.medians.values())] for m in known])
    sure = holm([s.p for s in standings])
    for m, standing, p in zip(known, standings, sure, strict=True):
        if p is None or p > _LEVEL or standing.shift is None:
            continue
        ratio = exp(standing.shift)
        away = max(ratio, 1 / ratio)
        if away >= _APART_MATTERS:
            yield Finding(
                f"{name(m)} is an outlier: {m.case.metric.name} {shown(m)}, {ratio:.2f} times "
                f"the median of the other {len(known) - 1} {things} ({m.case.benchmark}).",
                m.index,
                away,
            )


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
                f"{figures.name(m)} takes one of two values, {said}: its median is one of them.",
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


_MATTERS = 1.03
"""Times: for less nobody would choose another default."""
_FAR = 2.0
"""Times as long: a library that is made for other processors, or built without their sets."""
_OF_LIBRARIES = {"linpack.lu", "linpack.level3", "fft.complex2d"}
_NOT_A_LIBRARY = ("reference", "own-")
"""A reference is there to be read, and our own code is no library that is linked elsewhere."""
_FOR_LARGE = "nontemporal"
"""Stores past the caches: better for what does not fit into them, worse for the rest."""


def default_loses(figures: Figures) -> Iterator[Finding]:
    """The variant that stend takes by itself surely is slower than another that was measured.

    By the 99% interval of their ratio, beyond 3%.
    """
    chosen = [m for m in figures.measured if m.case.variant and not m.case.side]
    groups = [*alike(chosen, lambda m: but_for(m, variant=False))]
    known = registry.load()[0] if groups else {}
    benchmarks = {group[0].case.benchmark for group in groups}
    variants = {name: known[name].available() for name in benchmarks if name in known}
    for group in groups:
        default = _default(group, variants.get(group[0].case.benchmark, ()))
        best = better(m for m in group if default and _alike(m, default))
        if not default or not best or best is default:
            continue
        found = _gain(default, best)
        if found.low and found.low > _MATTERS:
            yield Finding(
                f"{figures.name(best)} is {_speed(best, default):.2f} times as fast as "
                f"{default.variant}, the default variant: {shown(best)} against "
                f"{shown(default)}.",
                default.index,
                found.low,
            )


def _default(group: Sequence[Measured], variants: Sequence[Variant]) -> Measured | None:
    """The last in the list of variants of those that can run; None where it was not measured.

    What can run on the machine of the run is what ran there, or can here.
    """
    ran = {m.case.variant: m for m in group}
    able = [v.name for v in variants if v.available or v.name in ran]
    return ran.get(able[-1]) if able else None


def _gain(slow: Measured, fast: Measured) -> Ratio:
    """How many times as fast the one is as the other, with its interval."""
    return times(slow, fast) if fast.case.metric.better == "higher" else times(fast, slow)


def _speed(fast: Measured, slow: Measured) -> float:
    """How many times as fast one figure is as the other, as they stand in the sentence."""
    a, b = fast.estimate.value, slow.estimate.value
    return a / b if fast.case.metric.better == "higher" else b / a


def _alike(m: Measured, default: Measured) -> bool:
    return m.variant.startswith(_FOR_LARGE) == default.variant.startswith(_FOR_LARGE)


def slow_library(figures: Figures) -> Iterator[Finding]:
    """A library surely takes twice as long as the fastest code for the same.

    By the 99% interval of their ratio, at the same parameters and as many threads.
    """
    for benchmark in sorted(_OF_LIBRARIES):
        for group in alike(figures.of(benchmark), lambda m: but_for(m, variant=False)):
            best = better(group)
            libraries = [m for m in group if not m.variant.startswith(_NOT_A_LIBRARY)]
            worst = min(libraries, key=goodness, default=None)
            if not best or not worst or worst is best:
                continue
            found = _gain(worst, best)
            if found.low and found.low > _FAR:
                threads = threads_of(worst.case)
                on = f" on {threads} threads" if threads > 1 else ""
                yield Finding(
                    f"{worst.variant} takes {_speed(best, worst):.1f} times as long as "
                    f"{best.variant}{on}: {shown(worst)} against {shown(best)} ({benchmark}).",
                    worst.index,
                    found.low,
                )
