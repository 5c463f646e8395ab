"""The answer of a comparison: one sentence, what moved, and why the rest cannot be told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from stend.comparing import Comparison, Family, Judgement, Side, Verdict
from stend.record import family_of
from stend.report.quantities import is_vague
from stend.report.workloads import SIGNS, UNSURE

ALONE = (Verdict.ONLY_A, Verdict.ONLY_B)
MOVED = (Verdict.FASTER, Verdict.SLOWER)
REASONS, NOTES, UNMET = (
    "Why undecided",
    "Notes on these figures",
    "On both sides, but without a matching case",
)
"""What the sentences below stand under."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some cases can't be told or don't meet, what verdicts leave open, or a note on them."""

    said: str
    names: tuple[str, ...]
    alike: bool
    """Of the others it is the same but for the figures in it."""


def shared(comparison: Comparison) -> list[Judgement]:
    """The cases that both sides have."""
    return [row for row in comparison.rows if row.met]


def answer(comparison: Comparison, b: str = "B") -> str:
    """Answer what B, called `b`, is beside A: over the cases, then which families are told."""
    return f"{_of_cases(comparison, b)} {_of_families(comparison)}".strip()


def _of_families(comparison: Comparison) -> str:
    """A family can be told where none of its cases can: its mean is surer."""
    cases: dict[str, list[str]] = {}
    for one in comparison.families:
        if one.verdict in MOVED and one.cases > 1:
            cases.setdefault(family_word(comparison, one), []).append(one.name)
    said = [f"{_listed(names)} {'is' if len(names) == 1 else 'are'} {word}"
            for word, names in cases.items()]  # fmt: skip
    return f"As families, {', '.join(said)}." if said else ""


