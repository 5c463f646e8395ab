"""How far each figure can be relied on: how wide its interval is, what was disturbed meanwhile."""

from collections.abc import Iterable, Sequence

import numpy as np

from stend.comparing.values import Values
from stend.record import CaseRecord, Disturbance, Run
from stend.report.measured import Measured
from stend.report.summary.figures import over_processes

WIDE = 0.10
"""Half of an interval, of the figure: one that is not known to a tenth can't tell two machines
of one generation apart."""
FEWEST = 3
"""Processes that have an interval; those that agree to the last digit need none."""
DISTURBED = 0.10
"""Of a case's measuring time: were a tenth of the repetitions slower, their median would be the
56th percentile of the rest, which hardly differs."""


def half_width(m: Measured) -> float | None:
    """The wider side of the interval as a part of the figure; None without an interval."""
    ends, value = m.estimate.ends, m.estimate.value
    if ends is None or not value or not all(map(np.isfinite, (*ends, value))):
        return None
    return max(ends[1] - value, value - ends[0]) / abs(value)


def is_wide(m: Measured) -> bool:
    """Whether the figure is not known to a tenth."""
    width = half_width(m)
    return width is not None and width > WIDE


def is_alone(m: Measured) -> bool:
    """Whether it has too few processes to tell what another one would give."""
    few = 0 < m.estimate.processes < FEWEST
    return few and not m.case.is_program and not over_processes(m)


def disturbed(run: Run, measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    """Kind of disturbance → the cases that spent a tenth of their time in it, if any did."""
    kinds: dict[str, list[Disturbance]] = {}
    for spell in run.conditions.during:
        kinds.setdefault(spell.kind, []).append(spell)
    begun = {kind: covered for kind, of in kinds.items() if (covered := _covered(of)) is not None}
    found: dict[str, list[Measured]] = {}
    for m in measured:
        times = _times(m.case)
        for kind, (at, sums) in begun.items():
            within = float(np.diff(np.interp(times, at, sums), axis=1).sum())
            whole = float(np.diff(times, axis=1).sum())
            if whole > 0 and within >= DISTURBED * whole:
                found.setdefault(kind, []).append(m)
    return found


def longest(spells: Iterable[Disturbance], kind: str) -> Disturbance:
    """Of the spells of a kind the longest, which speaks for them."""
    return max((d for d in spells if d.kind == kind), key=_length)


def said_of(spells: Sequence[Disturbance], kind: str) -> str:
    """What the longest spell of a kind says; of several, how long that is and of how many."""
    count = sum(d.kind == kind for d in spells)
    of_all = longest(spells, kind)
    seconds = _length(of_all) / 1e9
    of = f" ({seconds:.1f} s, the longest of {count} times)" if count > 1 and seconds else ""
    return f"{of_all.said.rstrip('.')}{of}."


def _length(d: Disturbance) -> int:
    return 0 if d.start is None or d.end is None else d.end - d.start


def _covered(spells: Sequence[Disturbance]) -> tuple[Values, Values] | None:
    """Instants, ns, and how long spells had lasted by then: between two it grows evenly."""
    timed = sorted(
        (d.start, d.end)
        for d in spells
        if d.start is not None and d.end is not None and d.end > d.start
    )
    if not timed:
        return None
    at, sums, until, total = [float(timed[0][0])], [0.0], timed[0][0], 0
    for start, end in timed:
        fresh = max(start, until)
        if end > fresh:
            total += end - fresh
            at += [float(fresh), float(end)]
            sums += [sums[-1], float(total)]
            until = end
    return np.array(at), np.array(sums)


def _times(case: CaseRecord) -> Values:
    """The beginning and the end of each process's measuring, ns; a row each."""
    rows = []
    for s in case.samples:
        if len(s.started) and len(s.ticks):
            ns = 1e9 / s.hz
            begun = s.origin + s.started[0] * ns
            rows.append((begun, max(begun, s.origin + (s.started[-1] + s.ticks[-1]) * ns)))
    return np.array(rows, dtype=np.float64).reshape(-1, 2)
