"""The stored runs → a list, newest first."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from stend.console import Console
from stend.printable import printable
from stend.record import HARMLESS
from stend.report import facts
from stend.report.terminal.grid import GAP, Line, print_grid
from stend.report.terminal.words import BAD, SOFT, text
from stend.times import minute

if TYPE_CHECKING:
    from stend.store import Removed, Summary

_SHORTEST = 16
"""Columns that a command gets, however narrow the terminal is."""


def print_runs(found: "Sequence[Summary]", console: Console | None = None) -> None:
    """One line a run, its command cut to what the terminal has room for."""
    out = console or Console()
    if not found:
        out.print("No run is stored; begin with `stend run`.", markup=False)
        return
    several = len({run.host for run in found}) > 1
    troubled = any(map(_trouble, found))
    heads = ["id", "begun (UTC)", "label", *(["host"] if several else []), "cases"]
    heads += [""] if troubled else []
    rows = []
    for run in found:
        cells = [run.id[:8], minute(run.started), run.label]
        cells += [run.host or "unknown"] if several else []
        cells += [str(run.cases), *([_trouble(run)] if troubled else [])]
        rows.append([printable(cell) for cell in cells])
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    room = max(_SHORTEST, out.width - sum(widths) - GAP * len(widths))
    for run, cells in zip(found, rows, strict=True):
        cells.append(_cut(run.command, room))
    if sum(widths) + GAP * len(widths) + room <= out.width:
        _print_lines(out, [*heads, "command"], [*widths, room], rows, troubled)
        return
    lines = [Line(tuple(map(text, cells))) for cells in rows]
    print_grid(out, [*heads, "command"], lines)


def print_removed(found: "Sequence[Removed]", console: Console | None = None) -> None:
    """One line a removed run."""
    out = console or Console()
    if not found:
        out.print("No removed run is kept.", markup=False)
        return
    heads = ["id", "removed (UTC)", "by", "begun (UTC)", "label", "host"]
    rows = [
        [run.id[:8], minute(run.removed), run.by, minute(run.started), run.label, run.host or ""]
        for run in found
    ]
    print_grid(out, heads, [Line(tuple(map(text, map(printable, row)))) for row in rows])


def _print_lines(
    out: Console,
    heads: Sequence[str],
    widths: Sequence[int],
    rows: Sequence[Sequence[str]],
    troubled: bool,
) -> None:
    """All rows as one text: a table takes rich a quarter of a millisecond a row."""
    whole = Text(_padded(heads[:-1], widths) + heads[-1], SOFT)
    for cells in rows:
        end = len(cells) - 2 if troubled else len(cells) - 1
        whole.append("\n" + _padded(cells[:end], widths), "")
        if troubled:
            whole.append(_padded(cells[end:-1], widths[end:]), BAD)
        whole.append(cells[-1])
    out.print(whole, no_wrap=True, overflow="ignore", crop=False)


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=False)
    return "".join(cell + " " * (width - cell_len(cell) + GAP) for cell, width in pairs)


@cache
def _cut(command: tuple[str, ...], room: int) -> str:
    """The command without the program, cut where the room ends; runs often share one."""
    said = text(facts.command(command[1:]))
    said.truncate(room, overflow="ellipsis")
    return said.plain


def _trouble(run: "Summary") -> str:
    counts = {s: n for s, n in run.statuses.items() if s not in HARMLESS}
    words = ["not finished"] if run.finished is None else []
    return ", ".join([*words, *(f"{n} {s}" for s, n in counts.items())])
