"""The literature's table of operations of threads, with this machine."""

from collections.abc import Sequence

from stend.comparing.publications import OperationFigure, in_full, operation_of, operations
from stend.report.literature.table import NOTHING, Row, Subject, Table, best, cited, has
from stend.report.measured_case import Measured
from stend.report.quantities import figure


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """One table, an operation a row and a machine a column, where any of them was measured."""
    names = list(dict.fromkeys(f.operation for f in operations()))
    chosen = {name: _chosen(name, measured) for name in names}
    if not any(chosen.values()):
        return []
    processors = list(dict.fromkeys(f.processor for f in operations()))
    seconds = {(f.operation, f.processor): f.seconds for f in operations()}
    rows = [
        Row(
            (
                name,
                *(figure(seconds[name, processor], "s") for processor in processors),
                figure(m.estimate.value, "s", m.estimate.ends) if m else NOTHING,
            )
        )
        for name, m in chosen.items()
    ]
    return [
        Table(
            title="Operations of pthread",
            says="This machine's are without load threads, the better of bound and unbound. "
            "The published figures differ: Linux and C library of their time, single "
            "numbers without an interval. Waking is of all the blocked threads: the "
            f"published times grow as their number does. {cited(operations())}.",
            columns=("operation", *map(in_full, processors), here),
            rows=tuple(rows),
            own=1 + len(processors),
        )
    ]


def _chosen(operation: str, measured: Sequence[Measured]) -> Measured | None:
    benchmark, parameters = operation_of(operation)
    return best(
        [m for m in measured if m.case.benchmark == benchmark and has(m, load="none", **parameters)]
    )


def _cells(f: OperationFigure) -> tuple[str, ...]:
    return f.operation, in_full(f.processor), figure(f.seconds, "s")


SUBJECT = Subject(
    family="threads",
    title="Threads",
    figures=operations,
    columns=("operation", "processor", "time"),
    cells=_cells,
    tables=tables,
)
