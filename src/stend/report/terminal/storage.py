"""Storage → one table of a run's workloads, and one of two systems side by side."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from stend.comparing import Verdict
from stend.console import Console
from stend.report.terminal.grid import GAP, Line, print_grid
from stend.report.terminal.words import BAD, GOOD, SOFT, text
from stend.report.two_systems import Cell, Systems
from stend.report.workloads import Workload, Workloads

_STYLES = {Verdict.FASTER: GOOD, Verdict.SLOWER: BAD}
_HEADS = ("storage", "under way")
"""Of the columns that every part of a table begins with."""
_SHORT = {"mean latency": "mean", "p50 latency": "p50", "p99 latency": "p99",
          "p99.9 latency": "p99.9"}  # fmt: skip


def print_workloads(out: Console, found: Workloads) -> None:
    """A line a workload; one that is not ok says why, and figures that don't count are grey."""
    short = [_SHORT.get(name, name) for name in found.columns]
    heads = [*_HEADS, *short, "rounds", "state"]
    lines = [_line(row) for row in found.rows]
    out.print()
    parts = list(_parts(heads, [line.cells for line in lines], out.width))
    for i, columns in enumerate(parts):
        last = i == len(parts) - 1
        print_grid(
            out,
            [heads[c] for c in columns],
            [Line(tuple(line.cells[c] for c in columns), line.note * last) for line in lines],
            [at for at, c in enumerate(columns) if 2 <= c < len(heads) - 1],
        )
    said = "Under way: depth × jobs."
    if "mean latency" in found.columns:
        said += " From mean to p99.9: latency, from submission to completion."
    if "CPU" in found.columns:
        said += " CPU: of the system under load."
    if any(not row.counts for row in found.rows):
        said += " Grey figures are of workloads that did not end well: they don't count."
    out.print(text(said, SOFT))


def _line(row: Workload) -> Line:
    style = "" if row.counts else SOFT
    good = row.state == "ok"
    figures = (text(cell, style) for cell in (row.name, row.under_way, *row.cells, str(row.rounds)))
    note = "" if good or not row.reasons else f"{row.state}: {' '.join(row.reasons)}"
    return Line((*figures, text(row.state, "" if good else BAD)), note)


def print_systems(out: Console, found: Systems) -> None:
    """Both values of each figure, and below them the change in sign and word."""
    heads = [*_HEADS, *found.columns]
    rows = [(text(row.name), text(row.under_way), *(map(_cell, row.cells))) for row in found.rows]
    out.print(text("\nA → B", "bold"))
    for columns in _parts(heads, rows, out.width):
        lines = [Line(tuple(row[c] for c in columns)) for row in rows]
        print_grid(out, [heads[c] for c in columns], lines)
    out.print(text("▲ B is better, ▼ B is worse, = the same, ? cannot tell: the difference lies "
                   "within the spread of the repeats, or see why above.", SOFT))  # fmt: skip


def _cell(cell: Cell | None) -> Text:
    if cell is None:
        return text("–", SOFT)
    style = _STYLES.get(cell.judgement.verdict, SOFT)
    return Text.assemble(text(cell.values + "\n"), text(cell.said, style))


def _parts(heads: Sequence[str], rows: Sequence[Sequence[Text]], most: int) -> Iterator[list[int]]:
    """Which columns stand beside one another; the first two are in every part."""
    widths = [
        max(cell_len(head), *(cell_len(line) for row in rows for line in row[i].plain.split("\n")))
        for i, head in enumerate(heads)
    ]
    fixed = sum(widths[:2]) + GAP
    part: list[int] = []
    for i in range(2, len(heads)):
        taken = fixed + sum(widths[c] + GAP for c in part)
        if part and taken + GAP + widths[i] > most:
            yield [0, 1, *part]
            part = []
        part.append(i)
    yield [0, 1, *part]
