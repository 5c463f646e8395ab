"""Storage → what it reaches, how its latencies spread, its curves, each workload over time."""

from collections.abc import Sequence

from stend.record import CaseRecord
from stend.report.charts import load_course, load_curves, load_nines, load_published
from stend.report.charts.chart import Chart
from stend.report.measured import Limits, Measured
from stend.report.workloads import is_storage, was_loaded


def takes(m: Measured) -> bool:
    """Whether it is a workload of storage."""
    return is_storage(m.case)


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """All charts of storage; what was loaded in part is a point of a curve and has no course."""
    courses = (load_course.draw(m.case) for m in members if "load" not in m.case.parameters)
    found = [
        load_published.draw(members),
        load_nines.draw(members),
        *load_curves.draw(members),
        *courses,
    ]
    return [chart for chart in found if chart is not None]


def ended_badly(cases: Sequence[CaseRecord]) -> list[Chart]:
    """The course of each workload that has no result: it shows when what went wrong."""
    found = (load_course.draw(c) for c in cases if was_loaded(c) and not c.has_figure)
    return [chart for chart in found if chart is not None]
