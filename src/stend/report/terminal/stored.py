"""The stored runs → a list, newest first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from stend.console import Console
from stend.record import Status
from stend.report import facts
from stend.report.terminal.grid import GAP, Line, print_grid
from stend.report.terminal.words import BAD, text

if TYPE_CHECKING:
    from stend.store import Summary

_SHORTEST = 16
"""Columns that a command gets, however narrow the terminal is."""
HARMLESS = {Status.MEASURED, Status.SKIPPED, Status.CHECKED}


def print_runs(found: "Sequence[Summary]", console: Console | None = None) -> None:
    """One line a run, its command cut to what the terminal has room for."""
    out = console or Console()
    if not found:
        out.print("No run is stored; begin with `stend run`.", markup=False)
        return
    several = len({run.host for run in found}) > 1
    troubles = {run.id: _trouble(run) for run in found}
    columns = ["id", "begun (UTC)", "label", *(["host"] if several else []), "cases"]
    columns += [""] if any(troubles.values()) else []
    lines = []
    for run in found:
        cells = [text(run.id[:8]), text(run.started[:16].replace("T", " ")), text(run.label)]
        cells += [text(run.host or "unknown")] if several else []
        cells += [text(str(run.cases))]
        cells += [text(troubles[run.id], BAD)] if any(troubles.values()) else []
        lines.append(cells)
    taken = sum(
        max(cell_len(head), *(cell_len(cells[i].plain) for cells in lines)) + GAP
        for i, head in enumerate(columns)
    )
    for run, cells in zip(found, lines, strict=True):
        command = text(facts.command(run.command[1:]))
        command.truncate(max(_SHORTEST, out.width - taken), overflow="ellipsis")
        cells.append(command)
    print_grid(out, [*columns, "command"], [Line(tuple(cells)) for cells in lines])


def _trouble(run: "Summary") -> str:
    counts = {s: n for s, n in run.statuses.items() if Status(s) not in HARMLESS}
    words = ["not finished"] if run.finished is None else []
    return ", ".join([*words, *(f"{n} {s}" for s, n in counts.items())])
