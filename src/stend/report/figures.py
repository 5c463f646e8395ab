"""Runs, comparisons and fleets as JSON for other programs: figures, intervals, no samples."""

from collections.abc import Sequence

import msgspec

from stend.comparing import Comparison, Estimate, Fleet, estimate, views
from stend.record import CaseRecord, Metric, Record, Run, Scalar
from stend.report.summary import summary
from stend.report.views import tables

BEGINNING, BEGINNING_OF_LIST = b'{\n  "a": {', b'[\n  {\n    "a": {'
"""How a comparison begins, and a list of several."""


class Figure(Record, frozen=True, kw_only=True):
    """One case without its samples, or one of its further metrics."""

    name: str
    benchmark: str
    parameters: dict[str, Scalar]
    variant: str | None
    side: str
    metric: Metric
    status: str
    reason: str
    estimate: Estimate | None
    cautions: tuple[str, ...]


class Figures(Record, frozen=True, kw_only=True):
    """One run without its samples."""

    id: str
    label: str
    started: str
    finished: str | None
    stend: str
    size: str
    command: tuple[str, ...]
    host: str | None
    verdict: str
    """A sentence: whether the run was quiet enough to believe its figures."""
    stands_out: tuple[str, ...]
    """Sentences, the most important first."""
    cases: tuple[Figure, ...]


def figure(case: CaseRecord) -> Figure:
    """A case's figure."""
    return Figure(
        name=case.name,
        benchmark=case.benchmark,
        parameters=case.parameters,
        variant=case.variant,
        side=case.side,
        metric=case.metric,
        status=case.status,
        reason=case.reason,
        estimate=estimate(case),
        cautions=case.cautions,
    )


def figures(run: Run) -> Figures:
    """All figures of a run; `stend export` writes the whole record with its samples."""
    found = summary(run, tables(run, ""))
    return Figures(
        id=run.id,
        label=run.label,
        started=run.started,
        finished=run.finished,
        stend=run.stend,
        size=run.size,
        command=run.command,
        host=run.machine.host,
        verdict=found.verdict.said,
        stands_out=tuple(finding.said for finding in found.findings),
        cases=tuple(figure(view) for case in run.cases for view in views(case)),
    )


def to_json(run: Run) -> str:
    """The same as text for a program to read."""
    return _text(figures(run))


def comparisons_to_json(comparisons: Sequence[Comparison]) -> str:
    """All verdicts with their grounds: one comparison as it is, several as a list."""
    return _text(comparisons[0] if len(comparisons) == 1 else tuple(comparisons))


class Outliers(Record, frozen=True, kw_only=True):
    """A fleet, and the sentences."""

    said: tuple[str, ...]
    fleet: Fleet


def fleet_to_json(fleet: Fleet) -> str:
    """Who stands apart, in sentences and with their grounds."""
    return _text(Outliers(said=tuple(one.said for one in fleet.apart), fleet=fleet))


def _text(record: Record | tuple[Record, ...]) -> str:
    return msgspec.json.format(msgspec.json.encode(record)).decode()
