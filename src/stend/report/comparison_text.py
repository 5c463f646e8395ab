"""Comparisons as CSV (RFC 4180), and as Markdown for a pull request's comment.

A spreadsheet would compute a text that begins as a formula does, and names come from elsewhere:
such a text has an apostrophe before it (OWASP, "CSV Injection").

Texts of records are code, in which no markup, mention or reference is read. A comment holds 65,536
characters (GitHub's limit), so the folded tables end where it would be full.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence

from stend.comparing import Comparison, Estimate, Judgement, Side
from stend.record.text import printable
from stend.report import answer, comparison_view
from stend.report.comparison_view import ComparisonView, SideView, sign, view

_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
BY = ("per clock", "per core", "of peak")
COLUMNS = (
    "a", "a_id", "a_runs", "b", "b_id", "b_runs",
    "case", "family", "benchmark", "parameters", "a_variant", "b_variant",
    "metric", "unit", "better", "verdict",
    "a_value", "a_low", "a_high", "a_processes", "b_value", "b_low", "b_high", "b_processes",
    "ratio", "ratio_low", "ratio_high", "confidence", "p", "pairs", "speed", "superiority",
    "noise", *(f"{by.replace(' ', '_')}_{what}" for by in BY for what in ("a", "b", "speed")),
    "reason", "note",
)  # fmt: skip
CSV_BEGINNING = b"a,a_id,"

Cell = str | int | float | None


def to_csv(comparisons: Sequence[Comparison]) -> str:
    """All cases of all comparisons, with a line of heads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for comparison in comparisons:
        writer.writerows(
            [harmless(cell) for cell in _cells(comparison, row)] for row in comparison.rows
        )
    return out.getvalue()


def _cells(comparison: Comparison, row: Judgement) -> Iterator[Cell]:
    yield from _side_cells(comparison.a, row.runs[0])
    yield from _side_cells(comparison.b, row.runs[1])
    yield from (row.name, row.family, row.benchmark)
    yield json.dumps(row.parameters, ensure_ascii=False)
    yield from (*row.variants, row.metric.name, row.metric.unit, row.metric.better)
    yield row.verdict.value
    yield from _figure(row.a)
    yield from _figure(row.b)
    yield from (row.ratio, row.low, row.high, comparison.confidence, row.p, row.pairs)
    yield from (row.speed, row.superiority, row.noise.spread if row.noise else None)
    known = {n.by: (n.a, n.b, n.speed) for n in row.normalised}
    for by in BY:
        yield from known.get(by, (None, None, None))
    yield from (row.reason, row.note)


def _side_cells(side: Side, runs: int) -> tuple[Cell, ...]:
    return side.variant or side.label, side.id, runs


def _figure(found: Estimate | None) -> tuple[Cell, ...]:
    if found is None:
        return None, None, None, None
    return found.value, *(found.ends or (None, None)), found.processes


def harmless(cell: Cell) -> Cell:
    """The same, with an apostrophe before what a spreadsheet would compute."""
    formula = isinstance(cell, str) and {cell[:1], cell.lstrip()[:1]} & _FORMULA
    return f"'{cell}" if formula else cell


BEGINNING = b"<!-- stend compare -->\n"
"""By which a bot finds its comment of the last time."""
_MOVED = 40
_ROOM = 40_000
"""Characters of all folded tables."""
_REASONS = 12
_CODE = re.compile("`+")


def to_markdown(letters: Sequence[str], comparisons: Sequence[Comparison]) -> str:
    """A part for each comparison; `letters` are B, C, …, of which each part has one as its B."""
    room = _ROOM // max(1, len(comparisons))
    several = len(comparisons) > 1
    parts = (
        (f"### {letter}\n\n" if several else "") + _part(one, room)
        for letter, one in zip(letters, comparisons, strict=True)
    )
    return BEGINNING.decode() + "\n".join(parts)


