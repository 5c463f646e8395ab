"""The literature's figures: as tables of their own, as runs, and with a machine's row in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stend.record import Machine
from stend.report.charts.chart import Listing
from stend.report.literature import fft, gost, linpack, storage, threads, tomo, unet
from stend.report.literature.run_lines import Line, Printed, Summary, printed, summary
from stend.report.literature.table import Row, Subject, Table
from stend.report.measured_case import Measured

__all__ = [
    "SUBJECTS",
    "Line",
    "Printed",
    "Row",
    "Subject",
    "SubjectTables",
    "Summary",
    "Table",
    "listing",
    "printed",
    "summary",
    "with_published",
]

SUBJECTS: Mapping[str, Subject] = {
    room.SUBJECT.family: room.SUBJECT for room in (gost, tomo, unet, threads, linpack, fft, storage)
}
"""By family, in the order that they are shown in."""


@dataclass(frozen=True, slots=True)
class SubjectTables:
    """The tables of one subject."""

    name: str
    tables: tuple[Table, ...]


def listing(subject: Subject) -> Listing:
    """All published figures of a subject, in the order of the source, which the caption cites."""
    figures = subject.figures()
    return Listing(
        f"{subject.family}: {'; '.join(dict.fromkeys(f.cited for f in figures))}",
        subject.columns,
        tuple(map(subject.cells, figures)),
    )


def with_published(measured: Sequence[Measured], machine: Machine) -> tuple[SubjectTables, ...]:
    """The subjects that the run measured something of; figures that are not above 0 are left out.

    With --versus, both sides are looked at: the better one is this machine's.
    """
    here = f"this machine ({machine.cpu_model})" if machine.cpu_model else "this machine"
    usable = [m for m in measured if 0 < m.estimate.value < float("inf")]
    found = (
        SubjectTables(subject.title, tuple(subject.tables(usable, here)))
        for subject in SUBJECTS.values()
    )
    return tuple(subject for subject in found if subject.tables)
