"""A run's own limits, and how near each case comes to them.

The peaks that it measured, its levels of memory, the theoretical bandwidth where the machine's
memory is known. A share is of a limit of the same run, never of a guess: where the limit was
not measured, there is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from stend.comparing.values import work_of
from stend.record import Cache, CaseRecord, Machine
from stend.report.caches import Level, levels, name_of, of_data
from stend.report.measured import Measured

FREQUENCY = "frequency Hz"
"""What a peak tells besides: the core's, under the same chains; a cipher, right after them."""
PEAKS = {"peak.float64": "float64", "peak.float32": "float32"}
LATENCY = "memory.latency"
_ARRAYS = 24
"""Bytes of the three arrays of STREAM, an element."""


@dataclass(frozen=True)
class Limits:
    """What bounds the cases of one run."""

    machine: Machine = field(default_factory=Machine)
    peaks: Mapping[tuple[str, int], Measured] = field(default_factory=dict)
    """The best measured peak by precision and number of threads, FLOP/s."""
    levels: tuple[Level, ...] = ()
    """Of the memory, as the latency curve and the OS tell them; empty without a curve."""

    def of_peak(self, m: Measured) -> float | None:
        """Its FLOP/s over the best peak of its precision on as many threads.

        Nothing for the peaks themselves, nor for bandwidths, which other limits bound.
        """
        if m.case.benchmark.startswith("peak.") or m.case.metric.unit == "B/s":
            return None
        rate = flop_rate(m)
        peak = self.peaks.get((m.case.work.precision, threads_of(m.case)))
        if rate is None or peak is None or undisturbed(peak) <= 0:
            return None
        return rate / undisturbed(peak)

    def of_memory(self, m: Measured) -> float | None:
        """Its B/s over the memory's theoretical bandwidth, if it works in memory."""
        most = theoretical_bandwidth(self.machine)
        if most is None or m.case.metric.unit != "B/s" or not self.in_memory(m.case):
            return None
        return m.estimate.value / most

    def in_memory(self, case: CaseRecord) -> bool:
        """Whether what it touches is larger than all caches together."""
        touched, caches = footprint(case), self.caches
        return touched is not None and caches is not None and touched > caches

    @property
    def capacities(self) -> list[tuple[Cache, float]]:
        """Each cache of data and the bytes of it that can be used, the smallest level first."""
        seen = {level.name: level.bytes for level in self.levels}
        return [(c, seen.get(name_of(c)) or c.bytes) for c in of_data(self.machine.caches)]

    @property
    def caches(self) -> float | None:
        """Bytes of all last-level caches, or what the curve shows of them; None: unknown."""
        known = self.machine.last_cache
        last = next((x for x in reversed(self.levels) if x.reported), None)
        if known and last and last.seen and last.said:
            return min(known, last.seen[1])
        return known


NONE = Limits()


def limits(machine: Machine, measured: Sequence[Measured]) -> Limits:
    """What the figures of a run say of its machine's limits."""
    peaks: dict[tuple[str, int], Measured] = {}
    for m in measured:
        if (precision := PEAKS.get(m.case.benchmark)) and m.case.metric.unit == "FLOP/s":
            key = (precision, threads_of(m.case))
            if key not in peaks or undisturbed(m) > undisturbed(peaks[key]):
                peaks[key] = m
    curve = latency_curve(measured)
    sizes = [float(m.case.parameters["size"]) for m in curve]
    found = levels(sizes, [m.estimate.value for m in curve], machine.caches)
    return Limits(machine, peaks, _with_intervals(found, curve))


def _with_intervals(found: Sequence[Level], curve: Sequence[Measured]) -> tuple[Level, ...]:
    """A level whose latency is of one size has that size's interval: no spread of several."""
    ends = {m.estimate.value: m.estimate.ends for m in curve}
    return tuple(
        replace(x, span=ends[x.latency])
        if x.latency in ends and (x.span is None or x.span[0] == x.span[1])
        else x
        for x in found
    )


def latency_curve(measured: Sequence[Measured]) -> list[Measured]:
    """Latency by size, each size once: with huge pages where they were measured as often.

    Normal pages let the TLB and the placement of pages blur the ends of the caches.
    """
    curves: dict[str, dict[float, Measured]] = {}
    for m in measured:
        size = m.case.parameters.get("size")
        if m.case.benchmark == LATENCY and type(size) is int and size > 0:
            curves.setdefault(str(m.case.parameters.get("pages")), {}).setdefault(size, m)
    best = max(curves.values(), key=len, default={})
    huge = curves.get("huge", {})
    chosen = huge if len(huge) == len(best) else best
    return [m for _, m in sorted(chosen.items())]


def flop_rate(m: Measured) -> float | None:
    """Floating-point operations a second, where the case declares any; NaN never."""
    flops, seconds = m.case.work.flops, seconds_of(m)
    return flops / seconds if flops and seconds else None


def seconds_of(m: Measured) -> float | None:
    """Of one execution, from the figure; None where the figure tells no time."""
    value = m.estimate.value
    if not 0 < value < float("inf"):
        return None
    if m.case.metric.unit == "s":
        return value
    work = work_of(m.case.metric, m.case.work)
    return work / value if work else None


def threads_of(case: CaseRecord) -> int:
    """How many threads, or copies of a single-threaded program, worked at the same time."""
    count = case.parameters.get("threads", case.parameters.get("copies", 1))
    return count if type(count) is int and count > 0 else 1


def footprint(case: CaseRecord) -> float | None:
    """Bytes of memory that it goes through, where its parameters tell."""
    p = case.parameters
    blocks = threads_of(case)  # each thread writes its own, unless they go through one region
    if type(elements := p.get("elements")) is int:
        return float(_ARRAYS * elements * (blocks if "copies" in p else 1))
    sizes = [float(v) for n in ("size", "region") if type(v := p.get(n)) is int]
    if not sizes and type(block := p.get("block")) is int:
        return float(block * blocks)
    return max(sizes, default=None)


def undisturbed(peak: Measured) -> float:
    """A peak as its best process had it: of what is a limit, disturbances only take away."""
    return max(peak.estimate.medians.values(), default=peak.estimate.value)


def frequency(m: Measured) -> float | None:
    """Of a core while it ran the chains of a peak, Hz; None where that could not be told.

    The frequency before and after would be another one: wide vectors can lower it, and it is back
    within a millisecond.
    """
    return m.estimate.also.get(FREQUENCY)


def per_cycle(m: Measured) -> float | None:
    """What a peak, or a cipher, did in a cycle of each core that worked."""
    hz = frequency(m)
    return m.estimate.value / (hz * threads_of(m.case)) if hz else None


def cycles_a_byte(m: Measured) -> float | None:
    """Of one core at its true frequency during the work; None where either is unknown."""
    done = per_cycle(m)
    return 1 / done if done and done > 0 else None


def theoretical_bandwidth(machine: Machine) -> float | None:
    """B/s of all memory channels together, where type and channels can be read."""
    return machine.memory_bandwidth or None
