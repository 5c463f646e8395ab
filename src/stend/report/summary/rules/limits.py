"""Far from a limit of the same run: of the measured peak, of the memory's theoretical bandwidth."""

from collections.abc import Iterator

from stend.comparing.limits import theoretical_bandwidth, threads_of
from stend.report.measured import Measured
from stend.report.quantities import counted, figure, share_in_words
from stend.report.summary.figures import Figures, better, over_processes, shown
from stend.report.summary.finding import Finding

_LARGE = 2000
"""Equations from which LU is bounded by arithmetic: of 1000 good libraries solve at a third of the
peak and more, as moving the panel takes its part."""
_A_THREAD = 500
"""Equations for each thread: with fewer, threads wait for the panel that one of them solves."""
_OF_PEAK = 0.5
"""Libraries made for a processor reach 70 to 90% of its peak at such sizes (HPL's lists);
half of it is code for another processor, or threads that wait."""
_OF_BANDWIDTH = 0.5
"""STREAM reaches 75 to 90% of what the channels could move; half is a channel that is missing or
a neighbour that takes it."""
_LU = ("linpack.lu", "linpack.sweep")


def far_from_peak(figures: Figures) -> Iterator[Finding]:
    """The fastest LU of large systems surely reaches less than half of the peak.

    The peak is of the same run and as many threads, so neither turbo nor a slow clock is in the
    share; and LU of so many equations is bounded by arithmetic.
    """
    large = [m for m in figures.of(*_LU) if is_large(m)]
    for count in sorted({threads_of(m.case) for m in large}):
        best = better(m for m in large if threads_of(m.case) == count)
        share = best and figures.limits.of_peak(best)
        ends = best and over_processes(best)
        if not best or not share or not ends:
            continue
        highest = share * ends[1] / best.estimate.value
        if highest < _OF_PEAK:
            threads = counted(threads_of(best.case), "threads")
            yield Finding(
                f"The fastest LU of large systems, {shown(best)} by {best.variant}, reaches "
                f"{share_in_words(share)} of the peak that was measured on {threads}.",
                best.index,
                _OF_PEAK / highest,
            )


def far_from_bandwidth(figures: Figures) -> Iterator[Finding]:
    """The best bandwidth of memory surely is less than half of what its channels could move.

    The limit is arithmetic on the modules that are plugged in, and any kernel may reach it. Only
    of all cores together: fewer need not be able to ask for so much.
    """
    machine = figures.run.machine
    most = theoretical_bandwidth(machine)
    moved = [
        m
        for m in figures.measured
        if m.case.metric.unit == "B/s" and figures.limits.in_memory(m.case)
        and m.case.benchmark.startswith(("stream.", "memory."))
    ]  # fmt: skip
    threads = max((threads_of(m.case) for m in moved), default=0)
    best = better(moved) if threads >= (machine.cores or len(machine.usable)) else None
    ends = best and over_processes(best)
    if most and best and ends and ends[1] < _OF_BANDWIDTH * most:
        yield Finding(
            f"Memory moves at most {shown(best)} ({figures.name(best)}), "
            f"{share_in_words(best.estimate.value / most)} of the {figure(most, 'B/s')} that its "
            "channels could.",
            best.index,
            _OF_BANDWIDTH * most / ends[1],
        )


def is_large(m: Measured) -> bool:
    """Whether a case of matrices has so many rows that arithmetic bounds it on all its threads."""
    n = m.case.parameters.get("n")
    return type(n) is int and n >= max(_LARGE, _A_THREAD * threads_of(m.case))
