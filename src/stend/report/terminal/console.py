"""The terminal, written to by rich: safe texts, styles, advice and tables."""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console as RichConsole
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from stend.record.text import printable

if TYPE_CHECKING:
    from stend.report.charts.chart import Listing

WIDTH = 80
"""Columns where no terminal tells."""


class Console(RichConsole):
    """Writes what it is given, without guesses about numbers and paths in it."""

    def __init__(
        self, *, stderr: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=stderr, file=file, width=width, highlight=False)
        if self.width < 1:  # COLUMNS=0, which says that nobody knows
            self.width = WIDTH

    def on_broken_pipe(self) -> None:
        """Leave it to the verb: rich would end the program with code 1."""
        raise  # the BrokenPipeError that rich is handling when it calls this


GOOD, BAD, SOFT = "green", "dark_orange3", "grey50"

_FIRM = "\N{NO-BREAK SPACE}"


def text(words: str, style: str = "") -> Text:
    """Words of a record as they are: no control sequence, no markup."""
    return Text(printable(words, name=False), style=style)


def broken_at_dots(parts: str, width: int, style: str = "") -> Text:
    """`a · b c · d` on lines of that width, broken only between its parts where they fit."""
    end = f"{_FIRM}·"
    firm = (
        part.replace(" ", _FIRM) if len(part) + len(end) <= width else part
        for part in parts.split(" · ")
    )
    lines = textwrap.wrap(f"{end} ".join(firm), max(1, width), break_on_hyphens=False)
    return text("\n".join(lines).replace(_FIRM, " "), style)


def print_advice(out: Console, title: str, said: Sequence[tuple[str, str]]) -> None:
    """What is the matter, each with what to do about it."""
    if not said:
        return
    out.print(text(f"\n{title}", "bold"))
    for what, advice in said:
        out.print(Padding(text(what), (0, 0, 0, 2)))
        if advice:
            out.print(Padding(text(f"→ {advice}", SOFT), (0, 0, 0, 4)))


GAP = 2
"""Columns of the terminal between two of a table."""
NARROWEST = 16
"""To which columns of words are folded before others, and before a table is taken apart."""
_LEAST = 8
"""To which they are folded at all."""
_NOTE = "note"
"""The head of a column that says more of a row and may as well stand below it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row, and what is said of it."""

    cells: tuple[Text, ...]
    note: str = ""


def print_grid(
    out: Console,
    heads: Sequence[str],
    lines: Sequence[Line],
    right: Sequence[int] = (),
    typed: Sequence[int] = (),
) -> None:
    """Print the rows; columns in `right` are of numbers, `typed` ones are folded after the others.

    Notes stand at the ends of the lines if there is room for all, otherwise below each. Where
    numbers would have to be folded a row takes several lines, each figure behind its head.
    """
    widths = _widths(heads, [line.cells for line in lines], out.width)
    longest = max((cell_len(line.note) for line in lines), default=0)
    if longest and _taken(widths) + GAP + longest <= out.width:
        heads, widths = [*heads, ""], [*widths, longest]
        lines = [Line((*line.cells, text(line.note, SOFT))) for line in lines]
    widths = _narrowed(widths, out.width, right, typed)
    if _taken(widths) > out.width:
        _print_stacked(out, heads, lines, right)
        return
    for i, part in enumerate(_until_notes(lines)):
        table = _table(heads, widths, right, header=i == 0)
        for line in part:
            table.add_row(*line.cells)
        out.print(table)
        _print_note(out, part[-1])


def _print_stacked(
    out: Console, heads: Sequence[str], lines: Sequence[Line], right: Sequence[int]
) -> None:
    for line in lines:
        first, *rest = (cell.plain.replace("\n", ", ").strip() for cell in line.cells)
        out.print(text(f"{heads[0]} {first}" if 0 in right else first))
        said = [
            f"{head} {cell}".strip() for head, cell in zip(heads[1:], rest, strict=True) if cell
        ]
        if said:
            out.print(Padding(broken_at_dots(" · ".join(said), out.width - GAP), (0, 0, 0, GAP)))
        _print_note(out, line)


