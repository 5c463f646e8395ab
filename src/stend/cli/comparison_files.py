"""Comparisons in a format, on the terminal or in a file, and what CI is to fail on."""

import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from stend.cli.options import size_of
from stend.errors import BadValue, UsageError
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.comparing import Comparison
    from stend.report.terminal.console import Console


FAIL_ON_HELP = (
    "Exit with code 1 if a case or family has this verdict: slower, faster, or slower:2% for a "
    "change whose whole interval lies beyond 2%. Exit with code 5 if B failed or lacks a case "
    "of A. Comparisons with published figures have no verdict and never fail. May be repeated."
)
_FORM = re.compile(r"(slower|faster)(?::(\d+(?:\.\d+)?)%)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class FailOn:
    """A verdict, and how large the change must surely be."""

    verdict: str
    beyond: float
    typed: str


def read_fail_on(typed: Sequence[str]) -> tuple[FailOn, ...]:
    """What `--fail-on` was given.

    Raises:
        BadValue: it is nothing that a verdict could be.
    """
    found = []
    for words in typed:
        form = _FORM.fullmatch(words)
        if form is None:
            raise BadValue(
                f"--fail-on takes slower or faster, alone or with a threshold such as slower:2%, "
                f"not {printable(words)!r}."
            )
        found.append(FailOn(form[1], float(form[2] or 0) / 100, words))
    return tuple(found)


def failing(comparison: "Comparison", on: FailOn) -> list[str]:
    """The cases and families that are so, by name; the changes are those that are shown.

    A verdict holds for the estimate; the threshold is for the end of the interval that lies nearer
    to no change, so that a noisy case does not fail by chance of being noisy.
    """
    found = [(row.name, row.verdict, row.low, row.high) for row in comparison.rows]
    found += [
        (f"the family {f.name}", f.verdict, f.low, f.high)
        for f in comparison.families
        if f.cases > 1
    ]
    return [
        name
        for name, verdict, low, high in found
        if verdict.value == on.verdict and (not on.beyond or _least(low, high) > on.beyond)
    ]


def _least(low: float | None, high: float | None) -> float:
    """How far from 1 the nearer end of an interval is that does not hold 1."""
    if low is None or high is None or low <= 1 <= high:
        return 0.0
    return low - 1 if low > 1 else 1 - high


class Format(StrEnum):
    """How a comparison can be written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    HTML = "html"


_SUFFIXES = {
    ".txt": Format.TEXT, ".md": Format.MARKDOWN, ".csv": Format.CSV, ".json": Format.JSON,
    ".html": Format.HTML,
}  # fmt: skip
_WIDTH = 120
"""Of text in a file, columns."""


def format_of(asked: Format | None, output: Path | None, json: bool) -> Format:
    """The format that is meant: by name, by --json, by how the file's name ends, else text.

    Raises:
        UsageError: two are asked for, the file's name tells none that is known, or a page of HTML
            is to go to the terminal.
    """
    if json and asked not in (None, Format.JSON):
        raise UsageError(
            f"--json means --format json, but {asked} was given as well; give one of them."
        )
    form = Format.JSON if json else asked or _format_of(output)
    if form is Format.HTML and output is None and sys.stdout.isatty():
        raise UsageError("--format html needs a file; name one with -o.")
    return form


def _format_of(output: Path | None) -> Format:
    """A name without an ending tells nothing: text, as on the terminal."""
    ending = output.suffix.lower() if output else ""
    if ending and ending not in _SUFFIXES:
        raise UsageError(
            f"{printable(str(output))} ends in {printable(ending)}, which is not a format of a "
            f"comparison: use {', '.join(_SUFFIXES)}, or give --format."
        )
    return _SUFFIXES.get(ending, Format.TEXT)


def write(
    comparisons: "Sequence[Comparison]", letters: Sequence[str], form: Format, output: Path | None
) -> None:
    """Print them, or write them to a file, whole or not at all; `letters` are B, C, ….

    Raises:
        OutputError: the file can't be written.
        BadValue: there is a file of another kind.
    """
    if output is None:
        if form is Format.TEXT:
            _print(comparisons, letters, None)
        else:
            sys.stdout.write(_content(comparisons, letters, form)[0])
        return
    from stend.record.files import write_whole

    content, beginning = _content(comparisons, letters, form)
    write_whole(output, content.encode(errors="replace"), beginning)
    print(f"Wrote {output}{size_of(output)}.")


def _content(
    comparisons: "Sequence[Comparison]", letters: Sequence[str], form: Format
) -> tuple[str, bytes]:
    """The text, and how such a file begins."""
    if form is Format.MARKDOWN:
        from stend.report import comparison_text as markdown

        return markdown.to_markdown(letters, comparisons), markdown.BEGINNING
    if form is Format.CSV:
        from stend.report import comparison_text as csv

        return csv.to_csv(comparisons), csv.CSV_BEGINNING
    if form is Format.JSON:
        from stend.report import figures

        content = figures.comparisons_to_json(comparisons) + "\n"
        return content, figures.BEGINNING if len(comparisons) == 1 else figures.BEGINNING_OF_LIST
    if form is Format.HTML:
        from stend.report import comparison_page as page

        return page.to_html(letters, comparisons), page.BEGINNING
    from stend.report.terminal.console import Console

    out = io.StringIO()
    _print(comparisons, letters, Console(file=out, width=_WIDTH))
    return out.getvalue(), b"A  "


def _print(
    comparisons: "Sequence[Comparison]", letters: Sequence[str], console: "Console | None"
) -> None:
    from stend.report import terminal

    if len(comparisons) == 1:
        terminal.print_comparison(comparisons[0], console)
    else:
        terminal.print_comparisons(letters, comparisons, console)
