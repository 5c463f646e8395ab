"""Two runs, or the two interleaved sides of one → a verdict for every case.

Two stored runs are compared by their process medians, matched by the case's key. With
--versus, the two sides were measured turn by turn, so each pair of processes met the same
host and its log ratio is what counts.
"""

from collections.abc import Callable, Sequence
from math import log, log1p

from msgspec.structs import replace

from stend.comparing.differences import differences
from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Comparison, Judgement, Side, Verdict
from stend.comparing.several import paired_views
from stend.record import CaseRecord, Run
from stend.statistics import Ratio, holm, paired, unpaired

CONFIDENCE = 0.99
SMALLEST = 0.01
"""The smallest effect that matters: a change of 1%."""


def has_sides(run: Run) -> bool:
    """Whether the run was made with --versus, so that its two sides can be compared."""
    return {"A", "B"} <= {case.side for case in run.cases}


def compare(
    a: Run, b: Run, *, confidence: float = CONFIDENCE, smallest: float = SMALLEST
) -> Comparison:
    """Judge every case of B against the same case of A, from their process medians.

    A run made with --versus, given as both, has its sides compared: see `compare_sides`.
    Cases are the same when their key and side are. Holm's correction is over all figures that
    have a p, the further ones of a case too. What a host did between the two runs is part of the
    difference: only pairs that were interleaved (`compare_sides`) are free of it.
    """
    if a.id == b.id and has_sides(a):
        return compare_sides(a, confidence=confidence, smallest=smallest)
    left, right = _by_key(a), _by_key(b)
    rows = [
        row
        for k in dict.fromkeys([*left, *right])
        for row in _rows(left.get(k), right.get(k), _from_medians, confidence)
    ]
    return Comparison(
        a=_side(a),
        b=_side(b),
        confidence=confidence,
        smallest=smallest,
        rows=_judge(rows, confidence, smallest),
        differences=differences(a, b),
    )


def compare_sides(
    run: Run, *, confidence: float = CONFIDENCE, smallest: float = SMALLEST
) -> Comparison:
    """Judge side B of a run made with --versus against its side A, pair by pair.

    The k-th case of side A stands against the k-th of side B of the same benchmark; samples
    of the same `process` are a pair.
    """
    rows = [row for a, b in _side_by_side(run) for row in _rows(a, b, _from_pairs, confidence)]
    variants = [", ".join(dict.fromkeys(_what(c) for c in run.cases if c.side == s)) for s in "AB"]
    return Comparison(
        a=_side(run, variants[0]),
        b=_side(run, variants[1]),
        confidence=confidence,
        smallest=smallest,
        rows=_judge(rows, confidence, smallest),
    )


_ONE_RUN_EACH = (
    "One run of a program says nothing about how its runs differ: measure both in turn, with "
    "`stend time --versus`."
)
Ask = Callable[[Estimate, Estimate, float], tuple[Ratio, int]]
"""Two estimates and a confidence → their ratio, and of how many pairs it is."""


def _by_key(run: Run) -> dict[tuple[str, str], CaseRecord]:
    return {(case.key, case.side): case for case in run.cases}


def _side_by_side(run: Run) -> list[tuple[CaseRecord | None, CaseRecord | None]]:
    pairs: list[tuple[CaseRecord | None, CaseRecord | None]] = []
    for benchmark in dict.fromkeys(case.benchmark for case in run.cases if case.side):
        a, b = (
            [c for c in run.cases if c.benchmark == benchmark and c.side == s] for s in ("A", "B")
        )
        longer = max(len(a), len(b))
        pairs += [
            (a[i] if i < len(a) else None, b[i] if i < len(b) else None) for i in range(longer)
        ]
    return pairs


def _side(run: Run, variant: str = "") -> Side:
    return Side(
        id=run.id, label=run.label, started=run.started, host=run.machine.host, variant=variant
    )


def _what(case: CaseRecord) -> str:
    """What sets a side apart from the other: its variant, or the command that was timed."""
    return case.variant or str(case.parameters.get("command", ""))


def _rows(
    a: CaseRecord | None, b: CaseRecord | None, ask: Ask, confidence: float
) -> list[Judgement]:
    """A judgement for each figure that both have; one where a side lacks the case."""
    if a is None or b is None:
        return [_alone(a, b)]
    return [_both(one, other, ask, confidence) for one, other in paired_views(a, b)]


def _alone(a: CaseRecord | None, b: CaseRecord | None) -> Judgement:
    case = a or b
    assert case is not None
    verdict = Verdict.ONLY_A if a else Verdict.ONLY_B
    return Judgement(
        name=case.name,
        benchmark=case.benchmark,
        parameters=case.parameters,
        variants=(a.variant or "" if a else "", b.variant or "" if b else ""),
        metric=case.metric,
        verdict=verdict,
        reason=f"It is {verdict}: the other run has no case of this name.",
        a=estimate(a) if a else None,
        b=estimate(b) if b else None,
    )


def _both(a: CaseRecord, b: CaseRecord, ask: Ask, confidence: float) -> Judgement:
    of_a, of_b = estimate(a), estimate(b)
    row = Judgement(
        name=a.name if a.name == b.name else f"{a.name} → {_what_is_new(a, b)}",
        benchmark=a.benchmark,
        parameters=a.parameters,
        variants=(a.variant or "", b.variant or ""),
        metric=a.metric,
        verdict=Verdict.CANNOT_TELL,
        reason=_unlike(a, b)
        or _unproved(a, of_a, "A")
        or _unproved(b, of_b, "B")
        or (_ONE_RUN_EACH if a.is_program and ask is _from_medians else ""),
        a=of_a,
        b=of_b,
    )
    if row.reason or of_a is None or of_b is None:
        return row
    ratio, pairs = ask(of_a, of_b, confidence)
    # A repetition of storage is a round, and that is what the statistics call a process.
    reason = ratio.reason.replace("processes", "rounds") if _is_storage(row) else ratio.reason
    row = replace(row, reason=reason, ratio=ratio.value, pairs=pairs, method=ratio.method)
    if ratio.p is None:
        return row
    return replace(row, low=ratio.low, high=ratio.high, p=float(ratio.p))


