"""A comparison → its answer, families, cases, why some can't be told, and what else differs."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.padding import Padding
from rich.text import Text

from stend.comparing import Comparison, Estimate, Family, Judgement, Side, Verdict, likely_causes
from stend.report import answer, comparison_tables
from stend.report.quantities import figure, percent, span
from stend.report.terminal.console import BAD, GOOD, SOFT, Console, print_advice, text
from stend.report.terminal.grid import Line, fits, print_grid
from stend.report.terminal.run import print_systems
from stend.report.workloads import SIGNS, UNSURE, systems

_STYLES = {Verdict.FASTER: GOOD, Verdict.SLOWER: BAD}


def signed(verdict: Verdict, word: str) -> tuple[str, str]:
    """`▲ faster` and its style: only what is told has a colour."""
    return f"{SIGNS.get(verdict, UNSURE)} {word}", _STYLES.get(verdict, SOFT)


def print_families(out: Console, comparison: Comparison) -> None:
    """How many times as good B is by family; nothing where each is a single case."""
    families = comparison.families
    if all(family.cases < 2 for family in families):
        return
    by = comparison_tables.columns(families, comparison.smallest)
    out.print(text("\nFamilies, by the geometric mean of how many times as good B is", "bold"))
    for apart in (by, ()):
        heads = ["", "cases", "better by", f"{comparison.confidence:.0%} interval", *apart]
        heads += ["B is", "of its cases"]
        lines = [
            _family_line(one, by, apart, answer.family_word(comparison, one)) for one in families
        ]
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, right=range(1, len(heads) - 2))


def _family_line(family: Family, by: Sequence[str], apart: Sequence[str], word: str) -> Line:
    said, style = signed(family.verdict, word)
    low, high = family.low, family.high
    cells = (
        text(family.name),
        text(str(family.cases)),
        text(percent(family.speed) if family.speed else "–", style),
        text(span(low, high) if low and high else "–"),
        *(text(comparison_tables.cell(family, name)) for name in apart),
        text(said, style),
        text(answer.tally(family), SOFT),
    )
    return Line(cells, "" if apart else comparison_tables.note(family, by))


WHOLE = 60
"""So many cases are shown one by one; of more, those that moved."""
MOST_MOVED = 40
"""So many of those that moved; the largest changes are first."""
_REASONS = 12
_DIFFERENCES = 30


def print_comparison(comparison: Comparison, console: Console | None = None) -> None:
    """What B is beside A: the answer, then its grounds from the coarse to the fine."""
    out = console or Console()
    print_side(out, "A", comparison.a)
    print_side(out, "B", comparison.b)
    out.print(text(f"\n{answer.answer(comparison)}", "bold"))
    if not answer.shared(comparison):
        print_grouped(out, answer.UNMET, answer.unmet(comparison))
        return
    print_families(out, comparison)
    _print_cases(out, comparison)
    print_grouped(out, answer.REASONS, answer.reasons(comparison.rows))
    print_grouped(out, answer.NOTES, answer.notes(comparison.rows))
    print_grouped(out, answer.UNMET, answer.unmet(comparison))
    _print_causes(out, comparison)
    _print_differences(out, comparison)
    out.print()
    for alone in comparison_tables.alone(comparison):
        out.print(text(alone.said, SOFT))
    for said in answer.footing(comparison):
        out.print(text(said, SOFT))
    if both := systems(comparison):
        print_systems(out, both)


def print_side(out: Console, letter: str, side: Side) -> None:
    """`A  mine, 3 runs, vm, 2026-11-23T03:29:12Z`."""
    parts = answer.side(side)
    out.print(Text.assemble(text(f"{letter}  {parts[0]}", "bold"),
                            text("".join(f", {part}" for part in parts[1:]), SOFT)))  # fmt: skip
    for note in side.notes:
        out.print(Padding(text(note, SOFT), (0, 0, 0, 3)))


def _print_cases(out: Console, comparison: Comparison) -> None:
    rows = answer.shared(comparison)
    if len(rows) <= WHOLE:
        for table in comparison_tables.tables_of(rows):
            out.print()
            _print_table(out, table, comparison)
        return
    told = answer.moved(rows)
    if told:
        out.print()
        _print_moved(out, told[:MOST_MOVED], comparison)
    more = f"{len(told) - MOST_MOVED} more changed by less. " if len(told) > MOST_MOVED else ""
    out.print(text(f"{more}`--format csv` has all {len(rows)} cases, `--format html` a page of "
                   "them.", SOFT))  # fmt: skip


def _print_table(out: Console, table: comparison_tables.Table, comparison: Comparison) -> None:
    print_case_head(out, table)
    _print_rows(out, table.columns, table.numbers, table.rows, comparison)


def print_case_head(out: Console, table: comparison_tables.Table) -> None:
    """The benchmark, what its cases share, which direction is better."""
    constants = f"  with {table.constants}" if table.constants else ""
    out.print(Text.assemble(text(table.benchmark, "bold"), text(constants, SOFT)))
    out.print(text(table.sides, SOFT))


def _print_moved(out: Console, told: Sequence[Judgement], comparison: Comparison) -> None:
    """One table over all benchmarks: what the case is called stands in its first column."""
    out.print(text("What moved, the largest changes first", "bold"))
    rows = [comparison_tables.Row(row, (row.name,), row.name) for row in told]
    _print_rows(out, ("case",), (), rows, comparison)


class _Form(NamedTuple):
    """What has a column; the rest stands in a note. The change and the verdict have one always."""

    ends: bool
    """A's and B's figures are with their own intervals."""
    hardware: bool
    values: bool = True
    interval: bool = True


_FORMS = (
    _Form(ends=True, hardware=True),
    _Form(ends=False, hardware=True),
    _Form(ends=False, hardware=False),
    _Form(ends=False, hardware=False, values=False),
    _Form(ends=False, hardware=False, values=False, interval=False),
)
"""From the widest to the narrowest."""


def _print_rows(
    out: Console,
    columns: Sequence[str],
    numbers: Sequence[int],
    rows: Sequence[comparison_tables.Row],
    comparison: Comparison,
) -> None:
    """As much of each figure in a column as there is room for."""
    by = comparison_tables.columns([row.judgement for row in rows], comparison.smallest)
    interval = f"{comparison.confidence:.0%} interval"
    for form in _FORMS:
        values = ["A", "B"] if form.values else []
        grounds = [*([interval] if form.interval else []), *(by if form.hardware else ())]
        heads = [*columns, *values, "change", *grounds, "B is"]
        lines = [_line(row, by, form) for row in rows]
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, [*numbers, *range(len(columns), len(heads) - 1)])


def _line(row: comparison_tables.Row, by: Sequence[str], form: _Form) -> Line:
    j = row.judgement
    said, style = signed(j.verdict, j.verdict.word(j.metric))
    values = [_shown(e, form.ends) for e in (j.a, j.b)]
    interval = span(j.low, j.high) if j.low and j.high else "–"
    cells = (
        *map(text, row.cells),
        *(map(text, values) if form.values else ()),
        text(percent(j.ratio) if j.ratio else "–", style),
        *([text(interval)] if form.interval else []),
        *(text(comparison_tables.cell(j, name)) for name in (by if form.hardware else ())),
        text(said, style),
    )
    note = (
        "" if form.values else " → ".join(values),
        "" if form.interval else interval,
        "" if form.hardware else comparison_tables.note(j, by),
    )
    return Line(cells, " · ".join(filter(None, note)))


def _shown(found: Estimate | None, ends: bool) -> str:
    return figure(found.value, found.unit, found.ends if ends else None) if found else "–"


def print_grouped(
    out: Console, title: str, found: Sequence[answer.Reason], most: int = _REASONS
) -> None:
    """Sentences, each with the cases it is for; those of fewest cases are counted."""
    said = [(_names(reason), reason.said) for reason in found[:most]]
    if left := found[most:]:
        cases = sum(len(reason.names) for reason in left)
        said.append((f"{len(left)} further, for {cases} cases", "`--format json` has them."))
    print_advice(out, title, said)


def _names(reason: answer.Reason) -> str:
    first, *more = reason.names
    if not more:
        return first
    return f"{first} and {len(more)} more" + (", with figures of their own" * reason.alike)


def _print_causes(out: Console, comparison: Comparison) -> None:
    """What moved beside what differs and can move it: no proof, but where to look."""
    if found := likely_causes(comparison):
        out.print(text("\nLikely causes", "bold"))
        for one in found:
            out.print(Padding(text(one.said), (0, 0, 0, 2)))


def _print_differences(out: Console, comparison: Comparison) -> None:
    """What can be a cause is first."""
    found = comparison.differences
    if not found:
        return
    out.print(text("\nWhat else differs", "bold"))
    lines = [Line((text(d.what), text(d.a), text(d.b))) for d in found[:_DIFFERENCES]]
    print_grid(out, ("", "A", "B"), lines)
    if left := found[_DIFFERENCES:]:
        out.print(text(f"{len(left)} more differ: `--format json` has them.", SOFT))
