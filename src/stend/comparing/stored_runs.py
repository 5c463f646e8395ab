"""Judgements of stored runs of two sides, before verdicts."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from msgspec.structs import replace

from stend.comparing.comparability import pair_judgement, unpaired
from stend.comparing.core_clock import SideCases, core_clock, shift_by_clock, with_ends
from stend.comparing.estimate import Estimate
from stend.comparing.host_load import Figures, Load, brought_by_clock, follows, spans_of
from stend.comparing.judgement import Judgement
from stend.comparing.matching import Pair, pairs
from stend.comparing.metrics import paired_views, with_normalised
from stend.comparing.noise import History, Past, noise_of
from stend.comparing.sides import Found, Index, Runs, cases_of, superiority_of, together
from stend.record import CaseRecord, Run
from stend.statistics import (
    FEWEST_PROCESSES,
    Answer,
    Shift,
    between_runs,
    bounded,
    run_figure,
    student,
)


class Row(NamedTuple):
    """A judgement and what it is grounded on."""

    judgement: Judgement
    a: Figures = {}
    b: Figures = {}
    past: Past = {}
    shift: Shift | None = None
    bounded: Shift | None = None
    """The same where others' load is no noise, but bounded by what it took."""
    by_clock: Shift | None = None
    """Per clock, in how many times as good B is."""

    @property
    def explained(self) -> float:
        """What its interval leaves to the clock: `Shift.explained`."""
        return self.shift.explained if self.shift else 0.0


class Grounds(NamedTuple):
    """What every judgement rests on."""

    a: Index
    b: Index
    history: History
    brought: float
    """What the cores' frequency brought: `brought_by_clock`."""
    load: Mapping[str, Load]
    """What others had of the machine, by run."""


def stored_rows(a: Runs, b: Runs, history: History, confidence: float) -> list[Row]:
    """A judgement for each figure that both sides have; one where a side lacks the case."""
    of_a, of_b = Index(a, "A"), Index(b, "B")
    load = {run.id: Load(run) for run in (*a, *b)}
    on = Grounds(of_a, of_b, history, brought_by_clock(a, b), load)
    rows = [row for pair in pairs(_as_one(a), _as_one(b)) for row in _rows(pair, on)]
    return _with_intervals(rows, confidence)


def _as_one(runs: Runs) -> Run:
    """The first, with the cases of all."""
    return replace(runs[0], cases=tuple(cases_of(runs)))


def _rows(pair: Pair, on: Grounds) -> list[Row]:
    """Of cases that differ on purpose only the main figure is known to mean the same."""
    if pair.a is None or pair.b is None:
        return [Row(unpaired(pair.a, pair.b))]
    cases = (pair.a, pair.b)
    if pair.note:
        return [_row(cases, cases, on, pair.note)]
    return [_row(cases, views, on) for views in paired_views(*cases)]


def _row(
    cases: tuple[CaseRecord, CaseRecord],
    views: tuple[CaseRecord, CaseRecord],
    on: Grounds,
    note: str = "",
) -> Row:
    a, b = on.a.of(cases[0], views[0]), on.b.of(cases[1], views[1])
    found = SideCases(a.cases, on.a.limits), SideCases(b.cases, on.b.limits)
    of_a, of_b = (together(list(side.estimates.values())) for side in (a, b))
    row = pair_judgement(*views, of_a, of_b, note)
    runs = (len(a.estimates), len(b.estimates))
    row = replace(row, reason=row.reason or a.trouble or b.trouble, runs=runs)
    if row.reason or not all(runs):
        return Row(row)
    values = [_values(side.estimates, max(runs) > 1 and min(runs) > 1) for side in (a, b)]
    row = replace(
        row,
        reason=" ".join(filter(None, (a.left_out, b.left_out))),
        superiority=superiority_of(row.metric, *values),
    )
    if _smallest((a, b)) <= 0:
        return Row(replace(row, reason="A ratio takes positive values only."))
    figures_a, figures_b = (_figures(side, on.load) for side in (a, b))
    past = on.history.of(views)
    groups = [list(group.values()) for group in past.values()]
    explained = on.brought * follows(row.metric)
    runs_of = list(figures_a.values()), list(figures_b.values())
    shift = between_runs(*runs_of, groups, explained)
    at_most = bounded(*runs_of, groups, explained, higher=row.metric.better == "higher")
    clock = core_clock(found)
    if shift is None:
        ratio = row.b.value / row.a.value if row.a and row.b else None
        row = replace(row, ratio=ratio, reason=_too_little(views[0], (a, b)))
        return Row(with_normalised(row, found, clock))
    noise = noise_of(shift, runs, past)
    row = replace(row, ratio=exp(shift.estimate), noise=noise, method="moderated t")
    row = with_normalised(row, found, clock)
    by_clock = shift_by_clock(row, shift, clock)
    return Row(row, figures_a, figures_b, past, shift, at_most, by_clock)


