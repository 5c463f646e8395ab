"""A run → all that the page shows of it, in the order of the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from stend.comparing import is_published
from stend.record import Run
from stend.report import views
from stend.report.card import Card, card
from stend.report.charts.chart import Chart, Listing
from stend.report.charts.roofline import roofline
from stend.report.charts.watched import watched
from stend.report.families import Part, parts
from stend.report.literature import Family, Printed, beside, printed
from stend.report.measured import limits
from stend.report.speedup import speedups
from stend.report.summary import Summary, summary
from stend.report.workloads import Workloads, workloads


@dataclass(frozen=True, slots=True)
class Section:
    """One run in the page."""

    id: str
    name: str
    """What tells its run from the others of the page; empty where there is no other."""
    run: Run
    tables: tuple[views.Table, ...]
    summary: Summary
    published: Printed | None
    """Of a published run its figures: nothing else is shown."""
    card: Card | None
    roofline: Chart | None
    speedups: Listing | None
    parts: tuple[Part, ...]
    """Its families."""
    workloads: Workloads | None
    literature: tuple[Family, ...]
    """The literature's tables with this machine's row in them."""
    watched: Chart | None

    @property
    def charts(self) -> Iterator[tuple[str, Chart]]:
        """Every chart with its id in the page."""
        for part in self.parts:
            yield from part.charts
        for name, chart in (("roofline", self.roofline), ("watched", self.watched)):
            if chart:
                yield f"{self.id}-{name}", chart

    @property
    def contents(self) -> Iterator[tuple[str, str]]:
        """Each part of the page about this run: its id and its name."""
        if self.published:
            yield self.id, "Published figures"
            return
        yield self.id, "Summary"
        if self.card:
            yield f"{self.id}-card", "Processor card"
        if self.roofline or self.speedups:
            yield f"{self.id}-limits", "Limits and threads"
        for part in self.parts:
            yield part.id, part.title
        if self.literature:
            yield f"{self.id}-literature", "Beside the literature"
        yield f"{self.id}-conditions", "Conditions"
        yield f"{self.id}-machine", "Machine"
        yield f"{self.id}-again", "Reproduce"


def section(place: int, run: Run, name: str = "") -> Section:
    """The part of the page about the run that is the `place`-th of it, called `name`."""
    id = f"run-{place}"
    tables = views.tables(run, f"{id}-")
    measured = [row.measured for table in tables for row in table.rows]
    bounds = limits(run.machine, measured)
    return Section(
        id=id,
        name=name,
        run=run,
        tables=tables,
        summary=summary(run, tables),
        published=printed(run) if is_published(run) else None,
        card=card(measured, bounds),
        roofline=roofline(measured, bounds),
        speedups=speedups(measured),
        parts=parts(run.cases, tables, bounds, f"{id}-"),
        workloads=workloads(run.cases),
        literature=beside(measured, run.machine),
        watched=watched(run),
    )
