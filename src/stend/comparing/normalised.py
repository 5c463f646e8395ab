"""A judged figure of both sides → the same per clock, per core and as a share of what bounds it.

Per clock: by the core's true frequency, of each core that worked, so that several cores' rates
divide by their number, as cycles a byte in the literature do. A time is cycles. Per core: a rate
by the cores that worked. Of peak: the share of a limit of the same run. Each stands only where both
sides know it from the same kind of measurement, and none has an interval: what the frequency is
unsure by is not that of the ratio.
"""

from collections.abc import Sequence
from math import log, log1p
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Judgement, Normalised, Verdict
from stend.comparing.limits import (
    FREQUENCY,
    PEAKS,
    Limits,
    best_peaks,
    cores_of,
    frequency,
    threads_of,
)
from stend.comparing.several import FIGURE
from stend.record import CaseRecord, Run
from stend.statistics import finite

_ELSEWHERE = {"storage", "time"}
"""Families that wait for devices, or run programs of any kind: a core's clock explains neither."""
_CYCLES = {"s": "cycles", "s/slice": "cycles/slice"}
_PER_CYCLE = {"FLOP/s": "FLOP per cycle", "B/s": "B per cycle", "op/s": "operations per cycle"}
_CIPHERS = "gost."
_VISIBLE = 0.02
"""Frequencies that differ by more are told apart, as a caution does within a sample."""


class Measured(NamedTuple):
    """A case with its figure."""

    case: CaseRecord
    estimate: Estimate


class Side(NamedTuple):
    """One side of a row."""

    cases: Sequence[CaseRecord]
    """Of each of its runs that have it."""
    limits: Limits


def limits_of(runs: Sequence[Run]) -> Limits:
    """What bounds a side's cases: the first machine, and the best peaks of all its runs."""
    peaks = (
        Measured(case, found)
        for run in runs
        for case in run.cases
        if case.benchmark in PEAKS and case.has_figure and (found := estimate(case))
    )
    return Limits(runs[0].machine, best_peaks(peaks))


def with_normalised(row: Judgement, sides: tuple[Side, Side]) -> Judgement:
    """The row with what it is by clock, core and peak, and at which frequencies it was measured.

    Nothing for a further figure of a case, nor where there is no ratio.
    """
    if row.speed is None or row.a is None or row.b is None or FIGURE in row.parameters:
        return row
    figures = Measured(sides[0].cases[0], row.a), Measured(sides[1].cases[0], row.b)
    hz = _frequencies(sides)
    cores = _cores(figures, sides)
    limits = sides[0].limits, sides[1].limits
    found = (
        _per_clock(figures, hz, cores),
        _per_core(figures, cores),
        _of_peak([bound.of_peak(m) for bound, m in zip(limits, figures, strict=True)])
        or _of_peak([bound.of_memory(m) for bound, m in zip(limits, figures, strict=True)]),
    )
    return replace(row, hz=hz, normalised=tuple(n for n in found if n))


def told_by_clock(row: Judgement, smallest: float) -> Judgement:
    """A row that differs, with a note where as many cores ran faster and nothing else is left."""
    if row.hz is None or not _differs_by_clock(row, log(row.hz[1] / row.hz[0]), smallest):
        return row
    said = (
        f"The difference is the clock's: the cores ran at {_ghz(row.hz[0])} in A and "
        f"{_ghz(row.hz[1])} in B, and per clock nothing is left of it."
    )
    return replace(row, note=" ".join(filter(None, (row.note, said))))


def _differs_by_clock(row: Judgement, faster: float, smallest: float) -> bool:
    """Whether the sides differ clearly, and what is left of it per clock is less than matters."""
    clock = next((n.speed for n in row.normalised if n.by == "per clock"), None)
    if clock is None or row.speed is None or abs(faster) <= log1p(_VISIBLE):
        return False
    if any(n.by == "per core" and abs(n.speed / row.speed - 1) > _VISIBLE for n in row.normalised):
        return False  # other cores, too
    return _is_clear(row) and abs(log(clock)) <= log1p(smallest) < abs(log(row.speed))


def _is_clear(row: Judgement) -> bool:
    """Of what was measured; a verdict can be open because the host's clock explains it."""
    apart = row.superiority is not None and abs(row.superiority - 0.5) >= _APART
    return apart or row.verdict in (Verdict.FASTER, Verdict.SLOWER)


_APART = 0.45
"""In 95% of the pairs of processes, or of runs, the same side's is the better."""


def _ghz(hz: float) -> str:
    return f"{hz / 1e9:.2f} GHz"


