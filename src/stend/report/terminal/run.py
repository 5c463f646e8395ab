"""Tables of storage: the workloads of a run, and two systems side by side."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.padding import Padding
from rich.text import Text

from stend.comparing import Verdict, estimate
from stend.record import HARMLESS, CaseRecord, Run, Status
from stend.record.text import printable
from stend.report import facts, views
from stend.report.card import card
from stend.report.charts.heat import listing
from stend.report.matrices import matrices
from stend.report.measured_case import limits
from stend.report.quantities import figure
from stend.report.speedup import speedups
from stend.report.summary import Summary, summary
from stend.report.summary.figures import over_processes
from stend.report.terminal.console import (
    BAD,
    GAP,
    GOOD,
    SOFT,
    Console,
    Line,
    broken_at_dots,
    print_advice,
    print_grid,
    print_listing,
    text,
)
from stend.report.terminal.tables import LETTERS, print_tables
from stend.report.workloads import Cell, Systems, Workload, Workloads, is_storage, workloads

_STYLES = {Verdict.FASTER: GOOD, Verdict.SLOWER: BAD}
_HEADS = ("storage", "in flight")
"""Of the columns that every part of a table begins with."""
_SHORT = {"mean latency": "mean", "p50 latency": "p50", "p99 latency": "p99",
          "p99.9 latency": "p99.9"}  # fmt: skip


def print_workloads(out: Console, found: Workloads) -> None:
    """A line a workload; one that is not ok says why, and figures that don't count are grey."""
    short = [_SHORT.get(name, name) for name in found.columns]
    heads = [*_HEADS, *short, "rounds", "state"]
    lines = [_line(row) for row in found.rows]
    out.print()
    parts = list(_parts(heads, [line.cells for line in lines], out.width))
    for i, columns in enumerate(parts):
        last = i == len(parts) - 1
        print_grid(
            out,
            [heads[c] for c in columns],
            [Line(tuple(line.cells[c] for c in columns), line.note * last) for line in lines],
            [at for at, c in enumerate(columns) if 2 <= c < len(heads) - 1],
        )
    said = "In flight: depth × jobs."
    if "mean latency" in found.columns:
        said += " From mean to p99.9: latency, from submission to completion."
    if "CPU" in found.columns:
        said += " CPU: of the system under load."
    if any(not row.counts for row in found.rows):
        said += (
            " Grey figures are of workloads that failed or were interrupted; they are not results."
        )
    out.print(text(said, SOFT))


def _line(row: Workload) -> Line:
    style = "" if row.counts else SOFT
    good = row.state == "ok"
    figures = (text(cell, style) for cell in (row.name, row.under_way, *row.cells, str(row.rounds)))
    note = "" if good or not row.reasons else f"{row.state}: {' '.join(row.reasons)}"
    return Line((*figures, text(row.state, "" if good else BAD)), note)


def print_systems(out: Console, found: Systems) -> None:
    """Both values of each figure, and below them the change in sign and word."""
    heads = [*_HEADS, *found.columns]
    rows = [(text(row.name), text(row.under_way), *(map(_cell, row.cells))) for row in found.rows]
    out.print(text("\nA → B", "bold"))
    for columns in _parts(heads, rows, out.width):
        lines = [Line(tuple(row[c] for c in columns)) for row in rows]
        print_grid(out, [heads[c] for c in columns], lines)
    out.print(text("▲ B is better, ▼ B is worse, = the same, ? cannot tell: the difference lies "
                   "within the spread of the repeats, or see why above.", SOFT))  # fmt: skip


def _cell(cell: Cell | None) -> Text:
    if cell is None:
        return text("–", SOFT)
    style = _STYLES.get(cell.judgement.verdict, SOFT)
    return Text.assemble(text(cell.values + "\n"), text(cell.said, style))


def _parts(heads: Sequence[str], rows: Sequence[Sequence[Text]], most: int) -> Iterator[list[int]]:
    """Which columns stand beside one another; the first two are in every part."""
    widths = [
        max(cell_len(head), *(cell_len(line) for row in rows for line in row[i].plain.split("\n")))
        for i, head in enumerate(heads)
    ]
    fixed = sum(widths[:2]) + GAP
    part: list[int] = []
    for i in range(2, len(heads)):
        taken = fixed + sum(widths[c] + GAP for c in part)
        if part and taken + GAP + widths[i] > most:
            yield [0, 1, *part]
            part = []
        part.append(i)
    yield [0, 1, *part]


_MOST_ROWS = 24
"""Of a table that is not of the figures themselves."""
_FORMS = (
    (" ± ", "± (its wider side)"),
    (" to ", "(… to …)"),
    ("÷", "(÷…×…, so many times less and more)"),
)
"""What tells that an interval stands in a form, and the form in words."""


def case_line(case: CaseRecord) -> str:
    """How a case ended, in one line: `stream.triad threads=2 [plain]  23.41 ± 0.05 GB/s`."""
    name = printable(f"{case.side} {case.name}".lstrip())
    found = estimate(case) if case.has_figure else None
    if found is None:
        return f"{name}  {case.status}{': ' + printable(case.reason) if case.reason else ''}"
    shown = ", ".join(filter(None, [figure(found.value, found.unit, found.ends),
                                    views.modes(found)]))  # fmt: skip
    ended = [] if case.status is Status.MEASURED else [case.status.value]
    cautions = ", ".join([*ended, *case.cautions])
    return f"{name}  {shown}" + (f"  ({cautions})" if cautions else "")


