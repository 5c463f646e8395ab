"""Storage: a CPU that is full before the devices are, percentiles far above the median."""

from collections.abc import Iterator
from math import isnan
from statistics import fmean

from stend.record import Run
from stend.report.quantities import figure, share_in_words
from stend.report.summary.figures import Figures
from stend.report.summary.finding import Finding
from stend.report.workloads import figures_of, was_loaded, workload_name

_FULL = 0.9
"""Of all CPU time: what is left is the system's own ticks and interrupts."""
_TAIL = 10.0
"""Times the median latency."""


def cpu_full(figures: Figures) -> Iterator[Finding]:
    """The CPU of the system under load surely had next to nothing left: its interval has."""
    for m in figures.measured:
        told = figures_of(m.case).get("CPU") if was_loaded(m.case) else None
        ends = told and told[1].ends
        if told and ends and ends[0] > _FULL and not _kept_busy_by_others(figures.run):
            yield Finding(
                f"{_name(figures, m.index)} keeps {share_in_words(told[1].value)} of the CPU "
                "busy: the processor bounds the storage.",
                m.index,
                ends[0] / _FULL,
            )


def _kept_busy_by_others(run: Run) -> bool:
    """Whether others took so much that the load itself may have had enough left."""
    watched = run.conditions.watched
    known = [cores for cores in watched.others if not isnan(cores)] if watched else []
    cpus = len(run.machine.usable) or 1
    return bool(known) and fmean(known) / cpus > 1 - _FULL


def storage_tail(figures: Figures) -> Iterator[Finding]:
    """The 99th percentile of the latency surely is over ten times the median: the intervals are."""
    for m in figures.measured:
        told = figures_of(m.case) if was_loaded(m.case) else {}
        middle, far = told.get("p50 latency"), told.get("p99 latency")
        if not middle or not far or not middle[1].ends or not far[1].ends:
            continue
        least = far[1].ends[0] / middle[1].ends[1] if middle[1].ends[1] > 0 else 0.0
        if least > _TAIL:
            yield Finding(
                f"{_name(figures, m.index)}: one request in a hundred takes "
                f"{figure(far[1].value, 's')} and longer, "
                f"{far[1].value / middle[1].value:.0f} times the median.",
                m.index,
                least,
            )


def _name(figures: Figures, index: int) -> str:
    case = figures.run.cases[index]
    name = workload_name(case.benchmark, case.parameters)
    return name[:1].upper() + name[1:]
