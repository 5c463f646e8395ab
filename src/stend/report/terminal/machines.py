"""Machines on the terminal: what one is and what disturbs it; a fleet and its outliers."""

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from stend.comparing import Fleet, Outlier, Verdict
from stend.record import Disturbance, Machine
from stend.report import facts
from stend.report.terminal.console import (
    BAD,
    GOOD,
    SOFT,
    Console,
    Line,
    print_advice,
    print_grid,
    text,
)
from stend.report.views import installable


def print_machine(
    machine: Machine,
    disturbances: Sequence[Disturbance],
    console: Console | None = None,
    *,
    skips: Sequence[str] = (),
) -> None:
    """Its facts by name, what disturbs it now, what to install for cases that would be skipped."""
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
        out.print(text("\nNothing disturbs the machine now.", GOOD))
    if more := installable(skips):
        out.print(text(f"\n{more}", SOFT))


_SHOWN = 40
"""Lines of one kind; --json has all."""


def print_fleet(fleet: Fleet, console: Console | None = None) -> None:
    """The nodes, then a sentence for each figure that stands apart, the largest first."""
    out = console or Console()
    _print_nodes(out, fleet)
    out.print()
    for outlier in fleet.apart[:_SHOWN]:
        out.print(_line(outlier))
    _print_rest(out, len(fleet.apart))
    if not fleet.apart and fleet.figures:
        out.print(text(f"No node is an outlier in {_many(fleet.figures, 'figure')}."))
    _print_missing(out, fleet)
    facts = [
        (f"{f.host}: {f.what} is {f.value}; on all others {f.others}", "") for f in fleet.facts
    ]
    print_advice(out, "Machines that differ", facts)
    reasons: dict[str, list[str]] = {}
    for one in fleet.undecided:
        reasons.setdefault(one.reason, []).append(one.name)
    print_advice(out, "Undecided", [(_names(names), why) for why, names in reasons.items()])
    if fleet.figures:
        out.print(text(
            f"\nA node is an outlier when it differs from the others at {fleet.confidence:.0%}, "
            "with Holm's correction over all nodes and figures, by more than "
            f"{fleet.smallest:.0%}.",
            SOFT))  # fmt: skip


def _print_nodes(out: Console, fleet: Fleet) -> None:
    group = f"  group {fleet.group[:8]}" if fleet.group else ""
    nodes = Text.assemble(text(_many(len(fleet.nodes), "node"), "bold"), text(group, SOFT))
    out.print(nodes)
    lines = [
        Line((text(n.host), text(n.run[:8]), text(f"{n.done} of {n.cases}"))) for n in fleet.nodes
    ]
    if lines:
        print_grid(out, ["host", "run", "cases done"], lines, [2])
    for node in fleet.nodes:
        if node.lost:
            out.print(text(f"! {node.lost}", BAD))


def _line(outlier: Outlier) -> Text:
    word = (Verdict.FASTER if outlier.better else Verdict.SLOWER).word(outlier.metric)
    sign, style = ("▲", GOOD) if outlier.better else ("▼", BAD)
    return Text.assemble(text(f"{sign} {word}  ", style), text(outlier.said))


def _print_missing(out: Console, fleet: Fleet) -> None:
    if not fleet.missing:
        return
    out.print(text("\nMeasured on other nodes, but not on these", "bold"))
    alike: dict[tuple[str, str, str], list[str]] = {}
    for one in fleet.missing:
        alike.setdefault((one.host, one.status, one.reason), []).append(one.name)
    for (host, status, reason), names in list(alike.items())[:_SHOWN]:
        verb = "is" if len(names) == 1 else "are"
        said = f"{host}: {_names(names)} {verb} {status}: {reason}"
        out.print(Padding(text(said, BAD), (0, 0, 0, 2)))
    _print_rest(out, len(alike))


def _print_rest(out: Console, count: int) -> None:
    if count > _SHOWN:
        out.print(text(f"… and {count - _SHOWN} more; --json has all.", SOFT))


def _names(names: Sequence[str]) -> str:
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
