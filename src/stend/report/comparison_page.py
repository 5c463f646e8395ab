"""Comparisons and nothing else → one HTML file, as `stend compare --format html` writes it."""

from collections.abc import Sequence

from stend.comparing import Comparison
from stend.report import names
from stend.report.comparison_section import OF_COMPARISONS, sections_of
from stend.report.frame import render

BEGINNING = b"<!doctype html>"


def to_html(letters: Sequence[str], comparisons: Sequence[Comparison]) -> str:
    """A section a comparison; `letters` are B, C, …."""
    sections = sections_of(comparisons, letters)
    charts = [pair for one in sections for pair in one.charts]
    sides = (comparisons[0].a, *(one.b for one in comparisons))
    title = names.joined(names.of_sides(sides))
    return render("comparisons.html", title, charts, {"compared": sections}, OF_COMPARISONS)
