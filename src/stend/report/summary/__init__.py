"""The summary of a run, as plain data.

A verdict on the run, a card of the machine, what stands out, what can't be trusted and why.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stend.record import Run
from stend.report import views
from stend.report.measured_case import limits
from stend.report.summary.doubts import Doubt, doubts
from stend.report.summary.figures import Figures, Finding
from stend.report.summary.machine_card import MachineCard, machine_card
from stend.report.summary.rules import findings
from stend.report.summary.verdict import Verdict, verdict

__all__ = ["Doubt", "Finding", "MachineCard", "Summary", "Verdict", "summary"]


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands first of a run."""

    verdict: Verdict
    card: MachineCard
    findings: tuple[Finding, ...]
    doubts: tuple[Doubt, ...]


def summary(run: Run, tables: Sequence[views.Table]) -> Summary:
    """The summary of a run whose tables of figures are made already."""
    measured = tuple(row.measured for table in tables for row in table.rows)
    figures = Figures(run, measured, limits(run.machine, measured))
    return Summary(
        verdict(figures),
        machine_card(figures),
        findings(figures),
        doubts(figures, views.missing(run, tables)),
    )