def print_run(run: Run, console: Console | None = None) -> None:
    """Figures by benchmark, what has none, cautions, conditions, and last all of it in short."""
    out = console or Console()
    _print_head(out, run)
    shown = views.tables(run, "")
    print_tables(out, [t for t in shown if not is_storage(t.rows[0].measured.case)])
    found = workloads(run.cases)
    if found:
        print_workloads(out, found)
    _print_card(out, run, shown)
    _print_matrices(out, run, shown)
    if forms := _forms(row for table in shown for row in table.rows):
        rounds = ", of storage over rounds" if found else ""
        out.print(text(f"\n{forms}: 95% interval over processes{rounds}", SOFT))
    _print_missing(out, views.missing(run, shown))
    _print_cautions(out, shown)
    print_advice(out, "Conditions", [
        (f"{c.disturbance.said} ({c.when})", c.disturbance.advice) for c in views.conditions(run)
    ])  # fmt: skip
    _print_summary(out, summary(run, shown))
    if more := views.installable(views.skips(run)):
        out.print(text(f"\n{more}", SOFT))


def _forms(rows: Iterable[views.Row]) -> str:
    """In which of the forms the intervals over processes stand."""
    shown = [row.shown for row in rows if over_processes(row.measured)]
    said = [said for mark, said in _FORMS if any(mark in one for one in shown)]
    return views.enumerated(said) if said else ""


def _print_summary(out: Console, found: Summary) -> None:
    """The verdict, and what stands out, most important first."""
    out.print(text("\nIn short", "bold"))
    word, _, rest = found.verdict.said.partition(":")
    style = GOOD if found.verdict.good else BAD
    out.print(Padding(Text.assemble(text(word, style), text(f":{rest}")), (0, 0, 0, 2)))
    for finding in found.findings:
        out.print(Padding(text(f"· {finding.said}"), (0, 0, 0, 2)))


def _print_head(out: Console, run: Run) -> None:
    name = f"{run.label}  " if run.label else ""
    out.print(Text.assemble(text(name, "bold"), text(run.id[:12], SOFT if name else "bold")))
    out.print(broken_at_dots(facts.headline(run.machine), out.width))
    ended = f"ended {run.finished}" if run.finished else "not finished"
    out.print(text(facts.command(run.command), SOFT))
    out.print(text(f"begun {run.started}, {ended}", SOFT))


def _print_card(out: Console, run: Run, shown: Sequence[views.Table]) -> None:
    """The processor card and the speed-ups, where the run has what they are made of."""
    measured = [row.measured for table in shown for row in table.rows]
    bounds = limits(run.machine, measured)
    if found := card(measured, bounds):
        for listing in found.tables:
            print_listing(out, listing)
        for note in found.notes:
            out.print(text(note))
        missing = ", ".join(f"{what} ({command})" for what, command in found.missing)
        if missing:
            out.print(text(f"Not measured: {missing}", SOFT))
    faster = speedups(measured)
    if faster and len(faster.rows) <= _MOST_ROWS:
        print_listing(out, faster)
    elif faster:
        out.print(text(f"\nThe speed-ups of {len(faster.rows)} cases over their threads are in "
                       "`stend report`.", SOFT))  # fmt: skip


def _print_matrices(out: Console, run: Run, shown: Sequence[views.Table]) -> None:
    """Pairs of cores, nodes and hosts, where they are more than one and few enough to read."""
    measured = [row.measured for table in shown for row in table.rows]
    for matrix in matrices(measured, run.machine):
        if 1 < len(matrix.columns) <= _MOST_ROWS:
            print_listing(out, listing(matrix), right=True)
        elif len(matrix.columns) > _MOST_ROWS:
            out.print(text(f"\nThe {matrix.title} of {len(matrix.columns)} is in `stend report`.",
                           SOFT))  # fmt: skip


def _print_missing(out: Console, missing: Sequence[views.Missing]) -> None:
    if not missing:
        return
    out.print(text("\nWithout a figure", "bold"))
    for m in missing:
        style = SOFT if Status(m.status) in HARMLESS else BAD
        line = Text.assemble(text(f"{m.what}: "), text(m.status, style), text(f". {m.reason}"))
        out.print(Padding(line, (0, 0, 0, 2)))


def _print_cautions(out: Console, shown: Sequence[views.Table]) -> None:
    """What the letters in the tables stand for."""
    found = views.cautions(shown)
    if not found:
        return
    out.print(text("\nCautions", "bold"))
    for caution, names in found:
        count = f", {len(names)} case{'s' * (len(names) != 1)}"
        out.print(Text.assemble("  ", text(LETTERS[caution], BAD), text(f"  {caution}"),
                                text(count, SOFT)))  # fmt: skip
        out.print(Padding(text(f"→ {caution.advice}", SOFT), (0, 0, 0, 5)))
