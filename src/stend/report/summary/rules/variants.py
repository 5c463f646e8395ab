"""Implementations of the same work: a default that loses, a library far behind another one."""

from collections.abc import Iterator, Sequence

from stend import registry
from stend.comparing.limits import threads_of
from stend.definition import Variant
from stend.report.measured import Measured
from stend.report.summary.figures import Figures, alike, better, but_for, goodness, shown, times
from stend.report.summary.finding import Finding
from stend.statistics import Ratio

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
                f"{default.variant}, the variant that is taken unless another one is asked for: "
                f"{shown(best)} beside {shown(default)}.",
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
                    f"{best.variant}{on}: {shown(worst)} beside {shown(best)} ({benchmark}).",
                    worst.index,
                    found.low,
                )
