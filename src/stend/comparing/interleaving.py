"""Judgements of the interleaved sides of a run (--versus), before verdicts.

Samples of the same `process` are a pair, which met the same host: what runs differ by is in both.
"""

from collections.abc import Sequence
from math import log

from msgspec.structs import replace

from stend.comparing.comparability import alone, beside
from stend.comparing.core_clock import SideCases, core_clock, paired_by_clock
from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Judgement
from stend.comparing.limits import Limits
from stend.comparing.metrics import limits_of, paired_views, with_normalised
from stend.comparing.sides import superiority_of
from stend.record import CaseRecord, Run
from stend.statistics import paired


def rows_in_turn(run: Run, confidence: float) -> list[Judgement]:
    """A judgement for each figure that both sides have; one where a side lacks the case."""
    limits = limits_of((run,))
    return [row for a, b in _side_by_side(run.cases) for row in _rows(a, b, limits, confidence)]


def side_name(run: Run, side: str) -> str:
    """What sets a side apart from the other: its variants, or the commands that were timed."""
    return ", ".join(dict.fromkeys(_what(case) for case in run.cases if case.side == side))


def _what(case: CaseRecord) -> str:
    return case.variant or str(case.parameters.get("command", ""))


def _side_by_side(
    cases: Sequence[CaseRecord],
) -> list[tuple[CaseRecord | None, CaseRecord | None]]:
    pairs: list[tuple[CaseRecord | None, CaseRecord | None]] = []
    for benchmark in dict.fromkeys(case.benchmark for case in cases if case.side):
        a, b = ([c for c in cases if c.benchmark == benchmark and c.side == s] for s in ("A", "B"))
        longer = max(len(a), len(b))
        pairs += [
            (a[i] if i < len(a) else None, b[i] if i < len(b) else None) for i in range(longer)
        ]
    return pairs


def _rows(
    a: CaseRecord | None, b: CaseRecord | None, limits: Limits, confidence: float
) -> list[Judgement]:
    if a is None or b is None:
        return [alone(a, b)]
    return [_row(one, other, limits, confidence) for one, other in paired_views(a, b)]


def _row(a: CaseRecord, b: CaseRecord, limits: Limits, confidence: float) -> Judgement:
    of_a, of_b = estimate(a), estimate(b)
    row = beside(a, b, of_a, of_b)
    if row.reason or of_a is None or of_b is None:
        return row
    logs = _log_ratios(of_a, of_b)
    medians = list(of_a.medians.values()), list(of_b.medians.values())
    ratio = paired(list(logs.values()), confidence)
    row = replace(
        row,
        reason=ratio.reason,
        ratio=ratio.value,
        pairs=len(logs),
        method=ratio.method,
        superiority=superiority_of(a.metric, *medians),
    )
    found = SideCases([a], limits), SideCases([b], limits)
    clock = core_clock(found)
    row = with_normalised(row, found, clock)
    if ratio.p is None:
        return row
    row = replace(row, low=ratio.low, high=ratio.high, p=float(ratio.p))
    return paired_by_clock(row, logs, clock, confidence)


def _log_ratios(a: Estimate, b: Estimate) -> dict[int, float]:
    """Of B's medians over A's, by the process that the two of a pair share."""
    of_a, of_b = a.medians, b.medians
    return {p: log(of_b[p] / of_a[p]) for p in of_a if p in of_b and of_a[p] > 0 and of_b[p] > 0}
