"""A comparison → workloads × figures of two systems, each with both values and a word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.comparing import FIGURE, Comparison, Judgement, Verdict
from stend.report.quantities import percent
from stend.report.workloads import FAMILY, in_words, under_way, workload_name

SHOWN = ("IOPS", "bandwidth", "mean latency", "p99 latency", "CPU")
"""The figures of the table, in its order; those that no workload has are left out."""
SIGNS = {Verdict.FASTER: "▲", Verdict.SLOWER: "▼", Verdict.SAME: "="}
UNSURE = "?"


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one workload on both systems."""

    judgement: Judgement

    @property
    def values(self) -> str:
        """`118 k → 131 k`."""
        sides = (self.judgement.a, self.judgement.b)
        return " → ".join(
            in_words(self.judgement.metric, e, ends=False) if e else "–" for e in sides
        )

    @property
    def said(self) -> str:
        """`+11% ▲ faster`; what can't be told has its change too, if there is one."""
        j = self.judgement
        word = j.verdict.word(j.metric)
        sign = SIGNS.get(j.verdict, UNSURE)
        return " ".join(filter(None, [percent(j.ratio) if j.ratio else "", sign, word]))


@dataclass(frozen=True, slots=True)
class Row:
    """One workload."""

    name: str
    under_way: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    """All workloads that both have."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def systems(comparison: Comparison) -> Systems | None:
    """The table; None where no workload was measured on both."""
    found: dict[str, dict[str, Judgement]] = {}
    for row in _of_storage(comparison):
        own = {n: v for n, v in row.parameters.items() if n != FIGURE}
        found.setdefault(f"{row.benchmark} {own}", {})[row.metric.name] = row
    columns = tuple(name for name in SHOWN if any(name in row for row in found.values()))
    return Systems(columns, tuple(_row(row, columns) for row in found.values())) if found else None


def _of_storage(comparison: Comparison) -> Iterator[Judgement]:
    for row in comparison.rows:
        if row.family == FAMILY and row.met:
            yield row


def _row(figures: dict[str, Judgement], columns: Sequence[str]) -> Row:
    first = next(iter(figures.values()))
    return Row(
        workload_name(first.benchmark, first.parameters),
        under_way(first.parameters),
        tuple(Cell(figures[name]) if name in figures else None for name in columns),
    )
