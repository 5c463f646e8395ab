"""Several comparisons with one A: a column a side, B, C and so on."""

from collections.abc import Sequence
from math import log

from rich.padding import Padding
from rich.text import Text

from stend.comparing import Comparison, Judgement
from stend.report import answer, comparison_view
from stend.report.comparison_view import NOTHING, ComparisonView, shown, sign, view
from stend.report.quantities import percent
from stend.report.terminal.comparison import (
    MOST_MOVED,
    WHOLE,
    print_case_head,
    print_grouped,
    print_side,
    signed,
)
from stend.report.terminal.console import SOFT, Console, Line, fits, print_grid, text

Key = tuple[str, str, str]
_SENTENCES = 5
"""Of a kind and a side; two sides alone show all."""


def print_comparisons(
    letters: Sequence[str], comparisons: Sequence[Comparison], console: Console | None = None
) -> None:
    """What each of the others, which `letters` call B, C, …, is beside A."""
    out = console or Console()
    views = [view(one, letter) for letter, one in zip(letters, comparisons, strict=True)]
    for side in (views[0].a, *(one.b for one in views)):
        print_side(out, side)
    out.print()
    for one in views:
        out.print(text(one.answer, "bold"))
    _print_families(out, views)
    _print_cases(out, views)
    _print_grouped(out, views)
    _print_causes(out, views)
    _print_differences(out, views)
    out.print()
    unpaired = (some.sentence for one in views for some in one.unpaired)
    footing = dict.fromkeys(sentence for one in views for sentence in one.footing)
    for sentence in (*unpaired, *footing):
        out.print(text(sentence, SOFT))


def _print_families(out: Console, views: Sequence[ComparisonView]) -> None:
    found = [{family.name: family for family in one.families} for one in views]
    names = list(dict.fromkeys(name for families in found for name in families))
    if not comparison_view.worth_a_table(family for one in views for family in one.families):
        return
    out.print(text("\nFamilies, by the geometric mean of how many times as good each is", "bold"))
    lines = []
    for name in names:
        cells = [text(name)]
        for families in found:
            one = families.get(name)
            if one is None or one.change == NOTHING:
                cells.append(text(NOTHING))
                continue
            style = signed(one.verdict, "")[1]
            cells.append(text(f"{one.change} {sign(one.verdict)}", style))
        lines.append(Line(tuple(cells)))
    print_grid(out, ["", *_letters(views)], lines, range(1, 1 + len(views)))


def _letters(views: Sequence[ComparisonView]) -> list[str]:
    return [one.b.letter for one in views]


def _print_cases(out: Console, views: Sequence[ComparisonView]) -> None:
    letters = _letters(views)
    beside = [{_key(row): row for row in one.cases} for one in views]
    keys = list(dict.fromkeys(key for rows in beside for key in rows))
    some = [next(rows[key] for rows in beside if key in rows) for key in keys]
    if len(some) <= WHOLE:
        for table in comparison_view.tables_of(some):
            out.print()
            print_case_head(out, table)
            _print_rows(out, letters, table.columns, table.numbers, table.rows, beside)
        return
    most = {key: max(_moved_by(rows.get(key)) for rows in beside) for key in keys}
    moved = sorted((row for row in some if most[_key(row)]), key=lambda row: -most[_key(row)])
    rows = list(map(comparison_view.row_of, moved[:MOST_MOVED]))
    if rows:
        out.print(text("\nWhat moved, the largest changes first", "bold"))
        _print_rows(out, letters, ("case",), (), rows, beside)
    left = f"{len(moved) - len(rows)} more changed by less. " if len(moved) > len(rows) else ""
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
    rows: Sequence[comparison_view.Row],
    beside: Sequence[dict[Key, Judgement]],
) -> None:
    heads = [*columns, "A", *letters]
    for values in (True, False):
        lines = [_line(row, [found.get(_key(row.judgement)) for found in beside], values)
                 for row in rows]  # fmt: skip
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, [*numbers, *range(len(columns), len(heads))])


def _line(row: comparison_view.Row, found: Sequence[Judgement | None], values: bool) -> Line:
    a = next((one.a for one in found if one and one.a), None)
    return Line(
        (*map(text, row.cells), text(shown(a, ends=False)), *(_cell(one, values) for one in found))
    )


def _cell(row: Judgement | None, value: bool) -> Text:
    """`46.2 GB/s  +3.1% ▲`, without the figure where there is no room."""
    if row is None:
        return text(NOTHING)
    parts = [shown(row.b, ends=False)] if value and row.b else []
    change = f"{percent(row.ratio)} {sign(row.verdict)}" if row.ratio else sign(row.verdict)
    style = signed(row.verdict, "")[1]
    return Text.assemble(text("".join(f"{part}  " for part in parts)), text(change, style))


def _print_grouped(out: Console, views: Sequence[ComparisonView]) -> None:
    """Once for sides of which the same is to be said; it calls each of them B."""
    for i, (title, _) in enumerate(views[0].sentences):
        alike: dict[tuple[str, ...], list[ComparisonView]] = {}
        for one in views:
            alike.setdefault(tuple(reason.said for reason in one.sentences[i][1]), []).append(one)
        for some in alike.values():
            letters = _letters(some)
            here = "" if letters == ["B"] else f" (B in these words is {' or '.join(letters)})"
            heading = f"{title}: {', '.join(letters)}{here}"
            print_grouped(out, heading, some[0].sentences[i][1], _SENTENCES)


def _print_causes(out: Console, views: Sequence[ComparisonView]) -> None:
    """What moved on each side, and what differs from A that can move it."""
    causes = [f"{one.b.letter}  {cause.said}" for one in views for cause in one.causes[:_SENTENCES]]
    if causes:
        out.print(text("\nLikely causes", "bold"))
        for line in causes:
            out.print(Padding(text(line), (0, 0, 0, 2)))


def _print_differences(out: Console, views: Sequence[ComparisonView]) -> None:
    """A row a fact; where a side agrees with A, A's word stands."""
    found = [{d.what: d for d in one.differences} for one in views]
    whats = list(dict.fromkeys(what for ds in found for what in ds))
    if not whats:
        return
    out.print(text("\nWhat else differs", "bold"))
    lines = []
    for what in whats:
        a = next(ds[what].a for ds in found if what in ds)
        sides = (ds[what].b if what in ds else a for ds in found)
        lines.append(Line((text(what), text(a), *map(text, sides))))
    print_grid(out, ["", "A", *_letters(views)], lines)
