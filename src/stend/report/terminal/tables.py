"""Tables of figures: one a benchmark, and one for several small benchmarks of a family."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from stend.record import Scalar, family_of
from stend.record.cautions import Caution
from stend.report import views
from stend.report.charts.threads import AFFINITY, LOAD, NEITHER
from stend.report.quantities import counted, parameter
from stend.report.terminal.console import BAD, SOFT, Console, Line, print_grid, text

_FEW_ROWS = 3
"""A table of no more of them is small."""
_SEVERAL = 3
"""So many small tables of one family and metric are one table."""
_COUNTS = {"threads", "copies", "ranks", "blocked"}
"""Parameters that read as a number of things."""
LETTERS = {
    Caution.TIME_LIMIT: "t",
    Caution.FEW_REPETITIONS: "f",
    Caution.NOT_REPRODUCIBLE: "r",
    Caution.TWO_MODES: "m",
    Caution.DRIFTING: "d",
    Caution.STEP: "s",
    Caution.QUANTISED: "q",
    Caution.NOISY: "n",
    Caution.PREEMPTED: "p",
    Caution.MIGRATED: "g",
    Caution.THROTTLED: "h",
    Caution.COARSE_CLOCK: "c",
    Caution.AUTOCORRELATED: "a",
    Caution.UNSTEADY: "u",
    Caution.UNWRITTEN: "w",
}
"""What stands for a caution in a table; their meaning is told below all tables."""


@dataclass(frozen=True, slots=True)
class _Family:
    """Small tables of one family that share a metric."""

    name: str
    tables: tuple[views.Table, ...]


def print_tables(out: Console, shown: Sequence[views.Table]) -> None:
    """All of them, the small ones of a family together where the first of them stood."""
    for one in _together(shown):
        out.print()
        if isinstance(one, _Family):
            _print_family(out, one)
        else:
            _print_benchmark(out, one)


def _together(shown: Sequence[views.Table]) -> list[views.Table | _Family]:
    small: dict[tuple[str, str], list[views.Table]] = {}
    for table in shown:
        if len(table.rows) <= _FEW_ROWS:
            small.setdefault(_kind(table), []).append(table)
    small = {kind: some for kind, some in small.items() if len(some) >= _SEVERAL}
    found: list[views.Table | _Family] = []
    for table in shown:
        some = small.get(_kind(table), [])
        if table not in some:
            found.append(table)
        elif table is some[0]:
            found.append(_Family(_kind(table)[0], tuple(some)))
    return found


def _kind(table: views.Table) -> tuple[str, str]:
    return family_of(table.benchmark), table.metric


def _print_family(out: Console, family: _Family) -> None:
    """A line a case: the benchmark's last words, what it was measured with, the figure."""
    rows = [row for table in family.tables for row in table.rows]
    given = [row.measured.case.parameters for row in rows]
    constant = {n: v for n, v in given[0].items() if all(p.get(n) == v for p in given)}
    variants = {row.variant for row in rows}
    shared = variants.pop() if len(variants) == 1 else ""
    said = [f"{n} {parameter(n, v)}" for n, v in constant.items() if v != ""]
    said += [shared] if shared else []
    out.print(Text.assemble(text(family.name, "bold"),
                            text(f"  with {' · '.join(said)}" if said else "", SOFT)))  # fmt: skip
    if not any("imported from" in row.measured.case.detail for row in rows):
        out.print(text(f"`stend list {family.name}` says what each of them answers.", SOFT))
    bounds = tuple(dict.fromkeys(what for row in rows for what in row.limits))
    heads = ["", "with", family.tables[0].metric, *(f"of {what}" for what in bounds)]
    marked = any(row.cautions for row in rows)
    heads += ["cautions"] if marked else []
    lines = []
    for row in rows:
        cells = [
            text(row.measured.case.benchmark.partition(".")[2]),
            text(_with(row, constant, row.variant if not shared else "")),
            *_figures(row, bounds),
        ]
        letters = "".join(LETTERS[c] for c in Caution if c in row.cautions)
        cells += [text(letters, BAD)] if marked else []
        lines.append(Line(tuple(cells), _note(row)))
    print_grid(out, heads, lines, right=range(2, 3 + len(bounds)))
    _print_within(out, rows)


def _with(row: views.Row, constant: dict[str, Scalar], variant: str) -> str:
    """`2 threads, 128 B apart, bound`."""
    own = {n: v for n, v in row.measured.case.parameters.items() if n not in constant}
    return ", ".join(filter(None, [variant, *(_in_words(n, v) for n, v in own.items())]))


def _in_words(name: str, value: Scalar) -> str:
    if name in {LOAD, AFFINITY}:
        return f"{name} {value}" if name == LOAD else "" if value == NEITHER else str(value)
    if name in _COUNTS and isinstance(value, int):
        return counted(value, name)
    if name == "bytes":
        return parameter(name, value)
    return f"{name} {parameter(name, value)}" if value != "" else ""


def _print_benchmark(out: Console, shown: views.Table) -> None:
    """Its name and what all rows share, its question, its rows."""
    variants = {row.variant for row in shown.rows}
    shared = variants.pop() if len(variants) == 1 and len(shown.rows) > 1 else None
    constants = " · ".join(filter(None, [shown.constants, shared]))
    out.print(Text.assemble(text(shown.benchmark, "bold"),
                            text(f"  with {constants}" if constants else "", SOFT)))  # fmt: skip
    out.print(text(shown.question))
    told_of = (pair for row in shown.rows for pair in row.parameters.items())
    names = list(dict.fromkeys(name for name, said in told_of if said))
    with_variant = shared is None and any(row.variant for row in shown.rows)
    heads = [*names, *(["variant"] if with_variant else []), shown.metric]
    heads += [f"of {what}" for what in shown.limits]
    numbers = [i for i, name in enumerate(names) if _is_number(shown, name)]
    numbers += range(len(names) + with_variant, len(heads))
    present = [c for c in Caution if any(c in row.cautions for row in shown.rows)]
    heads += ["cautions"] if present else []
    lines = [_line(row, names, with_variant, shown.limits, present) for row in shown.rows]
    print_grid(out, heads, lines, right=numbers)
    _print_within(out, shown.rows)


def _line(
    row: views.Row,
    names: Sequence[str],
    with_variant: bool,
    bounds: Sequence[str],
    present: Sequence[Caution],
) -> Line:
    cells = [text(row.parameters.get(name, "")) for name in names]
    cells += [text(row.variant)] if with_variant else []
    cells += _figures(row, bounds)
    letters = [LETTERS[c] if c in row.cautions else " " for c in present]
    cells += [text(" ".join(letters).rstrip(), BAD)] if present else []
    return Line(tuple(cells), _note(row))


def _figures(row: views.Row, bounds: Sequence[str]) -> list[Text]:
    """The figure, and its share of each bound."""
    shown = text(row.shown + (" †" if row.within else ""), "bold")
    return [shown, *(text(row.limits.get(what, "–")) for what in bounds)]


def _note(row: views.Row) -> str:
    return " · ".join(filter(None, [row.modes, *row.notes]))


def _print_within(out: Console, rows: Sequence[views.Row]) -> None:
    if any(row.within for row in rows):
        out.print(text("† interval within one process", SOFT))


def _is_number(shown: views.Table, name: str) -> bool:
    values = [row.measured.case.parameters.get(name) for row in shown.rows]
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
