"""Comparisons with published runs: which cases meet, and the ratio of each.

Nothing is judged: a single printed number has no interval, so that of no difference from it can be
told how much would stay if it were measured again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from stend.comparing.comparability import unmet
from stend.comparing.estimate import Estimate, estimate
from stend.comparing.judgement import Comparison, Judgement, Side, Verdict
from stend.comparing.metrics import views
from stend.comparing.sides import Runs, side_of, together
from stend.errors import UsageError
from stend.record import CaseRecord, Metric, Run, Scalar
from stend.storage.fio.workload import alters

_STORAGE = "storage"
_SPELT = {"seconds": "s", "second": "s"}
"""Units that are the same under another name."""


class _Figure(NamedTuple):
    """One figure of a side; of several runs that measured it, theirs together."""

    case: CaseRecord
    estimate: Estimate
    runs: int


class _Met(NamedTuple):
    """A figure of A and one of B that did the same as far as a published one tells."""

    a: _Figure
    b: _Figure


def is_published(run: Run) -> bool:
    """Whether it is what the literature gives of a machine, and nothing in it was measured."""
    published = any(case.published for case in run.cases)
    return published and not any(case.has_figure for case in run.cases)


def compare_published(a: Runs, b: Runs, *, confidence: float, smallest: float) -> Comparison:
    """Set the figures of A and B side by side, one of them or both being published.

    A published case meets the cases of its benchmark that agree in all the parameters it tells
    (of depth and jobs in their product, the requests outstanding), and of these the best of the
    largest size: variants, and values of what it doesn't tell, are many, and what fits into a
    cache would mislead. A load of storage that something else changes, such as a limit, meets none.
    The ratio has no interval, not even the one that the measured side alone would give it: whoever
    read that would take the published number for exact. Cases that meet none are only in their run;
    one that agrees with a published case but is not the best is not told of.

    Raises:
        UsageError: a side has a published run and others.
    """
    of_a, of_b = _figures(a, "A"), _figures(b, "B")
    met = _meetings(of_a, of_b)
    return Comparison(
        a=_side(a),
        b=_side(b),
        confidence=confidence,
        smallest=smallest,
        rows=(
            *map(_row, met),
            *(_unpaired(figure, Verdict.ONLY_A) for figure in _unmet(of_a, of_b)),
            *(_unpaired(figure, Verdict.ONLY_B) for figure in _unmet(of_b, of_a)),
        ),
        unmet=unmet(
            (figure.case for figure in of_a),
            (figure.case for figure in of_b),
            {one.a.case.benchmark for one in met},
        ),
    )


def _figures(runs: Runs, name: str) -> list[_Figure]:
    """Every figure that counts, those of a storage case apart."""
    if len(runs) > 1 and any(map(is_published, runs)):
        raise UsageError(
            f"{name} mixes a published run with others; a published run must be a side by itself."
        )
    found: dict[tuple[str, str], list[CaseRecord]] = {}
    for case in (case for run in runs for case in run.cases if case.published or case.has_figure):
        for view in views(case):
            found.setdefault((view.key, view.side), []).append(view)
    figures = []
    for cases in found.values():
        estimates = [one for case in cases if (one := estimate(case))]
        whole = together(estimates)
        figures += [_Figure(cases[0], whole, len(estimates))] if whole else []
    return figures


def _meetings(of_a: Sequence[_Figure], of_b: Sequence[_Figure]) -> list[_Met]:
    """Each published figure with the best of the other side; of two such sides, each of A's."""
    if any(figure.case.published for figure in of_a):
        pairs = [(figure, _best_for(figure, of_b)) for figure in of_a]
        return [_Met(figure, other) for figure, other in pairs if other]
    pairs = [(figure, _best_for(figure, of_a)) for figure in of_b]
    return [_Met(other, figure) for figure, other in pairs if other]


def _best_for(figure: _Figure, others: Sequence[_Figure]) -> _Figure | None:
    """The best of the largest that agree; of published ones rather one of the same variant."""
    sign = 1 if figure.case.metric.better == "higher" else -1

    def rank(other: _Figure) -> tuple[bool, float, float]:
        parameters = other.case.parameters
        size = parameters.get("size", parameters.get("slices"))
        same = bool(other.case.published) and other.case.variant == figure.case.variant
        return same, size if isinstance(size, int) else 0, sign * other.estimate.value

    return max((o for o in others if _agree(figure.case, o.case)), key=rank, default=None)