def _print_note(out: Console, line: Line) -> None:
    if line.note:
        out.print(Padding(text(line.note, SOFT), (0, 0, 0, 4)))


def fits(out: Console, heads: Sequence[str], lines: Sequence[Line]) -> bool:
    """Whether the rows stand on the terminal without a cell or a head being folded."""
    cells = [line.cells for line in lines]
    return _taken(_widths(heads, cells, sys.maxsize)) <= out.width


def print_listing(out: Console, listing: "Listing", right: bool = False) -> None:
    """A table of words, or with `right` of numbers below the names of their columns.

    One that is too wide has its notes below their lines. Where it is too wide still, numbers go on
    below with their first column repeated, and each row of words takes several lines.
    """
    out.print(text(f"\n{listing.caption}", "bold"))
    rows = [[text(cell) for cell in row] for row in listing.rows]
    widths = _widths(listing.columns, rows, out.width)
    notes = [""] * len(rows)
    if listing.columns[-1] == _NOTE and _taken(widths) > out.width:
        notes = ["" if row[-1] == "–" else row[-1] for row in listing.rows]
        widths = _widths(listing.columns[:-1], [row[:-1] for row in rows], out.width)
    parts = _parts(widths, out.width)
    if len(parts) > 1 and not right:
        heads = listing.columns[: len(widths)]
        cells = (tuple(map(text, row[: len(heads)])) for row in listing.rows)
        _print_stacked(out, heads, list(map(Line, cells, notes)), ())
        return
    for part, columns in enumerate(parts):
        lines = [
            Line(tuple(text(row[i]) for i in columns), "" if part else note)
            for row, note in zip(listing.rows, notes, strict=True)
        ]
        numbers = range(1, len(columns)) if right else ()
        print_grid(out, [listing.columns[i] for i in columns], lines, numbers)


def _widths(heads: Sequence[str], rows: Sequence[Sequence[Text]], most: int) -> list[int]:
    """Where there is no room for whole heads they break over lines, but not within a word."""
    cells = [max((_width(row[i]) for row in rows), default=0) for i in range(len(heads))]
    whole = [max(pair) for pair in zip(map(cell_len, heads), cells, strict=True)]
    if _taken(whole) <= most:
        return whole
    words = [max(map(cell_len, head.split()), default=0) for head in heads]
    return [max(pair) for pair in zip(words, cells, strict=True)]


def _width(cell: Text) -> int:
    return max(map(cell_len, cell.plain.split("\n")))


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _narrowed(
    widths: Sequence[int], most: int, numbers: Sequence[int], last: Sequence[int]
) -> list[int]:
    """The widest columns of words are folded until all fit, those of `last` after others.

    Too wide still, where numbers take more room than there is.
    """
    widths = list(widths)
    words = [i for i in range(len(widths)) if i not in numbers]
    while _taken(widths) > most:
        rest = [i for i in words if i not in last and widths[i] > NARROWEST]
        rest = rest or [i for i in words if widths[i] > _LEAST]
        if not rest:
            break
        widths[max(rest, key=lambda i: widths[i])] -= 1
    return widths


def _parts(widths: Sequence[int], most: int) -> list[list[int]]:
    """Which columns stand beside one another, when the first is in every part."""
    room = most - min(widths[0], NARROWEST)
    parts: list[list[int]] = [[0]]
    for i, width in enumerate(widths[1:], 1):
        taken = sum(widths[j] + GAP for j in parts[-1][1:])
        if taken + GAP + width > room and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(i)
    return parts


def _until_notes(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines of which only the last has a note."""
    part: list[Line] = []
    for line in lines:
        part.append(line)
        if line.note:
            yield part
            part = []
    if part:
        yield part


def _table(
    heads: Sequence[str], widths: Sequence[int], right: Sequence[int], header: bool
) -> Table:
    table = Table(
        box=None, pad_edge=False, header_style=SOFT, padding=(0, GAP, 0, 0), show_header=header
    )
    for i, (head, width) in enumerate(zip(heads, widths, strict=True)):
        table.add_column(
            head, width=width, justify="right" if i in right else "left", overflow="fold"
        )
    return table
