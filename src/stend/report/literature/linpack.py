"""The literature's tables of LINPACK at n=100 and n=1000, with this machine."""

from collections.abc import Sequence

from stend.comparing.publications import EquationsFigure, equations, in_full
from stend.report.literature.table import (
    NOTHING,
    Row,
    Subject,
    Table,
    best,
    cited,
    has,
    ranked,
    times,
)
from stend.report.measured_case import Measured

_SAYS = (
    "MFLOPS of 2n³/3 + 2n² operations in double precision on one thread; 1 MFLOPS is 10⁶ a "
    "second. The source gives what its runs spread over, which is not a confidence interval. "
    "{what}The fastest first. {cited}."
)


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """For each order that the run measured: plain code at n=100, a library at n=1000."""
    plain = best([m for m in measured if _is(m, "linpack.plain") and has(m, n=100, lda="2n+1")])
    lu = best([m for m in measured if _is(m, "linpack.lu") and has(m, n=1000, threads=1)])
    found = []
    if plain:
        what = "Both are plain code with a leading dimension of 201. "
        found.append(_table("LINPACK, n=100", 100, plain, what, here))
    if lu:
        what = "Here the fastest of the measured libraries; the source used ATLAS. "
        found.append(_table("LINPACK, n=1000", 1000, lu, what, here))
    return found


def _is(m: Measured, benchmark: str) -> bool:
    return m.case.benchmark == benchmark


def _table(title: str, n: int, own: Measured, what: str, here: str) -> Table:
    published = [f for f in equations() if f.n == n]
    rows = [(-(f.low + f.high) / 2, _row(f)) for f in published]
    mine = Row((here, own.variant, NOTHING, times(own, 1e-6)), here=True)
    return Table(
        title=title,
        says=_SAYS.format(what=what, cited=cited(published)),
        columns=("machine", "code", "system", "MFLOPS"),
        rows=ranked([*rows, (-own.estimate.value, mine)]),
    )


def _row(f: EquationsFigure) -> Row:
    return Row((in_full(f.machine), f.variant, f.condition, f"{f.low / 1e6:g} to {f.high / 1e6:g}"))


def _cells(f: EquationsFigure) -> tuple[str, ...]:
    spread = f"{f.low / 1e6:g}–{f.high / 1e6:g}"
    return str(f.n), f.variant, in_full(f.machine), f.condition, spread


SUBJECT = Subject(
    family="linpack",
    title="LINPACK",
    figures=equations,
    columns=("n", "variant", "machine", "condition", "MFLOPS"),
    cells=_cells,
    tables=tables,
)
