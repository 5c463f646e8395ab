"""Comparisons and nothing else → a page, which `stend compare --format html` writes."""

from collections.abc import Sequence

from stend.comparing import Comparison
from stend.report import names
from stend.report.comparison_section import OF_COMPARISONS, sections_of
from stend.report.frame import Frame, render

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
