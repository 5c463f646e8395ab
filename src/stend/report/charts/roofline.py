"""The roofline: a run's measured peaks and bandwidths as roofs, its cases as points under them.

Williams, Waterman, Patterson 2009, "Roofline: an insightful visual performance model for
multicore architectures". Of B bytes a second and P operations a second, a case with x
operations a byte can reach min(P, B·x); where the two meet is the ridge.
"""

from collections.abc import Sequence
from math import inf

from stend.comparing.limits import flop_rate, footprint, threads_of, undisturbed
from stend.report.caches import name_of
from stend.report.charts.chart import Chart
from stend.report.charts.group import by_series, stem_of
from stend.report.charts.roofs import House, Point, Roof, panel
from stend.report.limits import Limits
from stend.report.measured import Measured
from stend.report.quantities import counted, figure, share_in_words

_READ = "memory.bandwidth.read"
_OF_MEMORY = {"memory", "stream"}
"""First words of the benchmarks whose B/s are those of memory."""
_SIBLINGS = 2
"""Hardware threads that share a cache which each core has its own of."""


def roofline(measured: Sequence[Measured], limits: Limits) -> Chart | None:
    """A panel for one thread and one for all; None where a peak or a bandwidth is missing."""
    counts = sorted({t for _, t in limits.peaks})
    found = [house(measured, limits, t) for t in dict.fromkeys([*counts[:1], *counts[-1:]])]
    houses = [h for h in found if h]
    if not houses:
        return None
    stems = list(dict.fromkeys(stem_of(p.measured) for h in houses for p in h.points))
    return Chart(
        title="Roofline: what bounds each case",
        says="Operations a second against operations for each byte moved, both axes logarithmic. "
        "Left of the ridge (◆) the memory is the limit, right of it the processor; a case near its "
        "roof has little left to gain. The roofs are measured in this run, for float64.",
        panels=tuple(panel(h, stems) for h in houses),
        columns=("case", "FLOP/B", "FLOP/s", "of its roof"),
        rows=tuple(
            (
                p.measured.case.name,
                f"{p.intensity:.3g}",
                figure(p.rate, "FLOP/s"),
                f"{share_in_words(h.share(p))} of the {_bound(h, p)}",
            )
            for h in houses
            for p in h.points
        ),
        legend=tuple(stems),
        notes=tuple(_said(h) for h in houses),
    )


def house(measured: Sequence[Measured], limits: Limits, threads: int) -> House | None:
    """The roofs and points of so many threads; None where one of both kinds of roof is missing."""
    mine = [m for m in measured if threads_of(m.case) == threads]
    peaks = [m for m in mine if m.case.benchmark == "peak.float64"]
    best = by_series(peaks, [m.variant or "peak" for m in peaks])
    heights = [Roof(n, max(map(undisturbed, ms))) for n, ms in best.items()]
    bandwidths = [*_memory(mine, limits), *_caches(mine, limits, threads)]
    heights = [r for r in heights if 0 < r.value < inf]
    if not heights or not bandwidths or not any(r.name == "memory" for r in bandwidths):
        return None
    heights.sort(key=lambda r: -r.value)
    return House(threads, tuple(heights), tuple(bandwidths), tuple(_points(mine)))


def _memory(mine: Sequence[Measured], limits: Limits) -> list[Roof]:
    """The fastest that anything read, wrote or streamed what no cache holds.

    Of each benchmark only what touched the most memory counts: of a little more than the caches
    hold, they still hold most. Where the caches are unknown, nothing else tells.
    """
    rates = [
        m
        for m in mine
        if m.case.family in _OF_MEMORY
        and m.case.metric.unit == "B/s"
        and 0 < m.estimate.value < inf
        and (limits.caches is None or limits.in_memory(m.case))
    ]
    best = max(_largest(rates), key=lambda m: m.estimate.value, default=None)
    return [Roof("memory", best.estimate.value, best.case.name)] if best else []


def _largest(rates: Sequence[Measured]) -> list[Measured]:
    sizes = {m.index: footprint(m.case) or 0.0 for m in rates}
    most: dict[str, float] = {}
    for m in rates:
        most[m.case.benchmark] = max(most.get(m.case.benchmark, 0.0), sizes[m.index])
    return [m for m in rates if sizes[m.index] == most[m.case.benchmark]]


def _caches(mine: Sequence[Measured], limits: Limits, threads: int) -> list[Roof]:
    """The fastest read that fits into each cache and not into the one before."""
    reads = _by_size(mine)
    roofs, before = [], 0.0
    for cache, usable in limits.capacities:
        copies = threads if (cache.shared_by or 1) <= _SIBLINGS else 1
        rates = [
            max(values)
            for size, values in reads.items()
            if 1.5 * before * threads < size <= 0.9 * usable * copies
        ]
        if rates:
            roofs.append(Roof(name_of(cache), max(rates)))
        before = usable
    return roofs[::-1]


def _by_size(mine: Sequence[Measured]) -> dict[float, list[float]]:
    found: dict[float, list[float]] = {}
    for m in mine:
        size = m.case.parameters.get("size")
        if m.case.benchmark == _READ and type(size) is int and 0 < m.estimate.value < inf:
            found.setdefault(size, []).append(m.estimate.value)
    return found


def _points(mine: Sequence[Measured]) -> list[Point]:
    return [
        Point(m, m.case.work.flops / m.case.work.bytes, rate)
        for m in mine
        if m.case.work.flops and m.case.work.bytes and (rate := flop_rate(m)) is not None
    ]


def _bound(h: House, p: Point) -> str:
    return "memory" if p.intensity < h.ridge else "peak"


def _said(h: House) -> str:
    where = counted(h.threads, "threads")
    return (
        f"On {where} the ridge is at {h.ridge:.3g} FLOP/B: "
        f"{figure(h.peaks[0].value, 'FLOP/s')} with {h.peaks[0].name} over "
        f"{figure(h.bandwidths[0].value, 'B/s')} of the memory, the most that any case reached: "
        f"{h.bandwidths[0].of}."
    )
