"""Findings about the processor: lost time, falling clock, caches, limits, poor speed-up."""

from collections.abc import Iterator, Mapping

from stend.comparing.limits import cores_of, frequency, theoretical_bandwidth, threads_of
from stend.record import Machine, Scalar
from stend.report.charts.peak import frequency_drops
from stend.report.measured_case import Measured, latency_curve
from stend.report.memory_levels import name_of, of_data
from stend.report.quantities import binary, counted, figure, share_in_words
from stend.report.summary.figures import (
    Figures,
    Finding,
    alike,
    better,
    but_for,
    over_processes,
    shown,
    times,
)

_LOST = 0.01
"""Of a core: as much as the smallest change that comparisons count."""
_WELL_WITHIN = 0.67
"""Of a cache: at larger sizes other data and pages that share sets take their part."""
_NEARLY_MEMORY = 0.5
"""Of the latency of memory; the last caches of today's processors take a sixth to a third of it."""
_UNDER_LOAD = 1.5
"""Times the latency at rest: less is a queue that every memory has."""


def core_lost(figures: Figures) -> Iterator[Finding]:
    """The system and the hypervisor surely take more than a hundredth of a core."""
    for m in figures.of("noise.lost"):
        ends = over_processes(m)
        if ends and ends[0] > _LOST:
            cpu = m.case.parameters.get("cpu")
            yield Finding(
                f"The system and the hypervisor take {shown(m)} of "
                f"{'a core' if cpu is None else f'CPU {cpu}'}.",
                m.index,
                ends[0] / _LOST,
            )


def cache_unlike_reported(figures: Figures) -> Iterator[Finding]:
    """Well within the last cache that the OS reports, a load surely takes as long as in memory.

    Its interval lies above half of the latency of memory, which the last cache of no processor
    comes near.
    """
    caches = of_data(figures.run.machine.caches)
    curve = latency_curve(figures.measured)
    if not caches or not curve:
        return
    last = caches[-1]
    beyond = [m.estimate.value for m in curve if _size(m.case.parameters) > 2 * last.bytes] or [
        m.estimate.value for m in curve if _size(m.case.parameters) > last.bytes
    ]
    inner = caches[-2].bytes if len(caches) > 1 else 0
    for m in curve:
        size, ends = _size(m.case.parameters), over_processes(m)
        if not beyond or not ends or not inner < size <= _WELL_WITHIN * last.bytes:
            continue
        if ends[0] >= _NEARLY_MEMORY * min(beyond):
            yield Finding(
                f"The OS reports an {name_of(last)} of {binary(last.bytes)}, but at "
                f"{binary(size)} a load already takes {shown(m)} and in memory "
                f"{figure(min(beyond), 's')}: the cache is shared, or belongs to the host.",
                m.index,
                last.bytes / size,
            )
            return


def _size(parameters: Mapping[str, Scalar]) -> float:
    return float(parameters["size"])


def latency_under_load(figures: Figures) -> Iterator[Finding]:
    """Beside threads that read as fast as they can, a load surely takes much longer.

    By the 99% interval of the ratio to the same load beside threads that hardly read, beyond 1.5.
    """
    timed = [m for m in figures.of("memory.loaded_latency") if _delay(m) is not None]
    for group in alike(timed, lambda m: but_for(m, "delay")):
        ordered = sorted(group, key=lambda m: _delay(m) or 0)
        busy, rest = ordered[0], ordered[-1]
        if _delay(busy) != 0:
            continue  # nobody read as fast as they can
        found = times(rest, busy)
        if found.low and found.low > _UNDER_LOAD:
            longer = busy.estimate.value / rest.estimate.value
            yield Finding(
                f"A load from memory takes {shown(busy)} while other threads read as fast as "
                f"they can, {longer:.1f} times as long as while they hardly read.",
                busy.index,
                found.low,
            )


def _delay(m: Measured) -> int | None:
    """Between the reads of the other threads."""
    delay = m.case.parameters.get("delay")
    return delay if type(delay) is int else None


def slower_clock(figures: Figures) -> Iterator[Finding]:
    """The core runs slower under wide vectors, by more than readings of its frequency differ."""
    peaks = figures.of("peak.float64")
    sentences = [*frequency_drops(peaks)]
    slowest = min((m for m in peaks if frequency(m)), key=lambda m: frequency(m) or 0, default=None)
    if sentences and slowest:
        fastest = max(frequency(m) or 0.0 for m in peaks)
        yield Finding(sentences[-1], slowest.index, fastest / (frequency(slowest) or fastest))


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


_POOR = 0.6
"""Of the number of cores. With all of them busy a processor may clock at two thirds of what one
core reaches alone, and its small cores do about half of what the large ones do."""
_OF_MATRICES = {"linpack.lu", "linpack.sweep", "linpack.level3"}


def poor_scaling(figures: Figures) -> Iterator[Finding]:
    """Arithmetic on the most threads surely gains less than 0.6 times the number of their cores.

    Only of work that shares nothing: chains in registers, large matrices in blocks, ciphers whose
    messages lie in caches. What streams from memory is bounded by the memory, which one core may
    nearly fill. Hardware threads of one core count as one, cores beyond a container's quota as
    none, and where it is unknown which threads share a core nothing is told.
    """
    machine = figures.run.machine
    computing = [m for m in figures.measured if _computes(m, figures)]
    for group in alike(computing, lambda m: but_for(m, "threads")):
        ordered = sorted(group, key=lambda m: threads_of(m.case))
        one, most = ordered[0], ordered[-1]
        cores = _cores(most, machine)
        if threads_of(one.case) != 1 or cores is None or cores < 2:
            continue
        found = times(one, most)
        if found.high is not None and found.high < _POOR * cores:
            gain = most.estimate.value / one.estimate.value
            threads = threads_of(most.case)
            yield Finding(
                f"{counted(threads, 'threads')} on {cores:g} cores are only {gain:.2f} times as "
                f"fast as one, {share_in_words(gain / cores)} of what the cores could be: "
                f"{figures.name(most)}, {shown(most)} against {shown(one)}.{_hidden(machine)}",
                most.index,
                _POOR * cores / found.high,
            )


def _computes(m: Measured, figures: Figures) -> bool:
    """Whether nothing but the cores bounds it, so that twice as many do twice as much."""
    benchmark = m.case.benchmark
    if benchmark in _OF_MATRICES:
        return is_large(m)
    if benchmark.startswith("gost."):
        touched, caches = m.case.work.bytes, figures.limits.caches
        return touched is not None and caches is not None and touched <= caches
    return benchmark.startswith("peak.")


def _cores(m: Measured, machine: Machine) -> float | None:
    """How many cores' work the threads of a case could do; None where it is unknown."""
    cores = cores_of(m.case, machine)
    return None if cores is None else min(cores, machine.cpu_limit or cores)


def _hidden(machine: Machine) -> str:
    """A hypervisor may tell of cores that are hardware threads of one."""
    if machine.virtualisation in (None, "none"):
        return ""
    return " The cores of this virtual machine may be threads that share a core of the host."
