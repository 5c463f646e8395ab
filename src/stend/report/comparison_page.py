"""The section of a page about a comparison: the answer, charts, rows folded by family."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.comparing import (
    Comparison,
    Family,
    Judgement,
    LikelyCauses,
    Verdict,
    likely_causes,
)
from stend.report import answer, comparison_tables, names
from stend.report.answer import Reason
from stend.report.charts.chart import Chart
from stend.report.charts.ratios import families, ratios
from stend.report.comparison_tables import Alone, Row, alone, tables_of
from stend.report.frame import Data, Frame, render
from stend.report.quantities import figure, percent, span
from stend.report.workloads import SIGNS, Systems, systems

MOST = 3000
"""Rows of one page: with ten times as many a browser takes seconds to open it."""
UNFOLDED = 60
"""Of no more rows all are open."""


OF_COMPARISONS: Data = {
    "answer": answer,
    "figure": figure,
    "hardware": comparison_tables,
    "percent": percent,
    "signs": SIGNS,
    "span": span,
    "Verdict": Verdict,
}
"""What the section's template calls."""


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one benchmark."""

    benchmark: str
    said: str
    """What its rows share, and which direction is better."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """The cases of one family."""

    name: str
    tally: str
    """How many of its cases, shown or not, are what: `3 ▲  20 =`."""
    family: Family | None
    word: str
    """What the family is as a whole."""
    by: tuple[str, ...]
    """What the hardware has, divided out, where that says something else of some case."""
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What the template shows of one comparison."""

    id: str
    title: str
    b: str
    """What the other side is called: B, C, …."""
    comparison: Comparison
    answer: str
    charts: tuple[tuple[str, Chart], ...]
    """Each with its id in the page."""
    folds: tuple[Fold, ...]
    open: bool
    left: int
    """Cases that are not shown, as the page would be too large."""
    alone: tuple[Alone, ...]
    reasons: Sequence[Reason]
    notes: Sequence[Reason]
    unmet: Sequence[Reason]
    causes: Sequence[LikelyCauses]
    storage: Systems | None
    footing: Sequence[str]


def sections_of(
    comparisons: Sequence[Comparison], letters: Sequence[str] = ()
) -> tuple[Compared, ...]:
    """A section each; `letters` are what to call the other sides: B, C, …."""
    called = names.of_sides([side for one in comparisons for side in (one.a, one.b)])
    return tuple(
        _section(
            f"comparison-{i}", one, b, f"{called[2 * i + 1]} ({b}) against {called[2 * i]} (A)"
        )
        for i, (one, b) in enumerate(
            zip(comparisons, letters or "B" * len(comparisons), strict=True)
        )
    )


def _section(id: str, comparison: Comparison, b: str, title: str) -> Compared:
    shared = answer.shared(comparison)
    shown = _most_changed(shared)
    drawn = (("families", families(comparison, b)), ("cases", ratios(comparison, b)))
    return Compared(
        id=id,
        title=title,
        b=b,
        comparison=comparison,
        answer=answer.answer(comparison, b),
        charts=tuple((f"{id}-{name}", chart) for name, chart in drawn if chart),
        folds=tuple(_folds(comparison, shown)),
        open=len(shown) <= UNFOLDED,
        left=len(shared) - len(shown),
        alone=alone(comparison, b),
        reasons=answer.reasons(comparison.rows),
        notes=answer.notes(comparison.rows),
        unmet=answer.unmet(comparison),
        causes=likely_causes(comparison),
        storage=systems(comparison),
        footing=answer.footing(comparison),
    )


def _most_changed(rows: Sequence[Judgement]) -> Sequence[Judgement]:
    """As many as a page can have, in their order: what moved, then what may have moved most."""
    if len(rows) <= MOST:
        return rows
    ranked = sorted(rows, key=lambda row: (row.verdict not in answer.MOVED, -answer.change(row)))
    kept = set(map(id, ranked[:MOST]))
    return [row for row in rows if id(row) in kept]


def _folds(comparison: Comparison, rows: Sequence[Judgement]) -> Iterator[Fold]:
    known = {family.name: family for family in comparison.families}
    every = answer.by_family(answer.shared(comparison))
    for name, own in answer.by_family(rows).items():
        family = known.get(name)
        counts = {v.value: sum(row.verdict is v for row in every[name]) for v in Verdict}
        yield Fold(
            name=name,
            tally=answer.signs(counts),
            family=family,
            word=answer.family_word(comparison, family) if family else "",
            by=comparison_tables.columns(own, comparison.smallest),
            groups=tuple(
                Group(
                    table.benchmark,
                    (f"With {table.constants}; " if table.constants else "") + f"{table.sides}.",
                    table.rows,
                )
                for table in tables_of(own)
            ),
        )  # fmt: skip


BEGINNING = b"<!doctype html>"


def to_html(
    letters: Sequence[str], comparisons: Sequence[Comparison], frame: Frame | None = None
) -> str:
    """A section a comparison; `letters` are B, C, …. A file, or in a site's frame."""
    sections = sections_of(comparisons, letters)
    charts = [pair for one in sections for pair in one.charts]
    sides = (comparisons[0].a, *(one.b for one in comparisons))
    title = names.joined(names.of_sides(sides))
    values = OF_COMPARISONS | {"compared": sections}
    return render("comparisons.html", title, charts, values, frame)
