"""A comparison in words, as every format shows it: sides, families, cases, what differs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, log1p

from stend.comparing import (
    FIGURE,
    Comparison,
    Difference,
    Estimate,
    Family,
    Judgement,
    LikelyCauses,
    Normalised,
    Side,
    Verdict,
    likely_causes,
)
from stend.report import answer
from stend.report.answer import Reason
from stend.report.quantities import figure, parameter, percent, share_in_words, span
from stend.report.workloads import SIGNS, UNSURE, Systems, systems

OF_PEAK = "of peak"


def telling(row: Judgement | Family, smallest: float) -> tuple[Normalised, ...]:
    """Those by which B is not as many times as good as by the figure itself.

    Two machines of one clock and as many cores differ by the same factor however it is counted,
    and a column that repeats the change says nothing. Nor does one that lies within what the change
    is unsure by.
    """
    if not row.speed:
        return ()
    low, high = _ends(row)
    least = log1p(smallest)
    return tuple(
        n
        for n in row.normalised
        if abs(log(n.speed / row.speed)) > least and not low <= n.speed <= high
    )


def _ends(row: Judgement | Family) -> tuple[float, float]:
    """Of the interval of how many times as good B is; of none, that nothing lies within it."""
    if not row.low or not row.high:
        return inf, -inf
    if isinstance(row, Judgement) and row.metric.better == "lower":
        return 1 / row.high, 1 / row.low
    return row.low, row.high


def columns(rows: Sequence[Judgement | Family], smallest: float) -> tuple[str, ...]:
    """By what the figures of these rows say something else."""
    return tuple(dict.fromkeys(n.by for row in rows for n in telling(row, smallest)))


def cell(row: Judgement | Family, by: str) -> str:
    """`+3.1%`, in the direction of the change of the figure itself; of the peak `45% → 52%`."""
    found = next((n for n in row.normalised if n.by == by), None)
    if found is None:
        return NOTHING
    if by == OF_PEAK and isinstance(row, Judgement):
        return f"{share_in_words(found.a)} → {share_in_words(found.b)}"
    lower = isinstance(row, Judgement) and row.metric.better == "lower"
    return percent(1 / found.speed if lower else found.speed)


def note(row: Judgement | Family, by: Sequence[str]) -> str:
    """All of them in one line: `per clock −0.3% · 45% → 52% of peak`."""
    known = [n.by for n in row.normalised if n.by in by]
    return " · ".join(
        f"{cell(row, name)} {name}" if name == OF_PEAK else f"{name} {cell(row, name)}"
        for name in known
    )


NOTHING = "–"


@dataclass(frozen=True, slots=True)
class SideView:
    """What is compared: a run, or several."""

    letter: str
    name: str
    more: tuple[str, ...]
    """How many runs, host and time."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FamilyView:
    """One family's verdict."""

    family: Family
    name: str
    cases: str
    change: str
    """How many times as good B is, as a percentage: `+3.1%`."""
    interval: str
    verdict: Verdict
    word: str
    tally: str
    """How many of its cases are what: `3 ▲  20 =`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One case's verdict, and the words that tell the case from the others of its table."""

    judgement: Judgement
    cells: tuple[str, ...]
    where: str
    """The same with the parameters' names, as one text."""

    @property
    def a(self) -> str:
        """A's figure with its interval."""
        return shown(self.judgement.a)

    @property
    def b(self) -> str:
        """B's figure with its interval."""
        return shown(self.judgement.b)

    @property
    def change(self) -> str:
        """Of the figure: `+3.1%`."""
        return percent(self.judgement.ratio) if self.judgement.ratio else NOTHING

    @property
    def interval(self) -> str:
        """Of the change."""
        return _span(self.judgement)

    @property
    def word(self) -> str:
        """The verdict, as it reads for the metric."""
        return self.judgement.verdict.word(self.judgement.metric)


