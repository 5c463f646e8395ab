"""Comparisons → CSV (RFC 4180): a row a case, numbers in the units of its metric, every digit.

A spreadsheet would compute a text that begins as a formula does, and names come from elsewhere:
such a text has an apostrophe before it (OWASP, "CSV Injection").
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence

from stend.comparing import Comparison, Estimate, Judgement, Side

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
BEGINNING = b"a,a_id,"

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
    yield from _side(comparison.a, row.runs[0])
    yield from _side(comparison.b, row.runs[1])
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


def _side(side: Side, runs: int) -> tuple[Cell, ...]:
    return side.variant or side.label, side.id, runs


def _figure(found: Estimate | None) -> tuple[Cell, ...]:
    if found is None:
        return None, None, None, None
    return found.value, *(found.ends or (None, None)), found.processes


def harmless(cell: Cell) -> Cell:
    """The same, with an apostrophe before what a spreadsheet would compute."""
    formula = isinstance(cell, str) and {cell[:1], cell.lstrip()[:1]} & _FORMULA
    return f"'{cell}" if formula else cell
