"""The figures of a published run as lines, with their sources."""

from dataclasses import dataclass

from stend.comparing.publications import year
from stend.record import CaseRecord, Published, Run
from stend.report.quantities import figure, parameter


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
