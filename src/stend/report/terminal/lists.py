"""Lists on the terminal: stored runs, removed runs, tokens, and who did what."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from stend.record.text import minute, printable
from stend.report import facts
from stend.report.facts import RunRow
from stend.report.terminal.console import BAD, GAP, SOFT, Console, Line, print_grid, text

if TYPE_CHECKING:
    from stend.store import Entry, Removed, Summary, Token


def print_tokens(found: "Sequence[Token]", console: Console | None = None) -> None:
    """One line a token, in UTC; for expired and revoked ones, since when."""
    out = console or Console()
    if not found:
        out.print("There is no token; make one with `stend token add`.", markup=False)
        return
    heads = ("name", "right", "id", "ends", "last used")
    print_grid(out, heads, [_token(token) for token in found])


def _token(token: "Token") -> Line:
    style = "" if token.live else SOFT
    used = minute(token.used) if token.used else "never"
    cells = (token.name, token.right, token.id, _end(token), used)
    made = f"made {token.made[:10]} by {token.by}"
    return Line(tuple(text(cell, style) for cell in cells), made)


def _end(token: "Token") -> str:
    if token.revoked:
        return f"revoked {token.revoked[:10]}"
    if token.expires is None:
        return "never"
    return token.expires[:10] if token.live else f"expired {token.expires[:10]}"


def print_audit(found: "Sequence[Entry]", console: Console | None = None) -> None:
    """One line a deed."""
    out = console or Console()
    if not found:
        out.print("The audit log is empty.", markup=False)
        return
    heads = ("date and time (UTC)", "who", "did", "to")
    print_grid(out, heads, [_entry(entry) for entry in found], right=(0,))


def _entry(entry: "Entry") -> Line:
    cells = (entry.at[:19].replace("T", " "), entry.who, entry.did, entry.to)
    more = (entry.said, entry.address and f"from {entry.address}")
    return Line(tuple(map(text, cells)), " · ".join(filter(None, more)))


_SHORTEST = 16
"""Columns that a command gets, however narrow the terminal is."""


def print_runs(found: "Sequence[Summary]", console: Console | None = None) -> None:
    """One line a run, its command cut to what the terminal has room for."""
    out = console or Console()
    if not found:
        out.print("No run is stored; run `stend run` first.", markup=False)
        return
    several = len({run.host for run in found}) > 1
    listed = list(map(RunRow, found))
    troubled = any(map(_trouble, listed))
    heads = ["id", "begun (UTC)", "label", *(["host"] if several else []), "cases"]
    heads += [""] if troubled else []
    rows = []
    for row in listed:
        cells = [row.id, row.begun, row.run.label]
        cells += [row.run.host or "unknown"] if several else []
        cells += [str(row.run.cases), *([_trouble(row)] if troubled else [])]
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


def _trouble(row: RunRow) -> str:
    words = ["not finished"] if row.run.finished is None else []
    return ", ".join([*words, *(f"{n} {status}" for status, n in row.trouble)])