def _part(comparison: Comparison, room: int) -> str:
    found = view(comparison)
    reasons, notes, unmet = found.sentences
    blocks = [
        f"**{_prose(found.answer)}**",
        f"A: {_side(found.a)}  \nB: {_side(found.b)}",
        *_families(found),
        *_cases(found, room),
        *_causes(found),
        *_grouped(*reasons),
        *_grouped(*notes),
        *_grouped(*unmet, named=True),
        *_differences(found, room // 4),
        f"<sub>{_prose(' '.join(found.footing))}</sub>",
    ]
    return "\n\n".join(blocks) + "\n"


def _side(side: SideView) -> str:
    name = ", ".join([f"**{code(side.name)}**", *map(code, side.more)])
    return ". ".join([name, *map(_prose, side.notes)])


def _families(found: ComparisonView) -> Iterator[str]:
    if not comparison_view.worth_a_table(found.families):
        return
    by = found.family_hardware
    rows = [
        (
            code(one.name),
            one.cases,
            one.change,
            one.interval,
            *(comparison_view.cell(one.family, name) for name in by),
            f"{sign(one.verdict)} {one.word}",
        )
        for one in found.families
    ]
    between = f"{found.comparison.confidence:.0%} interval"
    yield _table(("family", "cases", "better by", between, *by, "B is"), rows, (0, 4 + len(by)))


def _cases(found: ComparisonView, room: int) -> Iterator[str]:
    rows = found.cases
    moved = answer.moved(rows)
    by = comparison_view.columns(rows, found.comparison.smallest)
    between = f"{found.comparison.confidence:.0%} interval"
    heads = ("case", "A", "B", "change", between, *by, "B is")
    words = (0, len(heads) - 1)
    if moved:
        yield _table(heads, [_row(row, by) for row in moved[:_MOVED]], words)
    if rest := moved[_MOVED:]:
        yield f"{len(rest)} more changed by less."
    if len(rows) > len(moved):
        shown = list(_until_full((_row(row, by) for row in rows), room))
        title = f"All {len(rows)} cases" if len(shown) == len(rows) else (
            f"The first {len(shown)} of {len(rows)} cases; `--format csv` has all"
        )  # fmt: skip
        yield _folded(title, _table(heads, shown, words))
    if rows:
        yield from (_prose(one.sentence) for one in found.unpaired)


def _row(judgement: Judgement, by: Sequence[str]) -> tuple[str, ...]:
    row = comparison_view.row_of(judgement)
    return (
        code(judgement.name),
        row.a,
        row.b,
        row.change,
        row.interval,
        *(comparison_view.cell(judgement, name) for name in by),
        f"{sign(judgement.verdict)} {row.word}",
    )


def _causes(found: ComparisonView) -> Iterator[str]:
    if found.causes:
        lines = [f"- {_prose(one.said)}" for one in found.causes[:_REASONS]]
        yield "\n".join(["Likely causes:", "", *lines])


def _grouped(title: str, found: Sequence[answer.Reason], named: bool = False) -> Iterator[str]:
    """Each sentence with how many cases it is for, or which benchmarks."""
    if found:
        lines = [
            f"- {', '.join(map(code, one.names)) if named else f'{len(one.names)} ×'} "
            f"{_prose(one.said)}"
            for one in found[:_REASONS]
        ]
        lines += [f"- {len(found) - _REASONS} further"] if len(found) > _REASONS else []
        yield _folded(title, "\n".join(lines))


def _differences(found: ComparisonView, room: int) -> Iterator[str]:
    rows = ((_prose(d.what), code(d.a), code(d.b)) for d in found.differences)
    if shown := list(_until_full(rows, room)):
        yield _folded("What else differs", _table(("", "A", "B"), shown, (0, 1, 2)))


def _until_full(rows: Iterator[tuple[str, ...]], room: int) -> Iterator[tuple[str, ...]]:
    for row in rows:
        room -= len(_line(row))
        if room < 0:
            return
        yield row


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int]) -> str:
    """Columns of numbers stand right; those in `words` left."""
    rule = [":--" if i in words else "--:" for i in range(len(heads))]
    return "\n".join(map(_line, (heads, rule, *rows)))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _folded(said: str, block: str) -> str:
    return f"<details><summary>{said}</summary>\n\n{block}\n\n</details>"


def code(text: str) -> str:
    """A text of a record as code within a table (GFM 0.29, 6.3 and 4.10)."""
    text = " ".join(printable(text).split()) or "–"
    fence = "`" * (1 + max(map(len, _CODE.findall(text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def _prose(text: str) -> str:
    """A sentence in which nothing is markup, but for code between backticks."""
    words = " ".join(printable(text).split()).split("`")
    whole = len(words) % 2 == 1
    return "".join(
        code(word) if whole and i % 2 else _literal(word) for i, word in enumerate(words) if word
    )


def _literal(text: str) -> str:
    """Backslashes before punctuation (GFM 6.1); @ and # must touch nothing to be no reference."""
    return re.sub(r"[@#]", "\\g<0>\u200b", re.sub(r"[\\`*_{}\[\]()<>#+!|~$&^=:]", r"\\\g<0>", text))
