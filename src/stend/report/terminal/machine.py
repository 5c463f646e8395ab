"""A machine → what it is, what could not be read, and what disturbs it, with advice."""

from collections.abc import Sequence

from rich.table import Table

from stend.console import Console
from stend.record import Disturbance, Machine
from stend.report import facts
from stend.report.terminal.words import GOOD, SOFT, print_advice, text


def print_machine(
    machine: Machine, disturbances: Sequence[Disturbance], console: Console | None = None
) -> None:
    """Its facts by name, then what disturbs it now."""
    out = console or Console()
    out.print(text(machine.host or "This machine", "bold"))
    grid = Table.grid(padding=(0, 2))
    for name, value in facts.facts(machine):
        grid.add_row(text(name, SOFT), text(value))
    for clock in facts.clocks(machine):
        name, frequency, step, cost = clock
        said = f"{frequency}, step {step}, timing {cost}" if frequency != "–" else cost
        grid.add_row(text(f"clock {name}", SOFT), text(said))
    for name, why in facts.unknown(machine):
        grid.add_row(text(name, SOFT), text(f"unknown: {why}", SOFT))
    out.print(grid)
    if disturbances:
        print_advice(out, "What disturbs it now", [(d.said, d.advice) for d in disturbances])
    else:
        out.print(text("\nNothing disturbs it now.", GOOD))