@dataclass(frozen=True, slots=True)
class Table:
    """The judgements of one benchmark."""

    benchmark: str
    constants: str
    """What all of its rows share."""
    sides: str
    """Which variants A and B are, and which direction is better."""
    columns: tuple[str, ...]
    numbers: tuple[int, ...]
    """Columns whose values are numbers."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Unpaired:
    """The cases that only one side has."""

    sentence: str
    """How many they are, by benchmark."""
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """All that a format shows of a comparison, from the coarse to the fine."""

    comparison: Comparison
    answer: str
    a: SideView
    b: SideView
    families: tuple[FamilyView, ...]
    family_hardware: tuple[str, ...]
    """Columns of what the hardware has, divided out, that tell the families something else."""
    cases: Sequence[Judgement]
    """Those that both sides have."""
    sentences: tuple[tuple[str, Sequence[Reason]], ...]
    """Why cases can't be told, notes on them, why they don't meet: each below its heading."""
    causes: Sequence[LikelyCauses]
    differences: Sequence[Difference]
    unpaired: tuple[Unpaired, ...]
    footing: Sequence[str]
    """What the verdicts rest on."""
    storage: Systems | None


def view(comparison: Comparison, b: str = "B") -> ComparisonView:
    """The view of a comparison; `b` is what to call its other side."""
    families = _families(comparison)
    return ComparisonView(
        comparison=comparison,
        answer=answer.answer(comparison, b),
        a=_side("A", comparison.a),
        b=_side(b, comparison.b),
        families=families,
        family_hardware=columns([one.family for one in families], comparison.smallest),
        cases=answer.shared(comparison),
        sentences=(
            (answer.REASONS, answer.reasons(comparison.rows)),
            (answer.NOTES, answer.notes(comparison.rows)),
            (answer.UNMET, answer.unmet(comparison)),
        ),
        causes=likely_causes(comparison),
        differences=comparison.differences,
        unpaired=unpaired(comparison, b),
        footing=answer.footing(comparison),
        storage=systems(comparison),
    )


def worth_a_table(families: Iterable[FamilyView]) -> bool:
    """Whether any family is of several cases; of one the case says it all."""
    return any(one.family.cases > 1 for one in families)


def sign(verdict: Verdict) -> str:
    """`▲`."""
    return SIGNS.get(verdict, UNSURE)


def shown(found: Estimate | None, ends: bool = True) -> str:
    """A figure, with the ends of its interval."""
    return figure(found.value, found.unit, found.ends if ends else None) if found else NOTHING


def row_of(judgement: Judgement) -> Row:
    """A case by its whole name, for a table of several benchmarks."""
    return Row(judgement, (judgement.name,), judgement.name)


def _side(letter: str, side: Side) -> SideView:
    name, *more = answer.side(side)
    return SideView(letter, name, tuple(more), side.notes)


def _families(comparison: Comparison) -> tuple[FamilyView, ...]:
    return tuple(
        FamilyView(
            family=family,
            name=family.name,
            cases=str(family.cases),
            change=percent(family.speed) if family.speed else NOTHING,
            interval=_span(family),
            verdict=family.verdict,
            word=answer.family_word(comparison, family),
            tally=answer.tally(family),
        )
        for family in comparison.families
    )


def _span(row: Judgement | Family) -> str:
    return span(row.low, row.high) if row.low and row.high else NOTHING


def tables_of(rows: Iterable[Judgement]) -> tuple[Table, ...]:
    """Those of these cases that both sides have."""
    found: dict[str, list[Judgement]] = {}
    for row in rows:
        if row.met:
            found.setdefault(row.benchmark, []).append(row)
    return tuple(map(_table, found.values()))


def unpaired(comparison: Comparison, b: str = "B") -> tuple[Unpaired, ...]:
    """A sentence for the cases that only A has, and one for those of B; `b` is what to call it."""
    found = []
    for verdict, side in zip(answer.ALONE, ("A", b), strict=True):
        rows = [row for row in comparison.rows if row.verdict is verdict]
        if rows:
            many = f"{len(rows)} cases are" if len(rows) > 1 else "One case is"
            names = tuple(row.name for row in rows)
            found.append(Unpaired(f"{many} only in {side}: {answer.counted(rows)}.", names))
    return tuple(found)


def _table(rows: Sequence[Judgement]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row.parameters))
    varied = [n for n in names if len(rows) == 1 or len({_value(row, n) for row in rows}) > 1]
    shared = [f"{n} {_value(rows[0], n)}" for n in names if n not in varied]
    variants = {row.variants for row in rows}
    columns = [*varied, *(["variant"] if len(variants) > 1 else [])]
    if len(variants) == 1 and rows[0].variants[0] == rows[0].variants[1]:
        shared += filter(None, rows[0].variants[:1])
    return Table(
        benchmark=rows[0].benchmark,
        constants=" · ".join(shared),
        sides=_sides(rows, variants),
        columns=tuple(columns),
        numbers=tuple(i for i, n in enumerate(varied) if all(_is_number(r, n) for r in rows)),
        rows=tuple(_row(row, varied, len(variants) > 1) for row in rows),
    )


def _row(row: Judgement, varied: Sequence[str], with_variant: bool) -> Row:
    a, b = row.variants
    variant = a if a == b else f"{a or '–'} → {b or '–'}"
    values = {name: value for name in varied if (value := _value(row, name))}
    last = [variant] if with_variant else []
    where = [*(f"{name} {value}" for name, value in values.items()), *last]
    return Row(row, (*(values.get(name, "") for name in varied), *last), " · ".join(where))


def _sides(rows: Sequence[Judgement], variants: Iterable[tuple[str, str]]) -> str:
    metrics: dict[str, dict[str, None]] = {}
    for row in rows:
        metrics.setdefault(row.metric.better, {})[row.metric.name] = None
    said = [f"{', '.join(names)}, {better} is better" for better, names in metrics.items()]
    ((a, b), *others) = variants
    if a != b and not others:
        said.insert(0, f"A is {a or 'without a variant'}, B is {b or 'without a variant'}")
    return "; ".join(said)


def _value(row: Judgement, name: str) -> str:
    value = row.parameters.get(name, row.metric.name if name == FIGURE else None)
    return "" if value is None else parameter(name, value)


def _is_number(row: Judgement, name: str) -> bool:
    value = row.parameters.get(name)
    return isinstance(value, int | float) and not isinstance(value, bool)
