"""The literature's figures: as tables of their own, as runs, and with a machine's row in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stend.comparing.publications import year
from stend.record import CaseRecord, Machine, Published, Run
from stend.report.charts.chart import Listing
from stend.report.literature import fft, gost, linpack, storage, threads, tomo, unet
from stend.report.literature.table import Row, Subject, Table
from stend.report.measured_case import Measured
from stend.report.quantities import figure, parameter

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


@dataclass(frozen=True, slots=True)
class Line:
    """One published figure."""

    benchmark: str
    where: str
    """Its parameters in words."""
    variant: str
    shown: str
    note: str
    source: str


@dataclass(frozen=True, slots=True)
class Printed:
    """The figures of a published run."""

    lines: tuple[Line, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What there is of one published machine."""

    name: str
    id: str
    processor: str | None
    architecture: str | None
    year: int | None
    """When the processor came out."""
    figures: dict[str, int]
    """Family → how many."""
    sources: tuple[str, ...]


def summary(run: Run) -> Summary:
    """A published run in one line."""
    name = run.label.partition(":")[2]
    families = [case.family for case in run.cases]
    return Summary(
        name=name,
        id=run.id,
        processor=run.machine.cpu_model,
        architecture=run.machine.architecture,
        year=year(name),
        figures={family: families.count(family) for family in dict.fromkeys(families)},
        sources=printed(run).sources,
    )


def printed(run: Run) -> Printed:
    """What the literature gives of a machine; a run that was measured has no lines."""
    lines = tuple(_line(case, case.published) for case in run.cases if case.published)
    return Printed(lines, tuple(dict.fromkeys(line.source for line in lines)))


def _line(case: CaseRecord, f: Published) -> Line:
    return Line(
        benchmark=case.benchmark,
        where=" · ".join(f"{n} {parameter(n, v)}" for n, v in case.parameters.items()),
        variant=case.variant or "",
        shown=_shown(f, case.metric.unit),
        note=f.note,
        source=f.source,
    )


def _shown(f: Published, unit: str) -> str:
    """The figure; with the ends of what the source's runs spread over, where it gives them."""
    value = figure(f.value, unit)
    if f.low is None or f.high is None:
        return value
    return f"{value} ({figure(f.low, unit)} to {figure(f.high, unit)})"
