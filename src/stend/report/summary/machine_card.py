"""The card of a run's machine on one screen: what it is, and its headline figures."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from stend.comparing.limits import cycles_a_byte, frequency, threads_of
from stend.report import facts
from stend.report.facts import Fact
from stend.report.measured_case import Measured, latency_curve
from stend.report.memory_levels import between
from stend.report.quantities import counted, figure, parameter, share_in_words, three_digits
from stend.report.summary.figures import Figures, better, on_most_threads, shown
from stend.report.workloads import was_loaded, workload_name

_FACTS = (
    "processor", "cores", "frequency, measured", "caches", "caches, as latency shows them",
    "memory", "memory modules", "NUMA nodes", "operating system", "kernel", "governor", "turbo",
    "virtualisation", "container",
)  # fmt: skip
_USUAL = "dfr"
"""The method of reconstruction that `stend tomo` takes unless another one is asked for."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure that people ask for first."""

    what: str
    figure: str
    """With its interval."""
    note: str
    """Its share of a limit, and how it was reached."""
    case: int
    """Its place in the run."""


@dataclass(frozen=True, slots=True)
class MachineCard:
    """What the page opens with."""

    facts: tuple[Fact, ...]
    headlines: tuple[Headline, ...]
    """Only what was measured."""


def machine_card(figures: Figures) -> MachineCard:
    """What is known of the machine, and the figures that the run has of it."""
    machine = figures.run.machine
    known = dict([*facts.facts(machine), *_clock(figures), *_caches_seen(figures)])
    listed = [(name, known[name]) for name in _FACTS if name in known]
    return MachineCard(
        tuple(listed),
        tuple(found for of in _HEADLINES for found in of(figures)),
    )


def _clock(figures: Figures) -> Iterator[Fact]:
    """The true frequency around the samples, and under the widest vectors."""
    around = [hz for m in figures.measured for s in m.case.samples for hz in s.core_hz or ()]
    peak = better(on_most_threads(figures.of("peak.float64")))
    under = frequency(peak) if peak else None
    if around:
        said = f"{figure(median(around), 'Hz')} between samples"
        yield (
            "frequency, measured",
            said + (f", {figure(under, 'Hz')} under {peak.variant}" if under and peak else ""),
        )


def _caches_seen(figures: Figures) -> Iterator[Fact]:
    seen = [f"{x.name} ends {between(x.seen)}" for x in figures.limits.levels if x.seen]
    if seen:
        yield "caches, as latency shows them", ", ".join(seen)


def _peak(figures: Figures) -> Iterator[Headline]:
    best = better(on_most_threads(figures.of("peak.float64")))
    if best:
        yield _headline("peak, float64", best, _on(best), best.variant)


def _linpack(figures: Figures) -> Iterator[Headline]:
    best = better(figures.of("linpack.lu", "linpack.sweep")) or better(figures.of("linpack.plain"))
    if best:
        share = figures.limits.of_peak(best)
        of_peak = f"{share_in_words(share)} of the peak" if share else ""
        n = f"n {parameter('n', best.case.parameters.get('n', '?'))}"
        yield _headline("LINPACK", best, of_peak, n, _on(best), best.variant)


def _bandwidth(figures: Figures) -> Iterator[Headline]:
    """STREAM's triad on all threads, one beside it; else what memory gave to anything."""
    triads = [m for m in figures.of("stream.triad") if figures.limits.in_memory(m.case)]
    found = triads or figures.of("stream.triad")
    best = better(on_most_threads(found))
    if not best:
        return
    share = figures.limits.of_memory(best)
    one = better(m for m in found if threads_of(m.case) == 1)
    yield _headline(
        "memory, STREAM triad", best,
        f"{share_in_words(share)} of the theoretical" if share else "", _on(best),
        f"one thread {shown(one)}" if one and one is not best else "",
    )  # fmt: skip


def _latency(figures: Figures) -> Iterator[Headline]:
    """Memory's at the largest size, the caches' beside it."""
    curve = latency_curve(figures.measured)
    if not curve:
        return
    caches = [
        f"{x.name} {figure(x.latency, 's')}"
        for x in figures.limits.levels
        if x.latency and x.name != "memory"
    ]
    size = f"at {parameter('size', curve[-1].case.parameters['size'])}"
    yield _headline("latency of memory", curve[-1], size, ", ".join(caches))


def _core_to_core(figures: Figures) -> Iterator[Headline]:
    """The row of the matrix that is the median of them."""
    rows = sorted(figures.of("cores.latency"), key=lambda m: m.estimate.value)
    if rows:
        middle = rows[len(rows) // 2]
        more = f"median of {len(rows)} CPUs" if len(rows) > 1 else ""
        yield _headline("core to core, one way", middle, more)


def _mutex(figures: Figures) -> Iterator[Headline]:
    found = figures.of("threads.mutex.lock_unlock")
    single = [m for m in found if threads_of(m.case) == 1 and m.case.parameters.get("load") in
             (None, "none")]  # fmt: skip
    best = better(single or found)
    if best:
        yield _headline("mutex, lock and unlock", best, _on(best))


def _cipher(figures: Figures) -> Iterator[Headline]:
    best = better(m for m in figures.of("gost.kuznyechik") if threads_of(m.case) == 1)
    if best:
        cycles = cycles_a_byte(best)
        yield _headline(
            "Kuznyechik, one core", best, str(best.case.parameters.get("mode", "")),
            f"{three_digits(cycles)} cycles/B" if cycles else "", best.variant,
        )  # fmt: skip


def _tomography(figures: Figures) -> Iterator[Headline]:
    """By the method that is usual; by the fastest of the others only where it was not measured."""
    slices = [
        m for m in figures.measured if m.case.metric.unit == "s/slice" and m.estimate.value > 0
    ]
    best = better(on_most_threads([m for m in slices if m.what == _USUAL] or slices))
    if best:
        rate = f"{three_digits(1 / best.estimate.value)} slices/s"
        method = best.what + (", the usual method" if best.what == _USUAL else "")
        problem = str(best.case.parameters.get("problem", ""))
        yield _headline("tomography", best, rate, method, problem, _on(best))


def _inference(figures: Figures) -> Iterator[Headline]:
    best = better(on_most_threads(figures.of("unet.float32")))
    if best:
        yield _headline("U-Net, an image", best, _on(best), best.variant)


def _storage(figures: Figures) -> Iterator[Headline]:
    loads = [m for m in figures.measured if was_loaded(m.case) and m.case.metric.unit == "IOPS"]
    best = better(m for m in loads if m.what == "randread") or better(loads)
    if best:
        yield _headline("storage", best, workload_name(best.case.benchmark, best.case.parameters))


def _headline(what: str, m: Measured, *notes: str) -> Headline:
    return Headline(what, shown(m), " · ".join(filter(None, notes)), m.index)


def _on(m: Measured) -> str:
    return counted(threads_of(m.case), "threads")


_HEADLINES: Iterable[Callable[[Figures], Iterator[Headline]]] = (
    _peak, _linpack, _bandwidth, _latency, _core_to_core, _mutex, _cipher, _tomography, _inference,
    _storage,
)  # fmt: skip
