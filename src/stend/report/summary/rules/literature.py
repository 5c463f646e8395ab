"""Findings against published figures, and storage limited by its CPU or its tail.

A published figure is one number of other code, in another year, without an interval: a factor
beside it tells the size of things and decides nothing.
"""

from collections.abc import Iterator
from math import isnan
from statistics import fmean

from stend.comparing import publications
from stend.comparing.limits import threads_of
from stend.record import Run
from stend.report.inference import is_inference
from stend.report.measured_case import Measured
from stend.report.quantities import figure, parameter, share_in_words
from stend.report.summary.figures import Figures, Finding, better, over_processes, shown
from stend.report.workloads import figures_of, was_loaded, workload_name

_SIDE = 256
"""Pixels of a side of the published images."""
_MATTERS = 1.5
"""Times: compilers, sizes of messages and years of the same processor make less than that."""
_CAVEAT = "one number, of other code"


def published_comparison(figures: Figures) -> Iterator[Finding]:
    """Ciphers and U-Net on one core, surely 1.5 times as fast as the fastest that was published.

    Or surely as much slower. Only the same work on one core is set beside it, and the interval
    has to lie beyond that factor wholly, as the published figure has none of its own.
    """
    yield from _ciphers(figures)
    yield from _inference(figures)


def _ciphers(figures: Figures) -> Iterator[Finding]:
    for name in ("kuznyechik", "magma"):
        told = [
            f for f in publications.ciphers() if f.cipher == name and f.processing == "parallel"
        ]
        fastest = max(told, key=lambda f: f.aligned, default=None)
        alone = [
            m
            for m in figures.of(f"gost.{name}")
            if threads_of(m.case) == 1
            and m.case.parameters.get("mode") == "ecb"
            and not m.case.parameters.get("offset")
        ]
        largest = max((_size(m) for m in alone), default=0)
        best = better(m for m in alone if _size(m) == largest)
        if fastest and best:
            what = f"{name.capitalize()} (ECB, one core, messages of {parameter('size', largest)})"
            other = f"{publications.in_full(fastest.processor)}, {figure(fastest.aligned, 'B/s')}"
            yield from _speed(best, best.estimate.value / fastest.aligned, what, other)


def _size(m: Measured) -> int:
    """Bytes; the published figures are of about 1 GB."""
    size = m.case.parameters.get("size")
    return size if type(size) is int else 0


def _inference(figures: Figures) -> Iterator[Finding]:
    fastest = min(publications.inference(), key=lambda f: f.seconds, default=None)
    best = better(
        m
        for m in figures.of("unet.float32")
        if is_inference(m) and threads_of(m.case) == 1 and m.case.parameters.get("side") == _SIDE
    )
    if fastest and best:
        other = f"{publications.in_full(fastest.processor)}, {figure(fastest.seconds, 's')}"
        yield from _speed(best, fastest.seconds / best.estimate.value, "U-Net (one core)", other)


def _speed(m: Measured, speed: float, what: str, other: str) -> Iterator[Finding]:
    """Only where the interval lies wholly beyond the factor that matters."""
    ends = over_processes(m)
    if not ends:
        return
    widths = [end / m.estimate.value for end in ends if end > 0]
    factors = widths if m.case.metric.better == "higher" else [1 / width for width in widths]
    least, most = speed * min(factors, default=0.0), speed * max(factors, default=float("inf"))
    if least > _MATTERS:
        said, size = f"{speed:.1f} times as fast as", least / _MATTERS
    elif most < 1 / _MATTERS:
        said, size = f"{100 * speed:.0f}% of the speed of", 1 / (_MATTERS * most)
    else:
        return
    yield Finding(
        f"{what}: {shown(m)}, {said} the fastest published figure ({other}; {_CAVEAT}).",
        m.index,
        size,
    )


_FULL = 0.9
"""Of all CPU time: what is left is the system's own ticks and interrupts."""
_TAIL = 10.0
"""Times the median latency."""


def cpu_full(figures: Figures) -> Iterator[Finding]:
    """The CPU of the system under load surely had next to nothing left: its interval has."""
    for m in figures.measured:
        cpu = figures_of(m.case).get("CPU") if was_loaded(m.case) else None
        ends = cpu and cpu[1].ends
        if cpu and ends and ends[0] > _FULL and not _kept_busy_by_others(figures.run):
            yield Finding(
                f"{_name(figures, m.index)} keeps {share_in_words(cpu[1].value)} of the CPU "
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
        figures_found = figures_of(m.case) if was_loaded(m.case) else {}
        middle, far = figures_found.get("p50 latency"), figures_found.get("p99 latency")
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