def _frequencies(sides: tuple[Side, Side]) -> tuple[float, float] | None:
    """Of a core on each side: during the work, else around it, else under the peak's chains."""
    if sides[0].cases[0].benchmark.partition(".")[0] in _ELSEWHERE:
        return None
    for read in (_during, _around, _under_the_peak):
        a, b = read(sides[0]), read(sides[1])
        if a and b and min(a, b) > 0:
            return a, b
    return None


def _during(side: Side) -> float | None:
    """What ciphers and peaks tell of each repetition."""
    samples = [sample for case in side.cases for sample in case.samples]
    read = [np.asarray(s.also[FREQUENCY]) for s in samples if FREQUENCY in s.also]
    return _median(np.concatenate(read)) if read else None


def _around(side: Side) -> float | None:
    """What was read before and after each process."""
    samples = [sample for case in side.cases for sample in case.samples]
    return _median([sum(sample.core_hz) / 2 for sample in samples if sample.core_hz])


def _under_the_peak(side: Side) -> float | None:
    """Under the chains of the peak on as many threads, of either precision."""
    threads = threads_of(side.cases[0])
    there = (side.limits.peaks.get((precision, threads)) for precision in PEAKS.values())
    return next((hz for peak in there if peak and (hz := frequency(peak))), None)


def _median(values: ArrayLike) -> float | None:
    known = finite(values)
    return float(np.median(known)) if len(known) else None


Figures = tuple[Measured, Measured]
Cores = tuple[int, int] | None


def _cores(figures: Figures, sides: tuple[Side, Side]) -> Cores:
    """That worked on each side, where both are known."""
    a, b = (cores_of(m.case, s.limits.machine) for m, s in zip(figures, sides, strict=True))
    return None if a is None or b is None else (a, b)


def _per_clock(figures: Figures, hz: tuple[float, float] | None, cores: Cores) -> Normalised | None:
    unit, (a, b) = figures[0].case.metric.unit, (m.estimate.value for m in figures)
    if hz is None:
        return None
    if unit in _CYCLES:
        return _made("per clock", (a * hz[0], b * hz[1]), _CYCLES[unit], "lower")
    if unit not in _PER_CYCLE or cores is None or not (a > 0 and b > 0):
        return None
    done = a / (hz[0] * cores[0]), b / (hz[1] * cores[1])
    if figures[0].case.benchmark.startswith(_CIPHERS):
        return _made("per clock", (1 / done[0], 1 / done[1]), "cycles/B", "lower")
    return _made("per clock", done, _PER_CYCLE[unit], "higher")


def _per_core(figures: Figures, cores: Cores) -> Normalised | None:
    """Of a rate on more than one thread, on either side."""
    unit, threads = figures[0].case.metric.unit, max(threads_of(m.case) for m in figures)
    if threads == 1 or not unit.endswith("/s") or cores is None:
        return None
    a, b = (m.estimate.value / n for m, n in zip(figures, cores, strict=True))
    return _made("per core", (a, b), unit, "higher")


def _of_peak(shares: Sequence[float | None]) -> Normalised | None:
    a, b = shares
    return None if a is None or b is None else _made("of peak", (a, b), "share", "higher")


def _made(by: str, values: tuple[float, float], unit: str, better: str) -> Normalised | None:
    a, b = values
    if not (0 < a < float("inf") and 0 < b < float("inf")):
        return None
    return Normalised(by=by, a=a, b=b, unit=unit, speed=b / a if better == "higher" else a / b)


def of_family(rows: Sequence[Judgement], weights: Sequence[float]) -> tuple[Normalised, ...]:
    """Geometric means over cases with their weights, by each measure that all of them have.

    Where their units differ, A is 1 and B how many times as good it is.
    """
    members = [{n.by: n for n in row.normalised} for row in rows]
    common = [by for by in members[0] if all(by in m for m in members)] if members else []
    return tuple(_mean([m[by] for m in members], weights) for by in common)


def _mean(members: Sequence[Normalised], weights: Sequence[float]) -> Normalised:
    first, alike = members[0], len({n.unit for n in members}) == 1
    speed = _geometric([n.speed for n in members], weights)
    return Normalised(
        by=first.by,
        a=_geometric([n.a for n in members], weights) if alike else 1.0,
        b=_geometric([n.b for n in members], weights) if alike else speed,
        unit=first.unit if alike else "",
        speed=speed,
    )


def _geometric(values: Sequence[float], weights: Sequence[float]) -> float:
    return float(np.exp(np.average(np.log(values), weights=weights)))
