"""The literature's table of Fourier transforms of one size, with this machine."""

from collections.abc import Sequence

from stend.comparing.limits import seconds_of
from stend.comparing.publications import TransformFigure, in_full, transforms
from stend.report.literature.table import Row, Subject, Table, cited, has, ranked
from stend.report.measured_case import Measured
from stend.report.quantities import Scale, number

_MILLISECONDS = Scale(1e3, "ms")
_PUBLISHED = "elbrus-8cb"
"""The machine of all published times."""


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """One table, a row for each library that the run measured at the published size."""
    own = [
        (seconds, m)
        for m in measured
        if m.case.benchmark == "fft.complex2d" and has(m, rows=512, columns=512)
        if (seconds := seconds_of(m))
    ]
    if not own:
        return []
    rows = [
        (f.seconds, Row((in_full(_PUBLISHED), f.library, f"{f.seconds * 1e3:g}")))
        for f in transforms()
    ]
    rows += [
        (seconds, Row((here, m.variant, number(seconds, _MILLISECONDS, _ends(m, seconds))), True))
        for seconds, m in own
    ]
    return [
        Table(
            title="Complex Fourier transform of 512×512",
            says="Milliseconds. This machine's are in double precision on one thread; the "
            "source states neither, and gives single numbers without an interval. The "
            f"fastest first. {cited(transforms())}.",
            columns=("machine", "library", "ms"),
            rows=ranked(rows),
        )
    ]


def _ends(m: Measured, seconds: float) -> tuple[float, float] | None:
    """The interval of the rate as one of the time: the least rate is the longest time."""
    if m.estimate.ends is None or m.estimate.ends[0] <= 0:
        return None
    work = m.estimate.value * seconds
    return work / m.estimate.ends[1], work / m.estimate.ends[0]


def _cells(f: TransformFigure) -> tuple[str, ...]:
    return f.library, f"{f.seconds * 1e3:g} ms"


SUBJECT = Subject(
    family="fft",
    title="Fourier transform",
    figures=transforms,
    columns=("512×512, complex, Elbrus-8CB", "time"),
    cells=_cells,
    tables=tables,
)
