"""Verdicts for every case of stored runs, or of the interleaved sides of one run.

Stored runs are compared by their figures, matched by the case's key, and held against what
runs of that case differ by when nothing changed. With --versus, the two sides were measured
turn by turn, so each pair of processes met the same host and its log ratio is what counts.
"""

from collections.abc import Iterable, Sequence
from math import log

from msgspec.structs import replace

from stend.comparing.comparability import pair_judgement, unmet, unpaired
from stend.comparing.core_clock import SideCases, core_clock, explained_by_clock, paired_by_clock
from stend.comparing.differences import differences
from stend.comparing.estimate import Estimate, estimate
from stend.comparing.families import families
from stend.comparing.host_load import host_notes
from stend.comparing.judgement import Comparison, Judgement, decided
from stend.comparing.limits import Limits
from stend.comparing.metrics import limits_of, paired_views, with_normalised
from stend.comparing.noise import Medians, history_of
from stend.comparing.published_runs import compare_published, is_published
from stend.comparing.sides import cases_of, runs_of, side_of, superiority_of
from stend.comparing.stored_runs import stored_rows
from stend.record import CaseRecord, Run
from stend.statistics import paired

CONFIDENCE = 0.99
SMALLEST = 0.01
"""The smallest effect that matters: a change of 1%."""


def has_sides(run: Run) -> bool:
    """Whether the run was made with --versus, so that its two sides can be compared."""
    return {"A", "B"} <= {case.side for case in run.cases}


def compare(
    a: Run | Sequence[Run],
    b: Run | Sequence[Run],
    *,
    history: Iterable[Run | Medians] = (),
    confidence: float = CONFIDENCE,
    smallest: float = SMALLEST,
) -> Comparison:
    """Judge every case of B against the same case of A, as any further runs would show it.

    A run made with --versus, given as both, has its sides compared: see `compare_sides`.
    Which case stands beside which, `pairs` tells. What runs differ by when nothing was changed is
    seen where a side has several, and in the `history`: other runs of the machines, the newest
    first, which may be read one by one (`comparing.noise.stored_history`). Without them it is
    what the processes lead one to expect: see `statistics.between_runs`. Holm's correction is over
    all figures that have a p, the further ones of a case too.

    Raises:
        UsageError: a side has no run, or has one twice.
    """
    of_a, of_b = runs_of(a, "A"), runs_of(b, "B")
    if len(of_a) == len(of_b) == 1 and of_a[0].id == of_b[0].id and has_sides(of_a[0]):
        return compare_sides(of_a[0], confidence=confidence, smallest=smallest)
    if any(is_published(run) for run in (*of_a, *of_b)):
        return compare_published(of_a, of_b, confidence=confidence, smallest=smallest)
    rows = stored_rows(of_a, of_b, history_of((*of_a, *of_b), history), confidence)
    busy = [any(f.slowed for f in (*row.a.values(), *row.b.values())) for row in rows]
    judged = decided([row.judgement for row in rows], confidence, smallest, busy)
    whole = [
        row._replace(judgement=explained_by_clock(one, row.explained, smallest))
        for row, one in zip(rows, judged, strict=True)
    ]
    notes = host_notes(of_a, of_b, ([row.a for row in rows], [row.b for row in rows]))
    return Comparison(
        a=side_of(of_a, notes=notes[0]),
        b=side_of(of_b, notes=notes[1]),
        confidence=confidence,
        smallest=smallest,
        rows=tuple(row.judgement for row in whole),
        differences=differences(of_a, of_b),
        families=families(whole, confidence, smallest),
        unmet=unmet(cases_of(of_a), cases_of(of_b), {row.benchmark for row in judged if row.met}),
    )


def compare_sides(
    run: Run, *, confidence: float = CONFIDENCE, smallest: float = SMALLEST
) -> Comparison:
    """Judge side B of a run made with --versus against its side A, pair by pair.

    The k-th case of side A stands against the k-th of side B of the same benchmark; samples
    of the same `process` are a pair. What runs differ by is in both sides, so it needs no noise.
    """
    return Comparison(
        a=side_of((run,), side_name(run, "A")),
        b=side_of((run,), side_name(run, "B")),
        confidence=confidence,
        smallest=smallest,
        rows=tuple(
            explained_by_clock(row, 0.0, smallest)
            for row in decided(rows_in_turn(run, confidence), confidence, smallest)
        ),
    )


def rows_in_turn(run: Run, confidence: float) -> list[Judgement]:
    """A judgement for each figure that both sides have; one where a side lacks the case."""
    limits = limits_of((run,))
    return [row for a, b in _side_by_side(run.cases) for row in _rows(a, b, limits, confidence)]


def side_name(run: Run, side: str) -> str:
    """What sets a side apart from the other: its variants, or the commands that were timed."""
    cases = (case for case in run.cases if case.side == side)
    names = (case.variant or str(case.parameters.get("command", "")) for case in cases)
    return ", ".join(dict.fromkeys(names))


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
        return [unpaired(a, b)]
    return [_row(one, other, limits, confidence) for one, other in paired_views(a, b)]


def _row(a: CaseRecord, b: CaseRecord, limits: Limits, confidence: float) -> Judgement:
    of_a, of_b = estimate(a), estimate(b)
    row = pair_judgement(a, b, of_a, of_b)
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