def _listed(names: Sequence[str]) -> str:
    """`stream`, `stream and gost`, `stream, gost and 3 more`."""
    shown = names if len(names) <= _FEW else [*names[: _FEW - 1], f"{len(names) - _FEW + 1} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _of_cases(comparison: Comparison, b: str) -> str:
    both = shared(comparison)
    if not both:
        return _nothing_shared(comparison, b)
    faster, slower, same, untold = (
        comparison.count(v) for v in (*MOVED, Verdict.SAME, Verdict.CANNOT_TELL)
    )
    cases = "the one case that both have" if len(both) == 1 else f"{len(both)} cases"
    if not (faster or slower):
        if same == len(both):
            return f"{b} is the same as A in {'all ' * (len(both) > 1)}{cases}."
        if untold == len(both):
            return f"Cannot tell whether {b} differs from A in {_any_of(cases)}."
        return f"{b} is not found to differ from A in {_any_of(cases)}: {_rest(same, untold)}."
    better, worse = (comparison.word(verdict) for verdict in MOVED)
    moves = [(faster, better), (slower, worse)]
    (first, word), (second, other) = moves if faster else moves[::-1]
    if len(both) == 1:
        return f"{b} is {word} than A in {cases}."
    said = f"{b} is {word} than A in {first} of {cases}, {other} in {second or 'none'}"
    return "; ".join(filter(None, [said, _rest(same, untold)])) + "."


def _any_of(cases: str) -> str:
    return cases if cases.startswith("the") else f"any of {cases}"


def _rest(same: int, untold: int) -> str:
    said = [f"{same} {'is' if same == 1 else 'are'} the same"] if same else []
    return ", ".join([*said, f"{untold} undecided"] if untold else said)


def _nothing_shared(comparison: Comparison, b: str) -> str:
    has = [counted(row for row in comparison.rows if row.verdict is verdict) for verdict in ALONE]
    return f"A and {b} have no case in common: A has {has[0]}, and {b} has {has[1]}."


def counted(rows: Iterable[Judgement]) -> str:
    """`9 of linpack.lu, 6 of linpack.plain`; of very many benchmarks by family."""
    counts = _counts(row.benchmark for row in rows)
    if len(counts) > _FEW:
        counts = _counts(row for name, n in counts.items() for row in [family_of(name)] * n)
    said = [f"{n} of {name}" for name, n in list(counts.items())[:_FEW]]
    left = sum(list(counts.values())[_FEW:])
    return ", ".join([*said, f"{left} of others"] if left else said) or "none"


_FEW = 12
"""Benchmarks, or families, that are still named one by one in a sentence."""


def _counts(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return found


def moved(rows: Iterable[Judgement]) -> list[Judgement]:
    """Those that are faster or slower, the largest change first."""
    return sorted((row for row in rows if row.verdict in MOVED), key=lambda row: -change(row))


def change(row: Judgement) -> float:
    """How large it is, in whichever direction, as a logarithm."""
    return abs(log(row.speed)) if row.speed else 0.0


def reasons(rows: Sequence[Judgement]) -> list[Reason]:
    """Why some can't be told."""
    return _grouped((row.name, row.reason) for row in rows if row.met)


def notes(rows: Sequence[Judgement]) -> list[Reason]:
    """What else a reader should know of some."""
    return _grouped((row.name, row.note) for row in rows)


def unmet(comparison: Comparison) -> list[Reason]:
    """Why cases of benchmarks that both sides have don't meet, by benchmark."""
    return _grouped(comparison.unmet.items())


def _grouped(said: Iterable[tuple[str, str]]) -> list[Reason]:
    """Each once, those of most cases first; those that differ in their figures only are one."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, words in said:
        if words:
            found.setdefault(_NUMBER.sub("0", words), []).append((name, words))
    groups = [
        Reason(
            said=some[0][1],
            names=tuple(name for name, _ in some),
            alike=any(words != some[0][1] for _, words in some),
        )
        for some in found.values()
    ]
    return sorted(groups, key=lambda group: -len(group.names))


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:e[-+]?\d+)?")


def side(of: Side) -> tuple[str, ...]:
    """What a side is called, then what else is to be known of it."""
    runs = 1 + len(of.more)
    if of.published:
        return (of.label or of.id[:8], "published", of.started[:10])
    named = of.variant or of.label
    return (
        named or of.id[:8],
        *([of.id[:8]] if named and not of.variant else []),
        *([f"{runs} runs"] if runs > 1 else []),
        of.host or "unknown host",
        of.started,
    )


def family_word(comparison: Comparison, of: Family) -> str:
    """The family's verdict as it reads for the metrics of its cases."""
    verdict = of.verdict
    rows = (row for row in comparison.rows if row.family == of.name)
    words = {verdict.word(row.metric) for row in rows if row.met}
    if len(words) == 1:
        return words.pop()
    if words <= {verdict.value, "better", "worse"}:
        return verdict.value
    return {Verdict.FASTER: "better", Verdict.SLOWER: "worse"}.get(verdict, verdict.value)


def tally(of: Family) -> str:
    """`3 ▲  1 ▼  20 =  2 ?`."""
    return signs(of.counts)


def signs(counts: Mapping[str, int]) -> str:
    """Verdict → how many, in signs: `3 ▲  1 ▼  20 =  2 ?`."""
    found = [(counts.get(v.value, 0), SIGNS.get(v, UNSURE)) for v in _TOLD]
    return "  ".join(f"{count} {sign}" for count, sign in found if count)


def by_family(rows: Iterable[Judgement]) -> dict[str, list[Judgement]]:
    """The rows of each family, families in the order of their first case."""
    found: dict[str, list[Judgement]] = {}
    for row in rows:
        found.setdefault(row.family, []).append(row)
    return found


_ORIGINS = 3
_PUBLISHED = (
    "A published figure is a single number: a change is the ratio of the two figures shown, and "
    "nothing is judged by it."
)
_FACTORS = (
    "An interval over a factor of ten is shown as factors: ÷30…×40 reaches from a thirtieth to "
    "forty times."
)
_TOLD = (*MOVED, Verdict.SAME, Verdict.CANNOT_TELL)


def footing(comparison: Comparison) -> list[str]:
    """What the verdicts rest on."""
    if comparison.a.published or comparison.b.published:
        return [_PUBLISHED]
    storage = any(row.family == "storage" for row in comparison.rows)
    pairs = max((row.pairs for row in comparison.rows), default=0)
    by = "the medians of all processes" + (", of storage of all rounds" if storage else "")
    by = f"{pairs} interleaved pairs" if pairs else by
    said = [
        f"Changes are estimated from {by}, not from the two figures shown; "
        f"at {comparison.confidence:.0%}, with Holm's correction over the suite; "
        f"changes under {comparison.smallest:.0%} don't matter."
    ]
    if any(row.low and row.high and is_vague(row.low, row.high) for row in comparison.rows):
        said.append(_FACTORS)
    known = dict.fromkeys(row.noise.origin for row in comparison.rows if row.noise)
    if known:
        origins = "; ".join(list(known)[:_ORIGINS])
        said.append(f"The noise between runs is known from {origins}.")
    elif comparison.a.id != comparison.b.id:
        said.append(
            "Changes of the machine between the runs count too; --versus interleaves both sides "
            "and avoids that."
        )
    return said