def _what_is_new(a: CaseRecord, b: CaseRecord) -> str:
    return f"[{b.variant}]" if a.parameters == b.parameters and b.variant else b.name


def _unlike(a: CaseRecord, b: CaseRecord) -> str:
    """Why the two can't be compared at all."""
    if a.metric != b.metric:
        return (
            f"The metrics differ: {a.metric.name} in {a.metric.unit} ({a.metric.better} is better)"
            f" and {b.metric.name} in {b.metric.unit} ({b.metric.better} is better)."
        )
    if a.work != b.work:
        return "One execution does different work in A and B, so their figures don't compare."
    return ""


def _unproved(case: CaseRecord, found: Estimate | None, side: str) -> str:
    """Why this side has no number that counts."""
    wrong = next((s.proof.said for s in case.samples if not s.proof.right), None)
    if wrong is not None:
        return f"The proof of {side} failed: {wrong}"
    if not case.has_figure:
        return (
            f"{side} is {case.status}: {case.reason}"
            if case.reason
            else f"{side} is {case.status}."
        )
    return "" if found else f"{side} has no repetition with a value."


def _from_medians(a: Estimate, b: Estimate, confidence: float) -> tuple[Ratio, int]:
    return unpaired(list(a.medians.values()), list(b.medians.values()), confidence), 0


def _from_pairs(a: Estimate, b: Estimate, confidence: float) -> tuple[Ratio, int]:
    of_a, of_b = a.medians, b.medians
    both = [p for p in of_a if p in of_b and of_a[p] > 0 and of_b[p] > 0]
    return paired([log(of_b[p] / of_a[p]) for p in both], confidence), len(both)


def _judge(rows: Sequence[Judgement], confidence: float, smallest: float) -> tuple[Judgement, ...]:
    asked = sum(row.p is not None for row in rows)
    rows = [_for_a_suite(row, 1 - (1 - confidence) / max(1, asked)) for row in rows]
    judged = []
    for row, p in zip(rows, holm([row.p for row in rows]), strict=True):
        if row.ratio is None or row.low is None or row.high is None or p is None:
            judged.append(row)
            continue
        certain = p <= 1 - confidence + 1e-12  # as good as equal: 1 - 0.99 is not exactly 0.01
        verdict, reason = _decide(row, (row.ratio, row.low, row.high), certain, smallest, asked)
        judged.append(replace(row, verdict=verdict, reason=reason))
    return tuple(judged)


def _for_a_suite(row: Judgement, confidence: float) -> Judgement:
    """The row with a p that Holm's correction can use.

    An exact rank test of five processes against five has no p below 0.008, so in a suite of
    two cases no difference, however large, could pass. Asked at the confidence of the
    suite's strictest question, `unpaired` answers by Welch's t where the ranks don't reach.
    The interval stays that of one case. Pairs are given as they are: more can be measured.
    """
    if row.p is None or row.pairs or row.a is None or row.b is None:
        return row
    strict, _ = _from_medians(row.a, row.b, confidence)
    return row if strict.p is None else replace(row, p=float(strict.p))


def _decide(
    row: Judgement,
    found: tuple[float, float, float],
    certain: bool,
    smallest: float,
    asked: int,
) -> tuple[Verdict, str]:
    """Equivalence first, then a difference that is both certain and large enough.

    *Same* needs the whole interval within the smallest effect that matters (two one-sided
    tests, Schuirmann 1987): that nothing was found is no evidence of sameness. Holm guards
    against differences found by chance, so *same* is judged by its own interval.
    """
    ratio, low, high = found
    matters = log1p(smallest)
    if max(abs(log(low)), abs(log(high))) <= matters:
        return Verdict.SAME, ""
    if low <= 1 <= high:
        return Verdict.CANNOT_TELL, _undecided(smallest, row)
    if abs(log(ratio)) <= matters:
        return Verdict.CANNOT_TELL, (
            f"They differ, but the change may be less than the {smallest:.0%} that matters."
        )
    if not certain:
        return Verdict.CANNOT_TELL, _by_chance(row, asked)
    better = (ratio > 1) == (row.metric.better == "higher")
    return (Verdict.FASTER if better else Verdict.SLOWER), ""


def _by_chance(row: Judgement, asked: int) -> str:
    return (
        f"Among {asked} {'figures' if _is_storage(row) else 'cases'} a difference like this "
        f"(p = {row.p or 0:.2g}) can come by chance "
        f"(Holm's correction): measure this case alone, or {_more(row)}."
    )


def _undecided(smallest: float, row: Judgement) -> str:
    return (
        f"The interval holds no change as well as one of more than {smallest:.0%}: "
        f"measure {_more(row)}."
    )


def _more(row: Judgement) -> str:
    if row.pairs:
        return "more pairs (`--pairs`)"
    if _is_storage(row):
        return "more rounds (`rounds` in the profile)"
    return "more processes (`--full`), or in turn (`--versus`)"


def _is_storage(row: Judgement) -> bool:
    return row.benchmark.partition(".")[0] == "storage"