def _unmet(own: Sequence[_Figure], others: Sequence[_Figure]) -> list[_Figure]:
    """Those that agree with nothing of the other side."""
    return [f for f in own if not any(_agree(f.case, other.case) for other in others)]


def _agree(one: CaseRecord, other: CaseRecord) -> bool:
    """Whether they are of one benchmark and metric, and the same in all that both tell.

    A measured case tells everything: one that lacks what a published one tells did other work.
    """
    if one.benchmark != other.benchmark or _kind(one.metric) != _kind(other.metric):
        return False
    if any(case.family == _STORAGE and alters(case.parameters) for case in (one, other)):
        return False
    of_one, of_other = _values(one), _values(other)
    if not other.published and of_one.keys() - of_other.keys():
        return False
    if not one.published and of_other.keys() - of_one.keys():
        return False
    return all(of_one[name] == of_other[name] for name in of_one.keys() & of_other.keys())


def _values(case: CaseRecord) -> dict[str, Scalar]:
    """The parameters, with depth and jobs as what they make together."""
    values = dict(case.parameters)
    depth, jobs = values.get("depth"), values.get("jobs")
    if type(depth) is int and type(jobs) is int:
        del values["depth"], values["jobs"]
        values["outstanding"] = depth * jobs
    return values


def _kind(metric: Metric) -> tuple[str, str, str]:
    return metric.name, _SPELT.get(metric.unit, metric.unit), metric.better


def _row(met: _Met) -> Judgement:
    (a, of_a, runs_a), (b, of_b, runs_b) = met
    ratio = of_b.value / of_a.value if of_a.value > 0 and of_b.value > 0 else None
    published, other = (a, b) if a.published else (b, a)
    difference = _beyond(published, other)
    return Judgement(
        name=f"{published.name}, beside {difference}" if difference else published.name,
        benchmark=published.benchmark,
        parameters=published.parameters,
        variants=(a.variant or "", b.variant or ""),
        metric=published.metric,
        verdict=Verdict.CANNOT_TELL,
        reason=_reason(a, b, ratio),
        a=of_a,
        b=of_b,
        ratio=ratio,
        method="the published figure as it is printed",
        runs=(runs_a, runs_b),
    )


def _beyond(published: CaseRecord, other: CaseRecord) -> str:
    """Which of the cases that agree with a published one it is: its further parameters, variant."""
    words = [
        f"{k}={v}"
        for k, v in other.parameters.items()
        if published.parameters.get(k) != v and v != ""
    ]
    return " ".join([*words, *([f"[{other.variant}]"] if other.variant else [])])


def _reason(a: CaseRecord, b: CaseRecord, ratio: float | None) -> str:
    if ratio is None:
        return "A figure that is 0 or less has no ratio to a published one."
    if a.published and b.published:
        return (
            f"B has about {_times(ratio)} times A's figure; both are single published numbers "
            "without an interval, so there is no verdict."
        )
    figure = a.published or b.published
    assert figure is not None
    measured, times = ("B", ratio) if a.published else ("A", 1 / ratio)
    return (
        f"{measured} has about {_times(times)} times the published figure; that is a single "
        f"number without an interval, so there is no verdict: {figure.note}."
    )


def _times(ratio: float) -> str:
    """Two digits: most published figures are printed with two or three."""
    return f"{float(f'{ratio:.2g}'):g}"


def _unpaired(figure: _Figure, verdict: Verdict) -> Judgement:
    case, found, _ = figure
    first = verdict is Verdict.ONLY_A
    here, there = ("A", "B") if first else ("B", "A")
    return Judgement(
        name=case.name,
        benchmark=case.benchmark,
        parameters=case.parameters,
        variants=(case.variant or "", "") if first else ("", case.variant or ""),
        metric=case.metric,
        verdict=verdict,
        reason=f"It is only in {here}: {there} has no figure of this, as far as the published "
        "description shows.",
        a=found if first else None,
        b=None if first else found,
    )


def _side(runs: Runs) -> Side:
    return replace(side_of(runs), published=is_published(runs[0]))
