"""Runs, comparisons and machines → tables on the terminal, good at 80 columns.

Colour only adds to what words and signs say, and rich leaves it out where the output is no
terminal or NO_COLOR is set. Texts of records are shown as they are, never read as markup.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from stend.comparing import Comparison, Judgement, Verdict, estimate
from stend.console import Console
from stend.printable import printable
from stend.record import CaseRecord, Disturbance, Machine, Run, Status
from stend.report import facts, views
from stend.report.card import card
from stend.report.charts.chart import Listing
from stend.report.limits import limits
from stend.report.quantities import figure, number, percent, scale, span
from stend.report.speedup import speedups

if TYPE_CHECKING:
    from stend.store import Summary

_GOOD, _BAD, _QUIET, _SOFT = "green", "dark_orange3", "grey50", "grey50"
_SIGNS = {Verdict.FASTER: ("▲", _GOOD), Verdict.SLOWER: ("▼", _BAD), Verdict.SAME: ("=", _QUIET)}
_SHORTEST = 16
"""Columns that a command gets in a list of runs, however narrow the terminal is."""
_MOST_ROWS = 24
"""Of a table that is not of the figures themselves."""
_HARMLESS = {Status.MEASURED, Status.SKIPPED, Status.CHECKED}


def case_line(case: CaseRecord) -> str:
    """How a case ended, in one line: `stream.triad threads=2 [plain]  23.41 ± 0.05 GB/s`."""
    name = printable(f"{case.side} {case.name}".lstrip())
    found = estimate(case) if case.has_figure else None
    if found is None:
        return f"{name}  {case.status}{': ' + printable(case.reason) if case.reason else ''}"
    ended = [] if case.status is Status.MEASURED else [case.status.value]
    cautions = ", ".join([*ended, *case.cautions])
    shown = figure(found.value, found.unit, found.ends)
    return f"{name}  {shown}" + (f"  ({cautions})" if cautions else "")


def print_run(run: Run, console: Console | None = None) -> None:
    """Figures by benchmark, then what has none, then cautions with advice and the conditions."""
    out = console or Console()
    out.print(_text(f"{run.label or run.id[:12]}  {facts.headline(run.machine)}", "bold"))
    ended = f"ended {run.finished}" if run.finished else "not finished"
    out.print(_text(f"{facts.command(run.command)}, begun {run.started}, {ended}, id {run.id[:12]}",
                    _SOFT))  # fmt: skip
    shown = views.tables(run, "")
    for table in shown:
        out.print()
        _print_benchmark(out, table)
    _print_card(out, run, shown)
    intervals = [row.measured.estimate.interval for table in shown for row in table.rows]
    if any(interval and interval.over == "processes" for interval in intervals):
        out.print(_text("\n± and (… to …): 95% interval over processes", _SOFT))
    _print_missing(out, views.missing(run, shown))
    _print_advice(out, "Cautions", [
        (f"{caution}, {len(names)} case{'s' * (len(names) != 1)}", caution.advice)
        for caution, names in views.cautions(shown)
    ])  # fmt: skip
    _print_advice(out, "Conditions", [
        (f"{c.disturbance.said} ({c.when})", c.disturbance.advice) for c in views.conditions(run)
    ])  # fmt: skip


def print_runs(found: "Sequence[Summary]", console: Console | None = None) -> None:
    """The stored runs, newest first."""
    out = console or Console()
    if not found:
        out.print("No run is stored; begin with `stend run`.", markup=False)
        return
    several = len({run.host for run in found}) > 1
    troubles = {run.id: _trouble(run) for run in found}
    columns = ["id", "begun (UTC)", "label", *(["host"] if several else []), "cases"]
    table = _table(*columns, *([""] if any(troubles.values()) else []), "command")
    for run in found:
        table.add_row(
            _text(run.id[:8]), _text(run.started[:16].replace("T", " ")), _text(run.label),
            *([_text(run.host or "unknown")] if several else []), _text(str(run.cases)),
            *([_text(troubles[run.id], _BAD)] if any(troubles.values()) else []),
            _text(facts.command(run.command[1:])),
        )  # fmt: skip
    *others, commands = table.columns
    taken = sum(
        max(cell_len(str(cell)) for cell in [column.header, *column.cells]) + 2 for column in others
    )
    for command in commands.cells:
        cast(Text, command).truncate(max(_SHORTEST, out.width - taken - 2), overflow="ellipsis")
    out.print(table)


def _trouble(run: "Summary") -> str:
    counts = {s: n for s, n in run.statuses.items() if Status(s) not in _HARMLESS}
    words = ["not finished"] if run.finished is None else []
    return ", ".join([*words, *(f"{n} {s}" for s, n in counts.items())])


def print_comparison(comparison: Comparison, console: Console | None = None) -> None:
    """A verdict for each case, what else differs, and a count of the verdicts."""
    out = console or Console()
    for name, side in (("A", comparison.a), ("B", comparison.b)):
        what = side.variant or side.label or side.id[:12]
        out.print(_text(f"{name}  {what}, {side.host or 'unknown host'}, {side.started}", "bold"))
    out.print(_verdicts(comparison))
    reasons = views.reasons(comparison.rows)
    _print_advice(out, "Why it can't be told", [(_names(n), why) for why, n in reasons.items()])
    _print_differences(out, comparison)
    counts = [(v, comparison.count(v)) for v in Verdict if comparison.count(v)]
    out.print()
    for verdict, count in counts:
        out.print(_text(f"{count:5} {verdict}", _SIGNS.get(verdict, ("", _QUIET))[1]))
    pairs = max((row.pairs for row in comparison.rows), default=0)
    by = f"{pairs} interleaved pairs" if pairs else "the medians of all processes"
    out.print(_text(
        f"Changes are estimated from {by}, not from the two figures shown; "
        f"at {comparison.confidence:.0%}, with Holm's correction over the suite; "
        f"changes under {comparison.smallest:.0%} don't matter.", _SOFT))  # fmt: skip
    if comparison.a.id != comparison.b.id:
        out.print(_text("What the machine itself did between the runs counts too; "
                        "--versus measures in turn and is free of that.", _SOFT))  # fmt: skip


def print_machine(
    machine: Machine, disturbances: Sequence[Disturbance], console: Console | None = None
) -> None:
    """What the machine is, what could not be read, and what disturbs it, with advice."""
    out = console or Console()
    out.print(_text(machine.host or "This machine", "bold"))
    grid = Table.grid(padding=(0, 2))
    for name, value in facts.facts(machine):
        grid.add_row(_text(name, _SOFT), _text(value))
    for clock in facts.clocks(machine):
        name, frequency, step, cost = clock
        said = f"{frequency}, step {step}, timing {cost}" if frequency != "–" else cost
        grid.add_row(_text(f"clock {name}", _SOFT), _text(said))
    for name, why in facts.unknown(machine):
        grid.add_row(_text(name, _SOFT), _text(f"unknown: {why}", _QUIET))
    out.print(grid)
    if disturbances:
        _print_advice(out, "What disturbs it now", [(d.said, d.advice) for d in disturbances])
    else:
        out.print(_text("\nNothing disturbs it now.", _GOOD))


def _text(words: str, style: str = "") -> Text:
    return Text(printable(words, name=False), style=style)


def _table(*columns: str, right: Sequence[int] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style=_SOFT, padding=(0, 2, 0, 0))
    for i, name in enumerate(columns):
        table.add_column(
            name, justify="right" if i in right else "left", no_wrap=i in right, overflow="fold"
        )
    return table


def _print_benchmark(out: Console, shown: views.Table) -> None:
    out.print(Text.assemble(_text(f"{shown.benchmark}  ", "bold"), _text(shown.question)))
    if shown.constants:
        out.print(_text(f"with {shown.constants}", _SOFT))
    cautious = any(row.cautions for row in shown.rows)
    limited = ["of its limit"] if shown.limited else []
    cautions = "cautions" if cautious else ""
    table = _table("", shown.metric, *limited, cautions, right=range(1, 2 + len(limited)))
    for row in shown.rows:
        where = " · ".join(filter(None, [row.where, row.variant])) or row.name
        case = _text("\n".join([where, *row.notes]))
        mark = " †" if row.within else ""
        cells = [_text("\n".join(row.limits))] if shown.limited else []
        warned = _text(", ".join(row.cautions), _BAD)
        table.add_row(case, _text(row.shown + mark, "bold"), *cells, warned)
    out.print(table)
    if any(row.within for row in shown.rows):
        out.print(_text("† interval within one process", _SOFT))


def _print_card(out: Console, run: Run, shown: Sequence[views.Table]) -> None:
    """The processor card and the speed-ups, where the run has what they are made of."""
    measured = [row.measured for table in shown for row in table.rows]
    bounds = limits(run.machine, measured)
    if found := card(measured, bounds):
        for listing in found.tables:
            _print_listing(out, listing)
        for note in found.notes:
            out.print(_text(note))
        missing = ", ".join(f"{what} ({command})" for what, command in found.missing)
        if missing:
            out.print(_text(f"Not measured: {missing}", _SOFT))
    faster = speedups(measured)
    if faster and len(faster.rows) <= _MOST_ROWS:
        _print_listing(out, faster)
    elif faster:
        out.print(_text(f"\nThe speed-ups of {len(faster.rows)} cases over their threads are in "
                        "`stend report`.", _SOFT))  # fmt: skip


def _print_listing(out: Console, listing: Listing) -> None:
    out.print(_text(f"\n{listing.caption}", "bold"))
    table = _table(*listing.columns)
    for row in listing.rows:
        table.add_row(*map(_text, row))
    out.print(table)


def _print_missing(out: Console, missing: Sequence[tuple[str, str, str]]) -> None:
    if not missing:
        return
    out.print(_text("\nWithout a figure", "bold"))
    for name, status, reason in missing:
        style = _QUIET if Status(status) in _HARMLESS else _BAD
        line = Text.assemble(_text(f"{name}: "), _text(status, style), _text(f". {reason}"))
        out.print(Padding(line, (0, 0, 0, 2)))


def _print_advice(out: Console, title: str, said: Sequence[tuple[str, str]]) -> None:
    if not said:
        return
    out.print(_text(f"\n{title}", "bold"))
    for what, advice in said:
        out.print(Padding(_text(what), (0, 0, 0, 2)))
        if advice:
            out.print(Padding(_text(f"→ {advice}", _SOFT), (0, 0, 0, 4)))


def _judged(row: Judgement) -> list[Text]:
    sign, style = _SIGNS.get(row.verdict, ("?", _QUIET))
    cells = [_text(words) for words in _values(row)]
    cells.append(_text(percent(row.ratio) if row.ratio else "–", style))
    cells.append(_text(span(row.low, row.high) if row.low and row.high else "–"))
    return [*cells, _text(f"{sign} {row.verdict.word(row.metric)}", style)]


def _values(row: Judgement) -> tuple[str, str]:
    """A's figure, and B's in the same unit."""
    if row.a and row.b and row.a.unit == row.b.unit:
        return figure(row.a.value, row.a.unit), number(row.b.value, scale(row.a.value, row.a.unit))
    first, second = (figure(e.value, e.unit) if e else "–" for e in (row.a, row.b))
    return first, second


def _verdicts(comparison: Comparison) -> Table:
    between = f"{comparison.confidence:.0%} interval"
    table = _table("case", "A", "B", "change", between, "verdict", right=range(1, 5))
    for name, row in views.judged(comparison.rows):
        table.add_row(_text(name), *_judged(row))
    return table


def _names(names: Sequence[str]) -> str:
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _print_differences(out: Console, comparison: Comparison) -> None:
    if not comparison.differences:
        return
    out.print(_text("\nWhat else differs", "bold"))
    table = _table("", "A", "B")
    for d in comparison.differences:
        table.add_row(_text(d.what), _text(d.a), _text(d.b))
    out.print(table)
