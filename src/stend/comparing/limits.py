"""How near each figure of a run comes to what bounds it: measured peaks, and the machine.

A share is of a limit of the same run, never of a guess: where the limit was not measured, or the
memory's theoretical bandwidth is not known, there is none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from stend.comparing.estimate import Estimate, work_of
from stend.record import CaseRecord, Machine

FREQUENCY = "frequency Hz"
"""What a peak tells besides: the core's, under the same chains; a cipher, right after them."""
PEAKS = {"peak.float64": "float64", "peak.float32": "float32"}
_ARRAYS = 24
"""Bytes of the three arrays of STREAM, an element."""


class Figure(Protocol):
    """A case with its figure."""

    @property
    def case(self) -> CaseRecord:
        """What was measured."""

    @property
    def estimate(self) -> Estimate:
        """What came of it."""


@dataclass(frozen=True)
class Limits:
    """What bounds the cases of one run."""

    machine: Machine = field(default_factory=Machine)
    peaks: Mapping[tuple[str, int], Figure] = field(default_factory=dict)
    """The best measured peak by precision and number of threads, FLOP/s."""

    def of_peak(self, m: Figure) -> float | None:
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

    def of_memory(self, m: Figure) -> float | None:
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
    def caches(self) -> float | None:
        """Bytes of all last-level caches; None: unknown."""
        return self.machine.last_cache


def best_peaks(measured: Iterable[Figure]) -> dict[tuple[str, int], Figure]:
    """The best measured peak by precision and number of threads."""
    peaks: dict[tuple[str, int], Figure] = {}
    for m in measured:
        if (precision := PEAKS.get(m.case.benchmark)) and m.case.metric.unit == "FLOP/s":
            key = (precision, threads_of(m.case))
            if key not in peaks or undisturbed(m) > undisturbed(peaks[key]):
                peaks[key] = m
    return peaks


def flop_rate(m: Figure) -> float | None:
    """Floating-point operations a second, where the case declares any; NaN never."""
    flops, seconds = m.case.work.flops, seconds_of(m)
    return flops / seconds if flops and seconds else None


def seconds_of(m: Figure) -> float | None:
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


def cores_of(case: CaseRecord, machine: Machine) -> int | None:
    """How many cores worked: threads get a core each first, and share cores beyond that.

    None where it is unknown which hardware threads share a core.
    """
    threads = threads_of(case)
    if threads == 1:
        return 1
    there = _usable_cores(machine)
    return min(threads, there) if there else None


def _usable_cores(machine: Machine) -> int | None:
    """Cores that the measuring process could run on."""
    usable = set(machine.usable)
    shared = [set(core) for socket in machine.sockets for core in socket]
    if shared:
        return sum(bool(core & usable) for core in shared) if usable else len(shared)
    if machine.smt is False:
        return len(usable) or machine.threads
    return machine.cores if not usable or len(usable) == machine.threads else None


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


def undisturbed(peak: Figure) -> float:
    """A peak as its best process had it: of what is a limit, disturbances only take away."""
    return max(peak.estimate.medians.values(), default=peak.estimate.value)


def frequency(m: Figure) -> float | None:
    """Of a core while it ran the chains of a peak, Hz; None where that could not be told.

    The frequency before and after would be another one: wide vectors can lower it, and it is back
    within a millisecond.
    """
    return m.estimate.also.get(FREQUENCY)


def per_cycle(m: Figure) -> float | None:
    """What a peak, or a cipher, did in a cycle of each core that worked."""
    hz = frequency(m)
    return m.estimate.value / (hz * threads_of(m.case)) if hz else None


def cycles_a_byte(m: Figure) -> float | None:
    """Of one core at its true frequency during the work; None where either is unknown."""
    done = per_cycle(m)
    return 1 / done if done and done > 0 else None


def theoretical_bandwidth(machine: Machine) -> float | None:
    """B/s of all memory channels together, where type and channels can be read."""
    return machine.memory_bandwidth or None
