"""The processor card: what a run says of its processor and memory, on one page.

Every figure stands with its interval and beside the limit that bounds it; what was not measured
is named with the command that measures it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stend.comparing.limits import frequency, per_cycle, theoretical_bandwidth, threads_of
from stend.report.charts.chart import Listing
from stend.report.charts.latency import listing
from stend.report.charts.peak import frequency_drops
from stend.report.measured_case import Limits, Measured
from stend.report.memory_levels import sentences
from stend.report.quantities import Scale, counted, figure, number, scale, share_in_words

_ABOUT = {"peak", "linpack", "fft", "noise", "memory", "stream"}
_MODES = "‡"
_LEAST_FAMILIES = 2
"""A card of one benchmark would say no more than its chart."""


@dataclass(frozen=True, slots=True)
class Card:
    """What the page shows of it."""

    tables: tuple[Listing, ...]
    missing: tuple[tuple[str, str], ...]
    """What was not measured, and the command that measures it."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ask:
    """One line of the card: which cases answer it."""

    what: str
    benchmark: str
    command: str
    parameters: tuple[tuple[str, object], ...] = ()
    each: bool = False
    """A line for one thread and one for the most."""


_WORK = (
    _Ask("LINPACK n = 100, plain", "linpack.plain", "linpack.plain", (("n", 100),)),
    _Ask("LINPACK n = 1000", "linpack.lu", "linpack.lu", (("n", 1000),), each=True),
    _Ask("FFT 512×512", "fft.complex2d", "fft", (("rows", 512), ("columns", 512))),
)
_MEMORY = (
    _Ask("STREAM triad", "stream.triad", "stream.triad", each=True),
    _Ask("core lost to the system", "noise.lost", "noise"),
)


def card(measured: Sequence[Measured], limits: Limits) -> Card | None:
    """The card of a run; None where it has too few of these benchmarks to fill one."""
    mine = [m for m in measured if m.case.family in _ABOUT]
    if len({m.case.family for m in mine} - {"memory"}) + bool(limits.levels) < _LEAST_FAMILIES:
        return None
    peaks = [m for m in mine if m.case.family == "peak"]
    missing = [("peak", "stend run peak")] if not peaks else []
    work, no_work = _answers(_WORK, mine, limits)
    rest, no_rest = _answers(_MEMORY, mine, limits)
    missing += no_work
    if not limits.levels:
        missing.append(("memory latency by level", "stend run memory.latency"))
    missing += no_rest
    tables = (
        _peaks(peaks),
        _listing(
            "Real work compared with the peak, by the fastest code",
            ("", "figure", "of peak", "by"),
            work,
        ),
        listing(limits.levels),
        _listing(_memory_caption(limits), ("", "figure", "of theoretical", "by"), rest),
    )
    notes = (*[*frequency_drops(peaks)][-1:], *sentences(limits.levels))
    if any(_MODES in cell for t in tables if t for row in t.rows for cell in row):
        notes = (*notes, f"{_MODES} The median of two modes, which the figures list.")
    return Card(tuple(t for t in tables if t), tuple(missing), notes)


def _listing(
    caption: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> Listing | None:
    """Without the columns of which nothing is known, but for the first; None without rows."""
    if not rows:
        return None
    kept = [i for i in range(len(columns)) if i == 0 or any(row[i] != "–" for row in rows)]
    return Listing(
        caption, tuple(columns[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows)
    )


def _peaks(peaks: Sequence[Measured]) -> Listing | None:
    """A row an instruction set: a cycle of one core, its frequency, one thread and all."""
    if not peaks:
        return None
    widest = {m.variant or "–": m.estimate.value for m in peaks if m.estimate.unit == "FLOP/s"}
    sets = sorted({m.variant or "–" for m in peaks}, key=lambda name: widest.get(name, 0.0))
    counts = sorted({threads_of(m.case) for m in peaks})
    most = counts[-1]
    columns = [
        (f"float64, {counted(n, 'threads')}", "peak.float64", n) for n in dict.fromkeys((1, most))
    ]
    columns.append(("float32, 1 thread", "peak.float32", 1))
    found = {(m.case.benchmark, threads_of(m.case), m.variant or "–"): m for m in peaks}
    ones = {name: found.get(("peak.float64", 1, name)) for name in sets}
    rows = {name: [name, _a_cycle(one), _hertz(one)] for name, one in ones.items()}
    heads = ["", "FLOP per cycle", "at"]
    for head, benchmark, n in columns:
        members = {name: found.get((benchmark, n, name)) for name in sets}
        by = scale(max((m.estimate.value for m in members.values() if m), default=0.0), "FLOP/s")
        heads.append(f"{head}, {by.unit}")
        for name, m in members.items():
            rows[name].append(_number(m, by) if m else "–")
    return _listing("Peak by instruction set", tuple(heads), [tuple(row) for row in rows.values()])


def _a_cycle(m: Measured | None) -> str:
    done = per_cycle(m) if m else None
    return f"{done:.3g}" if done else "–"


def _hertz(m: Measured | None) -> str:
    hz = frequency(m) if m else None
    return figure(hz, "Hz") if hz else "–"


def _shown(m: Measured) -> str:
    said = figure(m.estimate.value, m.estimate.unit, m.estimate.ends)
    return said + (f" {_MODES}" if m.estimate.modes else "")


def _number(m: Measured, by: Scale) -> str:
    said = number(m.estimate.value, by, m.estimate.ends)
    return said + (f" {_MODES}" if m.estimate.modes else "")


def _answers(
    asked: Iterable[_Ask], mine: Sequence[Measured], limits: Limits
) -> tuple[list[tuple[str, ...]], list[tuple[str, str]]]:
    rows: list[tuple[str, ...]] = []
    missing = []
    for ask in asked:
        fitting = [
            m
            for m in mine
            if m.case.benchmark == ask.benchmark
            and all(m.case.parameters.get(n) == v for n, v in ask.parameters)
        ]
        if not fitting:
            missing.append((ask.what, f"stend run {ask.command}"))
        counts = sorted({threads_of(m.case) for m in fitting})
        for count in dict.fromkeys([*counts[:1], *counts[-1:]]):
            best = _best([m for m in fitting if threads_of(m.case) == count])
            threads = f", {counted(count, 'threads')}" if ask.each else ""
            rows.append((ask.what + threads, _shown(best), _share(best, limits), _by(best)))
    return rows, missing


def _best(members: Sequence[Measured]) -> Measured:
    """The best, but of what is lost the worst: a measurement may meet it."""
    if members[0].estimate.unit == "share":
        return max(members, key=lambda m: m.estimate.value)
    choose = max if members[0].case.metric.better == "higher" else min
    return choose(members, key=lambda m: m.estimate.value)


def _by(m: Measured) -> str:
    cpu = m.case.parameters.get("cpu")
    return m.variant if cpu is None else f"CPU {cpu}"


def _share(m: Measured, limits: Limits) -> str:
    share = limits.of_memory(m) if m.case.metric.unit == "B/s" else limits.of_peak(m)
    return "–" if share is None else share_in_words(share)


def _memory_caption(limits: Limits) -> str:
    most = theoretical_bandwidth(limits.machine)
    return "Memory bandwidth and noise" + (
        f"; theoretical {figure(most, 'B/s')}" if most else "; the theoretical one is unknown"
    )
