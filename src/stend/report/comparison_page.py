"""The section of a page about a comparison: the answer, charts, rows folded by family."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.comparing import Comparison, Judgement, Verdict
from stend.report import answer, comparison_view, facts
from stend.report.charts.chart import Chart
from stend.report.charts.ratios import families, ratios
from stend.report.comparison_view import ComparisonView, FamilyView, Row, tables_of, view
from stend.report.frame import Data, Frame, render

MOST = 3000
"""Rows of one page: with ten times as many a browser takes seconds to open it."""
UNFOLDED = 60
"""Of no more rows all are open."""


OF_COMPARISONS: Data = {
    "hardware": comparison_view,
    "sign": comparison_view.sign,
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
    family: FamilyView | None
    """What it is as a whole, where it is of several cases."""
    by: tuple[str, ...]
    """What the hardware has, divided out, where that says something else of some case."""
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What the template shows of one comparison."""

    id: str
    title: str
    view: ComparisonView
    charts: tuple[tuple[str, Chart], ...]
    """Each with its id in the page."""
    folds: tuple[Fold, ...]
    open: bool
    left: int
    """Cases that are not shown, as the page would be too large."""


def sections_of(
    comparisons: Sequence[Comparison], letters: Sequence[str] = ()
) -> tuple[Compared, ...]:
    """A section each; `letters` are what to call the other sides: B, C, …."""
    called = facts.side_names([side for one in comparisons for side in (one.a, one.b)])
    return tuple(
        _section(
            f"comparison-{i}", one, b, f"{called[2 * i + 1]} ({b}) against {called[2 * i]} (A)"
        )
        for i, (one, b) in enumerate(
            zip(comparisons, letters or "B" * len(comparisons), strict=True)
        )
    )


def _section(id: str, comparison: Comparison, b: str, title: str) -> Compared:
    found = view(comparison, b)
    shown = _most_changed(found.cases)
    drawn = (("families", families(comparison, b)), ("cases", ratios(comparison, b)))
    return Compared(
        id=id,
        title=title,
        view=found,
        charts=tuple((f"{id}-{name}", chart) for name, chart in drawn if chart),
        folds=tuple(_folds(found, shown)),
        open=len(shown) <= UNFOLDED,
        left=len(found.cases) - len(shown),
    )


def _most_changed(rows: Sequence[Judgement]) -> Sequence[Judgement]:
    """As many as a page can have, in their order: what moved, then what may have moved most."""
    if len(rows) <= MOST:
        return rows
    ranked = sorted(rows, key=lambda row: (row.verdict not in answer.MOVED, -answer.change(row)))
    kept = set(map(id, ranked[:MOST]))
    return [row for row in rows if id(row) in kept]


def _folds(found: ComparisonView, rows: Sequence[Judgement]) -> Iterator[Fold]:
    known = {one.name: one for one in found.families if one.family.cases > 1}
    every = answer.by_family(found.cases)
    for name, own in answer.by_family(rows).items():
        counts = {v.value: sum(row.verdict is v for row in every[name]) for v in Verdict}
        yield Fold(
            name=name,
            tally=answer.signs(counts),
            family=known.get(name),
            by=comparison_view.columns(own, found.comparison.smallest),
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
    title = facts.joined(facts.side_names(sides))
    values = OF_COMPARISONS | {"compared": sections}
    return render("comparisons.html", title, charts, values, frame)
