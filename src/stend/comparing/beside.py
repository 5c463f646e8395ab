"""Two cases side by side → what can be said before any statistics, or why they don't compare."""

from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Judgement, Verdict
from stend.record import CaseRecord


def alone(a: CaseRecord | None, b: CaseRecord | None) -> Judgement:
    """The judgement of a case that one side lacks."""
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


def beside(
    a: CaseRecord, b: CaseRecord, of_a: Estimate | None, of_b: Estimate | None, note: str = ""
) -> Judgement:
    """The judgement of two figures without a verdict; its reason says why there can be none.

    A note says what differs between the two on purpose: their work, for one.
    """
    return Judgement(
        name=a.name if a.name == b.name else f"{a.name} → {_what_is_new(a, b)}",
        benchmark=a.benchmark,
        parameters=a.parameters,
        variants=(a.variant or "", b.variant or ""),
        metric=a.metric,
        verdict=Verdict.CANNOT_TELL,
        reason=_unlike(a, b, other_work=bool(note))
        or no_figure(a, of_a, "A")
        or no_figure(b, of_b, "B"),
        a=of_a,
        b=of_b,
        note=note,
    )


def _what_is_new(a: CaseRecord, b: CaseRecord) -> str:
    return f"[{b.variant}]" if a.parameters == b.parameters and b.variant else b.name


def _unlike(a: CaseRecord, b: CaseRecord, other_work: bool) -> str:
    """Why the two can't be compared at all; other work may be on purpose."""
    if a.metric != b.metric:
        return (
            f"The metrics differ: {a.metric.name} in {a.metric.unit} ({a.metric.better} is better)"
            f" and {b.metric.name} in {b.metric.unit} ({b.metric.better} is better)."
        )
    if a.work != b.work and not other_work:
        return "One execution does different work in A and B, so their figures don't compare."
    return ""


def no_figure(case: CaseRecord, found: Estimate | None, side: str) -> str:
    """Why this side has no number that counts; empty where it has one."""
    wrong = failed_proof(case)
    if wrong:
        return f"The proof of {side} failed: {wrong}"
    if not case.has_figure:
        return (
            f"{side} is {case.status}: {case.reason}"
            if case.reason
            else f"{side} is {case.status}."
        )
    return "" if found else f"{side} has no repetition with a value."


def failed_proof(case: CaseRecord) -> str:
    """What the first failed proof of its samples says; empty where none failed."""
    return next((s.proof.said or "no word." for s in case.samples if not s.proof.right), "")