def _smallest(sides: Sequence[Found]) -> float:
    every = (one for side in sides for one in side.estimates.values())
    return min(median for one in every for median in one.medians.values())


def _values(estimates: Mapping[str, Estimate], of_runs: bool) -> list[float]:
    if of_runs:
        return [one.value for one in estimates.values()]
    return [m for one in estimates.values() for m in one.medians.values()]


def _figures(side: Found, load: Mapping[str, Load]) -> Figures:
    figures = {}
    for (run, one), case in zip(side.estimates.items(), side.cases, strict=True):
        slowed = load[run].slowed(spans_of(case))
        figure = run_figure(list(one.medians.values()), slowed, one.unrest)
        figures[run] = figure._replace(most=load[run].most(case))
    return figures


_ONE_RUN_EACH = (
    "One run of a program does not show the noise between runs: interleave both with `stend "
    "time --versus`, or measure several runs per side (`stend compare a1,a2,a3 b1,b2,b3`)."
)

_AGREE = (
    "The runs of each side agree to the last digit, and have too few processes to show the "
    f"noise between runs: measure at least {FEWEST_PROCESSES} per run."
)


def _too_little(case: CaseRecord, found: tuple[Found, Found]) -> str:
    if min(len(side.estimates) for side in found) > 1:
        return _AGREE
    if case.is_program:
        return _ONE_RUN_EACH
    counts = [min(one.processes for one in side.estimates.values()) for side in found]
    what = "rounds" if case.family == "storage" else "processes"
    return (
        f"{counts[0]} and {counts[1]} {what} are too few to show the noise between runs: measure "
        f"at least {FEWEST_PROCESSES} per side, or several runs (`stend compare a1,a2,a3 "
        "b1,b2,b3`)."
    )


def _with_intervals(rows: Sequence[Row], confidence: float) -> list[Row]:
    """All at once: a run may have thousands of cases."""
    of_figures = iter(student([row.shift for row in rows if row.shift], confidence))
    at_most = iter(student([row.bounded for row in rows if row.bounded], confidence))
    by_clock = iter(student([row.by_clock for row in rows if row.by_clock], confidence))
    return [
        _answered(
            row,
            _narrower(next(of_figures), next(at_most) if row.bounded else None),
            next(by_clock) if row.by_clock else None,
        )
        if row.shift
        else row
        for row in rows
    ]


def _narrower(first: Answer, second: Answer | None) -> Answer:
    """Both hold; which is narrower depends on how far runs scatter, not on the shift."""
    if second is None or second.high - second.low >= first.high - first.low:
        return first
    return second


def _answered(row: Row, of_figure: Answer, by_clock: Answer | None) -> Row:
    low, high = exp(of_figure.low), exp(of_figure.high)
    found = replace(row.judgement, low=low, high=high, p=of_figure.p)
    if by_clock:
        found = with_ends(found, exp(by_clock.low), exp(by_clock.high))
    return row._replace(judgement=found)
