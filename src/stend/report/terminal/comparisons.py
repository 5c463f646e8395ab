"""Several comparisons with one A: a column a side, B, C and so on."""

from collections.abc import Callable, Sequence
from math import log

from rich.padding import Padding
from rich.text import Text

from stend.comparing import Comparison, Judgement, likely_causes
from stend.report import answer, comparison_tables
from stend.report.quantities import figure, percent
from stend.report.terminal.comparison import (
    MOST_MOVED,
    WHOLE,
    print_case_head,
    print_grouped,
    print_side,
    signed,
)
from stend.report.terminal.console import SOFT, Console, text
from stend.report.terminal.grid import Line, fits, print_grid
from stend.report.workloads import SIGNS, UNSURE

Key = tuple[str, str, str]
_SENTENCES = 5
"""Of a kind and a side; two sides alone show all."""


def print_comparisons(
    letters: Sequence[str], comparisons: Sequence[Comparison], console: Console | None = None
) -> None:
    """What each of the others, which `letters` call B, C, …, is beside A."""
    out = console or Console()
    named = list(zip(letters, comparisons, strict=True))
    print_side(out, "A", comparisons[0].a)
    for letter, one in named:
        print_side(out, letter, one.b)
    out.print()
    for letter, one in named:
        out.print(text(answer.answer(one, letter), "bold"))
    _print_families(out, letters, comparisons)
    _print_cases(out, letters, comparisons)
    _print_grouped(out, named, answer.REASONS, lambda one: answer.reasons(one.rows))
    _print_grouped(out, named, answer.NOTES, lambda one: answer.notes(one.rows))
    _print_grouped(out, named, answer.UNMET, answer.unmet)
    _print_causes(out, named)
    _print_differences(out, letters, comparisons)
    out.print()
    for letter, one in named:
        for alone in comparison_tables.alone(one, letter):
            out.print(text(alone.said, SOFT))
    for said in dict.fromkeys(said for one in comparisons for said in answer.footing(one)):
        out.print(text(said, SOFT))


def _print_families(
    out: Console, letters: Sequence[str], comparisons: Sequence[Comparison]
) -> None:
    found = [{family.name: family for family in one.families} for one in comparisons]
    names = list(dict.fromkeys(name for families in found for name in families))
    if all(family.cases < 2 for families in found for family in families.values()):
        return
    out.print(text("\nFamilies, by the geometric mean of how many times as good each is", "bold"))
    lines = []
    for name in names:
        cells = [text(name)]
        for families in found:
            one = families.get(name)
            if one is None or not one.speed:
                cells.append(text("–"))
                continue
            style = signed(one.verdict, "")[1]
            cells.append(text(f"{percent(one.speed)} {SIGNS.get(one.verdict, UNSURE)}", style))
        lines.append(Line(tuple(cells)))
    print_grid(out, ["", *letters], lines, range(1, 1 + len(letters)))


def _print_cases(out: Console, letters: Sequence[str], comparisons: Sequence[Comparison]) -> None:
    beside = [{_key(row): row for row in one.rows if row.met} for one in comparisons]
    keys = list(dict.fromkeys(key for rows in beside for key in rows))
    some = [next(rows[key] for rows in beside if key in rows) for key in keys]
    if len(some) <= WHOLE:
        for table in comparison_tables.tables_of(some):
            out.print()
            print_case_head(out, table)
            _print_rows(out, letters, table.columns, table.numbers, table.rows, beside)
        return
    most = {key: max(_moved_by(rows.get(key)) for rows in beside) for key in keys}
    told = sorted((row for row in some if most[_key(row)]), key=lambda row: -most[_key(row)])
    rows = [comparison_tables.Row(row, (row.name,), row.name) for row in told[:MOST_MOVED]]
    if rows:
        out.print(text("\nWhat moved, the largest changes first", "bold"))
        _print_rows(out, letters, ("case",), (), rows, beside)
    left = f"{len(told) - len(rows)} more changed by less. " if len(told) > len(rows) else ""
    out.print(text(f"{left}`--format csv` has all {len(some)} cases.", SOFT))


def _key(row: Judgement) -> Key:
    """A's case, whatever it stands beside."""
    return row.benchmark, repr(row.parameters), row.variants[0]


def _moved_by(row: Judgement | None) -> float:
    told = row is not None and row.verdict in answer.MOVED and row.speed
    return abs(log(told)) if told else 0.0


def _print_rows(
    out: Console,
    letters: Sequence[str],
    columns: Sequence[str],
    numbers: Sequence[int],
    rows: Sequence[comparison_tables.Row],
    beside: Sequence[dict[Key, Judgement]],
) -> None:
    heads = [*columns, "A", *letters]
    for values in (True, False):
        lines = [_line(row, [found.get(_key(row.judgement)) for found in beside], values)
                 for row in rows]  # fmt: skip
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, [*numbers, *range(len(columns), len(heads))])


def _line(row: comparison_tables.Row, found: Sequence[Judgement | None], values: bool) -> Line:
    a = next((one.a for one in found if one and one.a), None)
    shown = text(figure(a.value, a.unit) if a else "–")
    return Line((*map(text, row.cells), shown, *(_cell(one, values) for one in found)))


def _cell(row: Judgement | None, value: bool) -> Text:
    """`46.2 GB/s  +3.1% ▲`, without the figure where there is no room."""
    if row is None:
        return text("–")
    parts = [figure(row.b.value, row.b.unit)] if value and row.b else []
    sign = SIGNS.get(row.verdict, UNSURE)
    change = f"{percent(row.ratio)} {sign}" if row.ratio else sign
    style = signed(row.verdict, "")[1]
    return Text.assemble(text("".join(f"{part}  " for part in parts)), text(change, style))


def _print_grouped(
    out: Console,
    named: Sequence[tuple[str, Comparison]],
    title: str,
    told: Callable[[Comparison], Sequence[answer.Reason]],
) -> None:
    """Once for sides of which the same is to be said; it calls each of them B."""
    alike: dict[tuple[str, ...], list[str]] = {}
    found = {letter: told(one) for letter, one in named}
    for letter, reasons in found.items():
        alike.setdefault(tuple(reason.said for reason in reasons), []).append(letter)
    for letters in alike.values():
        here = "" if letters == ["B"] else f" (B in these words is {' or '.join(letters)})"
        heading = f"{title}: {', '.join(letters)}{here}"
        print_grouped(out, heading, found[letters[0]], _SENTENCES)


def _print_causes(out: Console, named: Sequence[tuple[str, Comparison]]) -> None:
    """What moved on each side, and what differs from A that can move it."""
    said = [
        f"{letter}  {cause.said}"
        for letter, one in named
        for cause in likely_causes(one)[:_SENTENCES]
    ]
    if said:
        out.print(text("\nLikely causes", "bold"))
        for line in said:
            out.print(Padding(text(line), (0, 0, 0, 2)))


def _print_differences(
    out: Console, letters: Sequence[str], comparisons: Sequence[Comparison]
) -> None:
    """A row a fact; where a side agrees with A, A's word stands."""
    found = [{d.what: d for d in one.differences} for one in comparisons]
    whats = list(dict.fromkeys(what for ds in found for what in ds))
    if not whats:
        return
    out.print(text("\nWhat else differs", "bold"))
    lines = []
    for what in whats:
        a = next(ds[what].a for ds in found if what in ds)
        sides = (ds[what].b if what in ds else a for ds in found)
        lines.append(Line((text(what), text(a), *map(text, sides))))
    print_grid(out, ["", "A", *letters], lines)
