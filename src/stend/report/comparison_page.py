"""Comparisons and nothing else → one HTML file, as `stend compare --format html` writes it."""

from collections.abc import Sequence

from stend.comparing import Comparison
from stend.report import answer
from stend.report.comparison_section import OF_COMPARISONS, sections_of
from stend.report.frame import render

BEGINNING = b"<!doctype html>"


def to_html(letters: Sequence[str], comparisons: Sequence[Comparison]) -> str:
    """A section a comparison; `letters` are B, C, …."""
    sections = sections_of(comparisons, letters)
    charts = [pair for one in sections for pair in one.charts]
    return render("comparisons.html", _title(comparisons), charts, {"compared": sections},
                  OF_COMPARISONS)  # fmt: skip


def _title(comparisons: Sequence[Comparison]) -> str:
    sides = (comparisons[0].a, *(one.b for one in comparisons))
    names = [answer.side(side)[0] for side in sides]
    names = [
        f"{name} {one.id[:8]}" if names.count(name) > 1 else name
        for name, one in zip(names, sides, strict=True)
    ]
    return " and ".join(names) if len(names) < 4 else f"{names[0]} and {len(names) - 1} more"
