"""A comparison → its answer, families, cases, why some can't be told, and what else differs."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.padding import Padding
from rich.text import Text

from stend.comparing import Comparison, Judgement, Verdict
from stend.report import answer, comparison_view
from stend.report.comparison_view import ComparisonView, FamilyView, SideView, shown, sign, view
from stend.report.terminal.console import (
    BAD,
    GOOD,
    SOFT,
    Console,
    Line,
    fits,
    print_advice,
    print_grid,
    text,
)
from stend.report.terminal.run import print_systems

_STYLES = {Verdict.FASTER: GOOD, Verdict.SLOWER: BAD}


def signed(verdict: Verdict, word: str) -> tuple[str, str]:
    """`▲ faster` and its style: only what is told has a colour."""
    return f"{sign(verdict)} {word}", _STYLES.get(verdict, SOFT)


def print_families(out: Console, found: ComparisonView) -> None:
    """How many times as good B is by family; nothing where each is a single case."""
    if not comparison_view.worth_a_table(found.families):
        return
    by = found.family_hardware
    out.print(text("\nFamilies, by the geometric mean of how many times as good B is", "bold"))
    for apart in (by, ()):
        between = f"{found.comparison.confidence:.0%} interval"
        heads = ["", "cases", "better by", between, *apart, "B is", "of its cases"]
        lines = [_family_line(one, by, apart) for one in found.families]
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, right=range(1, len(heads) - 2))


def _family_line(one: FamilyView, by: Sequence[str], apart: Sequence[str]) -> Line:
    word, style = signed(one.verdict, one.word)
    cells = (
        *map(text, (one.name, one.cases)),
        text(one.change, style),
        text(one.interval),
        *(text(comparison_view.cell(one.family, name)) for name in apart),
        text(word, style),
        text(one.tally, SOFT),
    )
    return Line(cells, "" if apart else comparison_view.note(one.family, by))


WHOLE = 60
"""So many cases are shown one by one; of more, those that moved."""
MOST_MOVED = 40
"""So many of those that moved; the largest changes are first."""
_REASONS = 12
_DIFFERENCES = 30


def print_comparison(comparison: Comparison, console: Console | None = None) -> None:
    """What B is beside A: the answer, then its grounds from the coarse to the fine."""
    out, found = console or Console(), view(comparison)
    print_side(out, found.a)
    print_side(out, found.b)
    out.print(text(f"\n{found.answer}", "bold"))
    if not found.cases:
        print_grouped(out, *found.sentences[-1])
        return
    print_families(out, found)
    _print_cases(out, found)
    for title, sentences in found.sentences:
        print_grouped(out, title, sentences)
    _print_causes(out, found)
    _print_differences(out, found)
    out.print()
    for sentence in (*(one.sentence for one in found.unpaired), *found.footing):
        out.print(text(sentence, SOFT))
    if found.storage:
        print_systems(out, found.storage)


def print_side(out: Console, side: SideView) -> None:
    """`A  mine, 3 runs, vm, 2026-11-23T03:29:12Z`."""
    out.print(Text.assemble(text(f"{side.letter}  {side.name}", "bold"),
                            text("".join(f", {part}" for part in side.more), SOFT)))  # fmt: skip
    for note in side.notes:
        out.print(Padding(text(note, SOFT), (0, 0, 0, 3)))


def _print_cases(out: Console, found: ComparisonView) -> None:
    rows = found.cases
    if len(rows) <= WHOLE:
        for table in comparison_view.tables_of(rows):
            out.print()
            _print_table(out, table, found.comparison)
        return
    moved = answer.moved(rows)
    if moved:
        out.print()
        _print_moved(out, moved[:MOST_MOVED], found.comparison)
    more = f"{len(moved) - MOST_MOVED} more changed by less. " if len(moved) > MOST_MOVED else ""
    out.print(text(f"{more}`--format csv` has all {len(rows)} cases, `--format html` a page of "
                   "them.", SOFT))  # fmt: skip


def _print_table(out: Console, table: comparison_view.Table, comparison: Comparison) -> None:
    print_case_head(out, table)
    _print_rows(out, table.columns, table.numbers, table.rows, comparison)


def print_case_head(out: Console, table: comparison_view.Table) -> None:
    """The benchmark, what its cases share, which direction is better."""
    constants = f"  with {table.constants}" if table.constants else ""
    out.print(Text.assemble(text(table.benchmark, "bold"), text(constants, SOFT)))
    out.print(text(table.sides, SOFT))


def _print_moved(out: Console, moved: Sequence[Judgement], comparison: Comparison) -> None:
    """One table over all benchmarks: what the case is called stands in its first column."""
    out.print(text("What moved, the largest changes first", "bold"))
    rows = list(map(comparison_view.row_of, moved))
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
    rows: Sequence[comparison_view.Row],
    comparison: Comparison,
) -> None:
    """As much of each figure in a column as there is room for."""
    by = comparison_view.columns([row.judgement for row in rows], comparison.smallest)
    interval = f"{comparison.confidence:.0%} interval"
    for form in _FORMS:
        values = ["A", "B"] if form.values else []
        grounds = [*([interval] if form.interval else []), *(by if form.hardware else ())]
        heads = [*columns, *values, "change", *grounds, "B is"]
        lines = [_line(row, by, form) for row in rows]
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, [*numbers, *range(len(columns), len(heads) - 1)])


def _line(row: comparison_view.Row, by: Sequence[str], form: _Form) -> Line:
    j = row.judgement
    word, style = signed(j.verdict, row.word)
    values = [shown(e, form.ends) for e in (j.a, j.b)]
    cells = (
        *map(text, row.cells),
        *(map(text, values) if form.values else ()),
        text(row.change, style),
        *([text(row.interval)] if form.interval else []),
        *(text(comparison_view.cell(j, name)) for name in (by if form.hardware else ())),
        text(word, style),
    )
    note = (
        "" if form.values else " → ".join(values),
        "" if form.interval else row.interval,
        "" if form.hardware else comparison_view.note(j, by),
    )
    return Line(cells, " · ".join(filter(None, note)))


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


def _print_causes(out: Console, found: ComparisonView) -> None:
    """What moved beside what differs and can move it: no proof, but where to look."""
    if found.causes:
        out.print(text("\nLikely causes", "bold"))
        for one in found.causes:
            out.print(Padding(text(one.said), (0, 0, 0, 2)))


def _print_differences(out: Console, found: ComparisonView) -> None:
    """What can be a cause is first."""
    if not found.differences:
        return
    out.print(text("\nWhat else differs", "bold"))
    lines = [Line((text(d.what), text(d.a), text(d.b))) for d in found.differences[:_DIFFERENCES]]
    print_grid(out, ("", "A", "B"), lines)
    if left := found.differences[_DIFFERENCES:]:
        out.print(text(f"{len(left)} more differ: `--format json` has them.", SOFT))
