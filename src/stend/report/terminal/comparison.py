"""A comparison → the verdict on B for each case, why some can't be told, and what else differs."""

from collections.abc import Sequence

from rich.text import Text

from stend.comparing import Comparison, Verdict
from stend.console import Console
from stend.report import compared
from stend.report.quantities import figure, percent, span
from stend.report.terminal.grid import Line, print_grid
from stend.report.terminal.storage import print_systems
from stend.report.terminal.words import BAD, GOOD, SOFT, print_advice, text
from stend.report.two_systems import systems

_SIGNS = {Verdict.FASTER: ("▲", GOOD), Verdict.SLOWER: ("▼", BAD), Verdict.SAME: ("=", SOFT)}


def print_comparison(comparison: Comparison, console: Console | None = None) -> None:
    """A table a benchmark, what else differs, and a count of the verdicts."""
    out = console or Console()
    for name, side in (("A", comparison.a), ("B", comparison.b)):
        what = side.variant or side.label or side.id[:12]
        where = f", {side.host or 'unknown host'}, {side.started}"
        out.print(Text.assemble(text(f"{name}  {what}", "bold"), text(where, SOFT)))
    for table in compared.tables(comparison):
        out.print()
        _print_table(out, table, f"{comparison.confidence:.0%} interval")
    reasons = compared.reasons(comparison)
    print_advice(out, "Why it can't be told", [(_names(n), why) for why, n in reasons.items()])
    _print_differences(out, comparison)
    out.print()
    _print_counts(out, comparison)
    for alone in compared.alone(comparison):
        out.print(text(alone.said, SOFT))
    pairs = max((row.pairs for row in comparison.rows), default=0)
    both = systems(comparison)
    by = "the medians of all processes" + (", of storage of all rounds" if both else "")
    by = f"{pairs} interleaved pairs" if pairs else by
    out.print(text(
        f"Changes are estimated from {by}, not from the two figures shown; "
        f"at {comparison.confidence:.0%}, with Holm's correction over the suite; "
        f"changes under {comparison.smallest:.0%} don't matter.", SOFT))  # fmt: skip
    if comparison.a.id != comparison.b.id:
        out.print(text("What the machine itself did between the runs counts too; "
                       "--versus measures in turn and is free of that.", SOFT))  # fmt: skip
    if both:
        print_systems(out, both)


def _print_table(out: Console, table: compared.Table, between: str) -> None:
    constants = f"  with {table.constants}" if table.constants else ""
    out.print(Text.assemble(text(table.benchmark, "bold"), text(constants, SOFT)))
    out.print(text(table.sides, SOFT))
    count = len(table.columns)
    heads = [*table.columns, "A", "B", "change", between, "B is"]
    right = [*table.numbers, *range(count, count + 4)]
    print_grid(out, heads, [_line(row) for row in table.rows], right)


def _line(row: compared.Row) -> Line:
    j = row.judgement
    sign, style = _SIGNS.get(j.verdict, ("?", SOFT))
    return Line((
        *map(text, row.cells),
        *(text(figure(e.value, e.unit) if e else "–") for e in (j.a, j.b)),
        text(percent(j.ratio) if j.ratio else "–", style),
        text(span(j.low, j.high) if j.low and j.high else "–"),
        text(f"{sign} {j.verdict.word(j.metric)}", style),
    ))  # fmt: skip


def _print_counts(out: Console, comparison: Comparison) -> None:
    for verdict in (Verdict.FASTER, Verdict.SLOWER, Verdict.SAME, Verdict.CANNOT_TELL):
        if count := comparison.count(verdict):
            sign, style = _SIGNS.get(verdict, ("?", SOFT))
            out.print(text(f"{count:5} {sign} {comparison.word(verdict)}", style))


def _names(names: Sequence[str]) -> str:
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _print_differences(out: Console, comparison: Comparison) -> None:
    if not comparison.differences:
        return
    out.print(text("\nWhat else differs", "bold"))
    lines = [Line((text(d.what), text(d.a), text(d.b))) for d in comparison.differences]
    print_grid(out, ("", "A", "B"), lines)
