"""Two sides' cases → why those of a benchmark that both have don't meet, in a sentence each."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import shorten

from stend.record import CaseRecord, Scalar, Work

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
    told = chain(
        _sides(a, b),
        _figures(a, "A"),
        _figures(b, "B"),
        _metrics(a, b),
        _parameters(a, b),
        _work(a, b),
        _variants(a, b),
        ["no case of A has all the values of one of B"],
    )
    return f"{next(told)}."


def _sides(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = ({case.side for case in cases} for cases in (a, b))
    if one.isdisjoint(two):
        turns, other = ("A", "B") if any(one) else ("B", "A")
        yield f"{turns} was measured in turn (--versus), and {other} was not"


def _figures(cases: Sequence[CaseRecord], side: str) -> Iterator[str]:
    if not any(case.published or case.has_figure for case in cases):
        first = cases[0]
        why = shorten(first.reason, _LONGEST, placeholder="…").rstrip(".")
        yield f"{side} has no figure of it: {why or first.status.value}"


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
    apart = [
        name
        for name in {**sides[0], **sides[1]}
        if told_by[name] == len(published)
        and sides[0].get(name, {}).keys().isdisjoint(sides[1].get(name, {}))
    ]
    if apart:
        of_a, of_b = (_of_each(apart, values) for values in sides)
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
    told = [
        f"{name}={_listed(list(values[name]))}" if name in values else f"no {name}"
        for name in names[:_TOLD]
    ]
    more = [f"{len(names) - _TOLD} more parameters"] if len(names) > _TOLD else []
    return " · ".join([*told, *more])


def _work(a: Sequence[CaseRecord], b: Sequence[CaseRecord]) -> Iterator[str]:
    one, two = (_by_parameters(cases) for cases in (a, b))
    alike = one.keys() & two.keys()
    if alike and all(one[of].isdisjoint(two[of]) for of in alike):
        yield "one execution does other work in A than in B"


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
