"""What a table of the literature with a machine's row in it is made of."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stend.comparing.publications import Figure
from stend.report.measured_case import Measured
from stend.report.quantities import Scale, number

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a published machine's, or this one's."""

    cells: tuple[str, ...]
    here: bool = False
    """Whether it is of the machine that the run measured."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as the literature has it, and what is to be known before its rows are compared."""

    title: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    own: int | None = None
    """The column of the machine that the run measured, where machines are columns."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the literature gives of one family of benchmarks, and how it is shown."""

    family: str
    """The name that `stend run` takes."""
    title: str
    """The heading above its tables."""
    figures: Callable[[], Sequence[Any]]
    """All that is published, of one kind, in the order of the source."""
    columns: tuple[str, ...]
    cells: Callable[[Any], tuple[str, ...]]
    """A published figure below these columns."""
    tables: Callable[[Sequence[Measured], str], list[Table]]
    """Tables of the published figures with a run's rows, whose machine is named so; none where
    the run measured nothing that is published."""


def ranked(rows: Iterable[tuple[float, Row]]) -> tuple[Row, ...]:
    """The rows by their number, the least first; this machine's comes before its equals."""
    return tuple(row for _, row in sorted(rows, key=lambda pair: (pair[0], not pair[1].here)))


def cited(figures: Iterable[Figure]) -> str:
    """The sources of figures, each once."""
    return "; ".join(dict.fromkeys(f.cited for f in figures))


def best(members: Sequence[Measured]) -> Measured | None:
    """The best of cases of one metric."""
    if not members:
        return None
    choose = max if members[0].case.metric.better == "higher" else min
    return choose(members, key=lambda m: m.estimate.value)


def times(m: Measured, factor: float) -> str:
    """The figure with its interval, as the number that stands below the unit of a column."""
    return number(m.estimate.value, Scale(factor, ""), m.estimate.ends)


def has(m: Measured, **parameters: object) -> bool:
    """Whether the case has these parameters."""
    return all(m.case.parameters.get(name) == value for name, value in parameters.items())
