"""Whether two cases can be compared, and if not, why, in a sentence each."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import shorten

from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Judgement, Verdict
from stend.record import CaseRecord, Scalar, Work


def unpaired(a: CaseRecord | None, b: CaseRecord | None) -> Judgement:
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


def pair_judgement(
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
        return "One execution does different work in A and B, so their figures are not comparable."
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


Parameters = frozenset[tuple[str, Scalar]]

_TOLD = 4
"""Values or parameters that a sentence names; more are counted."""
_LONGEST = 200
"""Characters of a reason in a sentence."""


def unmet(a: Iterable[CaseRecord], b: Iterable[CaseRecord], met: Collection[str]) -> dict[str, str]:
    """What keeps the cases of a benchmark apart, of each that both have but for those in `met`."""
    of_a, of_b = _by_benchmark(a, met), _by_benchmark(b, met)
    return {name: _why(of_a[name], of_b[name]) for name in of_a if name in of_b}


def _by_benchmark(
    cases: Iterable[CaseRecord], without: Collection[str]
) -> dict[str, list[CaseRecord]]:
    found: dict[str, list[CaseRecord]] = {}
    for case in cases:
        if case.benchmark not in without:
            found.setdefault(case.benchmark, []).append(case)
    return found


def _why(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> str:
    """What comes first is what keeps them apart whatever the rest is."""
    reasons = chain(
        _sides(a, b),
        _figures(a, "A"),
        _figures(b, "B"),
        _metrics(a, b),
        _parameters(a, b),
        _work(a, b),
        _variants(a, b),
        ["no case of A has the same values as a case of B"],
    )
    return f"{next(reasons)}."


def _sides(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = ({case.side for case in cases} for cases in (a, b))
    if one.isdisjoint(two):
        turns, other = ("A", "B") if any(one) else ("B", "A")
        yield f"{turns} was measured interleaved (--versus), {other} was not"


def _figures(cases: Sequence[CaseRecord], side: str) -> Iterator[str]:
    if not any(case.published or case.has_figure for case in cases):
        first = cases[0]
        why = shorten(first.reason, _LONGEST, placeholder="…").rstrip(".")
        yield f"{side} has no figure for it: {why or first.status.value}"


def _metrics(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = (
        dict.fromkeys(f"{c.metric.name} in {c.metric.unit}" for c in cases) for cases in (a, b)
    )
    if one.keys().isdisjoint(two):
        yield f"A has its {_listed(list(one))}, B its {_listed(list(two))}"


def _parameters(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    """Those of which no value is on both sides; a published figure need not tell all."""
    sides = [_values(cases) for cases in (a, b)]
    published = [case for case in (*a, *b) if case.published]
    told_by = Counter(name for case in published for name in case.parameters)
    differing = [
        name
        for name in {**sides[0], **sides[1]}
        if told_by[name] == len(published)
        and sides[0].get(name, {}).keys().isdisjoint(sides[1].get(name, {}))
    ]
    if differing:
        of_a, of_b = (_of_each(differing, values) for values in sides)
        yield f"A has {of_a}, B has {of_b}"


def _values(cases: Sequence[CaseRecord]) -> dict[str, dict[str, None]]:
    """The values of each parameter, in their order."""
    found: dict[str, dict[str, None]] = {}
    for case in cases:
        for name, value in case.parameters.items():
            found.setdefault(name, {})[str(value)] = None
    return found


def _of_each(names: Sequence[str], values: Mapping[str, dict[str, None]]) -> str:
    """`size=1 and 2 · no pages`; of many parameters the first."""
    words = [
        f"{name}={_listed(list(values[name]))}" if name in values else f"no {name}"
        for name in names[:_TOLD]
    ]
    more = [f"{len(names) - _TOLD} more parameters"] if len(names) > _TOLD else []
    return " · ".join([*words, *more])


def _work(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = (_by_parameters(cases) for cases in (a, b))
    alike = one.keys() & two.keys()
    if alike and all(one[of].isdisjoint(two[of]) for of in alike):
        yield "one execution does different work in A and in B"


def _by_parameters(cases: Sequence[CaseRecord]) -> dict[Parameters, set[Work]]:
    found: dict[Parameters, set[Work]] = {}
    for case in cases:
        found.setdefault(frozenset(case.parameters.items()), set()).add(case.work)
    return found


def _variants(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = (list(dict.fromkeys(c.variant or "none" for c in cases)) for cases in (a, b))
    if set(one).isdisjoint(two):
        yield f"A has the variant{'s' * (len(one) > 1)} {_listed(one)}, B {_listed(two)}"


def _listed(values: Sequence[str]) -> str:
    """`1, 2 and 4`; of many the first and how many more there are."""
    if len(values) > _TOLD:
        return f"{', '.join(values[: _TOLD - 1])} and {len(values) - _TOLD + 1} more"
    return " and ".join(filter(None, [", ".join(values[:-1]), values[-1]]))
