"""A case with further metrics → a case for each of its figures, and the pairs of two such cases.

Each figure is an ordinary case, so that estimates, verdicts, Holm's correction and outliers take
it as they take any other.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from stend.columns import Numbers
from stend.record import CaseRecord, Sample

FIGURE = "figure"
"""The parameter that tells the figures of one case apart; its main figure goes without."""


def views(case: CaseRecord) -> tuple[CaseRecord, ...]:
    """The case itself, then one for each further metric, whose values are that column of `also`.

    A case without a figure of its own stays one: why it has none is said once. A sample that lacks
    the column has no values there.
    """
    return figures(case) if case.has_figure else (case,)


def figures(case: CaseRecord) -> tuple[CaseRecord, ...]:
    """`views`, whether they count or not: what a failed case did can be shown as such."""
    return (case, *(_view(case, column) for column in case.further))


def paired_views(a: CaseRecord, b: CaseRecord) -> Iterator[tuple[CaseRecord, CaseRecord]]:
    """The figures of two cases that are set side by side: those that both have.

    The main figures are paired whatever they are, so that it is said where they don't compare.
    """
    yield a, b
    if a.has_figure and b.has_figure:
        yield from ((_view(a, x), _view(b, x)) for x in a.further if x in b.further)


def _view(case: CaseRecord, column: str) -> CaseRecord:
    return replace(
        case,
        parameters=case.parameters | {FIGURE: figure_of(column)},
        metric=case.further[column],
        further={},
        samples=tuple(_sample(sample, column) for sample in case.samples),
    )


def figure_of(column: str) -> str:
    """`p99` of the column "p99 s": without its unit."""
    return column.rpartition(" ")[0] or column


def _sample(sample: Sample, column: str) -> Sample:
    """The stop is of the main figure, so that the mean of an accepted round is not of this one."""
    lacking = Numbers([float("nan")] * len(sample.ticks))
    return replace(
        sample,
        values=sample.also.get(column, lacking),
        also={},
        stop=replace(sample.stop, mean=None),
    )
