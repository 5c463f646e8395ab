"""Everything that the page shows of a run, in the order of the page."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from msgspec.structs import replace

from stend.comparing import Comparison, Medians, compare, has_sides, is_published
from stend.errors import UnknownName, UsageError
from stend.record import Conditions, Run
from stend.record.files import write_whole
from stend.report import facts, views
from stend.report.card import Card, card
from stend.report.charts.chart import Chart, Listing
from stend.report.charts.roofline import roofline
from stend.report.charts.watch import watched
from stend.report.comparison_page import OF_COMPARISONS, sections_of
from stend.report.distribution import distribution
from stend.report.frame import Data, Frame, drawing, in_script, render
from stend.report.frame import live as live_frame
from stend.report.literature import Printed, SubjectTables, printed, with_published
from stend.report.measured_case import limits
from stend.report.speedup import speedups
from stend.report.summary import Summary, summary
from stend.report.views import Part, parts
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
    literature: tuple[SubjectTables, ...]
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
            yield f"{self.id}-literature", "Comparison with the literature"
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
        literature=with_published(measured, run.machine),
        watched=watched(run),
    )


@dataclass(frozen=True, slots=True)
class Live:
    """How far a run is that is being measured."""

    measured: int
    planned: int
    left_out: int
    left: str
    """About how long it still takes."""
    written: str
    """When, ISO 8601."""
    every: float = 20.0
    """Seconds after which the page loads what was written since."""
    silent: float = 900.0
    """Seconds after which the run is taken for one that was killed, and the page stays as it is."""


BEGINNING = b"<!doctype html>"

POINTS = 100_000
"""Points of all time courses together: about 1 MB of the file."""
DISTRIBUTIONS = 3_000_000
"""Bytes of all distributions together: of 200 cases all with room to spare, of very many those of
the first 700 or so."""
_POINTS_OF_A_CASE = (300, 4000)
_MANY = 24
"""Figures from which on a page folds them, and what else is a detail."""

LIBRARY: Data = OF_COMPARISONS | {"facts": facts, "views": views}
"""What the templates call."""


def write(
    runs: Sequence[Run],
    path: Path,
    history: Iterable[Run | Medians] = (),
    live: Live | None = None,
) -> None:
    """Write the page; a file of that name is replaced only when the new one is complete."""
    if not runs:
        raise UsageError("a report needs at least one run; name one, see `stend runs`.")
    text = live_page(runs[0], live) if live else page(runs, history)
    write_whole(path, text.encode(errors="replace"), BEGINNING)


def page(
    runs: Sequence[Run], history: Iterable[Run | Medians] = (), frame: Frame | None = None
) -> str:
    """The whole page as text: a file, or in a site's frame."""
    called = facts.run_names(runs)
    several = len(runs) > 1
    sections = [
        section(i, run, name if several else "")
        for i, (run, name) in enumerate(zip(runs, called, strict=True))
    ]
    comparisons = sections_of(_comparisons(runs, history))
    charts = [pair for one in sections for pair in one.charts]
    charts += [pair for compared in comparisons for pair in compared.charts]
    rows = [(one.run, row) for one in sections for t in one.tables for row in t.rows]
    address = frame.distribution if frame else None
    if address:
        distributions = {}
        distributed = {row.id: address(run.id, row.measured.index) for run, row in rows}
    else:
        distributions = _distributions(rows)
        distributed = dict.fromkeys(distributions, "")
    return render(
        "report.html",
        facts.joined(called),
        charts,
        LIBRARY
        | {
            "sections": sections,
            "compared": comparisons,
            "distributions": distributions,
            "distributed": distributed,
            "left_out": len(rows) - len(distributed),
            "many": len(rows) > _MANY,
            "live": None,
        },
        frame,
    )


def live_page(run: Run, live: Live) -> str:
    """The page of a run that is being measured: its card and figures, without charts.

    So it takes a fraction of the time to make and to load, next to what is measured.
    """
    whole = section(0, run)
    parts = tuple(dataclasses.replace(part, charts=()) for part in whole.parts)
    shown = dataclasses.replace(
        whole, parts=parts, roofline=None, watched=None, literature=(), workloads=None
    )
    values: Data = {"sections": [shown], "compared": [], "distributions": {}, "distributed": {}}
    values |= {"left_out": 0, "many": False, "live": live}
    return render("report.html", facts.run_names([run])[0], [], LIBRARY | values, live_frame())


def distribution_of(run: Run, place: int) -> Data:
    """A case's repetitions, as the page's script shows them.

    Raises:
        UnknownName: the run has no such case, or no figure of it.
    """
    cases = run.cases[place : place + 1] if place >= 0 else ()
    for table in views.tables(replace(run, cases=cases), ""):
        return _case(table.rows[0], run.conditions, _POINTS_OF_A_CASE[1])
    raise UnknownName(f"Run {run.id[:8]} has no figure of a case {place}.")


def _comparisons(runs: Sequence[Run], history: Iterable[Run | Medians]) -> list[Comparison]:
    within = [compare(run, run) for run in runs if has_sides(run)]
    return within + [compare(runs[0], other, history=history) for other in runs[1:]]


def _distributions(rows: Sequence[tuple[Run, views.Row]]) -> dict[str, Markup]:
    """By row's id; those with cautions first, as many as there is room for."""
    least, most = _POINTS_OF_A_CASE
    points = min(max(POINTS // max(1, len(rows)), least), most)
    room, found = DISTRIBUTIONS, {}
    for run, row in sorted(rows, key=lambda one: not one[1].cautions):
        drawn = in_script(_case(row, run.conditions, points))
        room -= len(drawn)
        if room < 0:
            break
        found[row.id] = drawn
    return found


def _case(row: views.Row, conditions: Conditions, points: int) -> Data:
    m = row.measured
    drawn = distribution(m.case, m.estimate, conditions, points)
    proofs = dict.fromkeys(s.proof.said for s in m.case.samples)
    return {
        "name": row.name,
        "facts": [
            [m.case.metric.name, row.shown],
            ["5% to 95% of the repetitions", row.spread],
            ["processes × repetitions", row.repetitions],
            ["stopped by", row.stopped],
            *([["no interval", m.estimate.why]] if m.estimate.why else []),
            *(["note", note] for note in (row.modes, *row.notes) if note),
            *([["ran", m.case.detail["about"]]] if "about" in m.case.detail else []),
            ["proof", "; ".join(proofs)],
            *([f"caution: {c}", c.advice] for c in row.cautions),
        ],
        "panels": list(map(drawing, drawn.panels)),
        "said": list(drawn.said),
    }
