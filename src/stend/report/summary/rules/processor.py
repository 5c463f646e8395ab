"""The core and its memory: time lost, a clock that falls, a cache that is not there, load."""

from collections.abc import Iterator, Mapping

from stend.comparing.limits import frequency
from stend.record import Scalar
from stend.report.caches import name_of, of_data
from stend.report.charts.peak import frequency_drops
from stend.report.limits import latency_curve
from stend.report.measured import Measured
from stend.report.quantities import binary, figure
from stend.report.summary.figures import Figures, alike, but_for, over_processes, shown, times
from stend.report.summary.finding import Finding

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
                f"The OS reports an {name_of(last)} of {binary(last.bytes)}, but at {binary(size)} "
                f"a load already takes {shown(m)} and in memory {figure(min(beyond), 's')}: "
                "others share that cache, or it belongs to the host.",
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
                f"A load from memory takes {shown(busy)} beside threads that read as fast as they "
                f"can, {longer:.1f} times as long as beside those that hardly read.",
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
