"""The literature's table of U-Net inference on one core, with this machine."""

from collections.abc import Sequence

from stend.comparing.publications import InferenceFigure, in_full, inference
from stend.report.literature.table import Row, Subject, Table, best, cited, has, ranked, times
from stend.report.measured_case import Measured


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """One table, where the run measured an image of the published size on one thread."""
    own = [
        m for m in measured if m.case.benchmark == "unet.float32" and has(m, side=256, threads=1)
    ]
    chosen = best(own)
    if chosen is None:
        return []
    rows = [
        (f.seconds, Row((in_full(f.processor), f.clock, f"{f.seconds:g}"))) for f in inference()
    ]
    mine = Row((f"{here}, {chosen.variant}", "–", times(chosen, 1)), here=True)
    return [
        Table(
            title="U-Net, an image of 256×256 on one core",
            says="Seconds an image. This machine's is of the classic network in float32; "
            "the source states neither channels nor precision, and gives single "
            "numbers without an interval: for reading only. The fastest first. "
            f"{cited(inference())}.",
            columns=("processor", "GHz", "s an image"),
            rows=ranked([*rows, (chosen.estimate.value, mine)]),
        )
    ]


def _cells(f: InferenceFigure) -> tuple[str, ...]:
    return in_full(f.processor), f.clock, f"{f.seconds:g} s"


SUBJECT = Subject(
    family="unet",
    title="U-Net",
    figures=inference,
    columns=("processor", "GHz", "image of 256×256, one core"),
    cells=_cells,
    tables=tables,
)
