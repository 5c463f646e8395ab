"""How much better B is over all cases of a family.

A family is the first word of its benchmarks' names. Its speed is the geometric mean, which alone
does not depend on which side is the reference (Fleming and Wallace 1986, "How not to lie with
statistics: the correct way to summarize benchmark results"). Each of its benchmarks has the same
weight, its cases equal ones within it: else a benchmark that was measured at thirty sizes would
outweigh the one measured at two, and the family's figure depend on how it was sampled.
"""

from collections.abc import Sequence
from math import exp, sqrt

from msgspec.structs import replace

from stend.comparing.host_load import Figures
from stend.comparing.judgement import (
    Family,
    Judgement,
    Standing,
    Verdict,
    better_or_worse,
    certain,
    standing,
)
from stend.comparing.metrics import FIGURE, of_family
from stend.comparing.stored_runs import Row
from stend.statistics import Answer, RunFigure, Shift, between_runs, student


def families(rows: Sequence[Row], confidence: float, smallest: float) -> tuple[Family, ...]:
    """Judge each family by its runs' figures; of a case with several figures the main one counts.

    Holm's correction is among the families, apart from that of the cases: a family is another
    question, and asking it must cost no case its verdict. A family of one case has its verdict.
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        of = row.judgement
        if of.met and FIGURE not in of.parameters:
            found.setdefault(of.family, []).append(row)
    pooled = [(name, members, _pooled(_usable(members))) for name, members in found.items()]
    shifts = [shift for _, _, shift in pooled if shift]
    answers = student(shifts, confidence)
    sure = certain([answer.p for answer in answers], confidence)
    judged = iter(zip(answers, sure, strict=True))
    return tuple(
        _without_a_run(_family(name, members))
        if shift is None
        else _judged(_family(name, members), shift, *next(judged), smallest)
        for name, members, shift in pooled
    )


def shares(rows: Sequence[Judgement]) -> list[float]:
    """What each case counts in its family, below 0 where less is better.

    The benchmarks' shares are equal, and those of the cases of each.
    """
    cases: dict[str, int] = {}
    for row in rows:
        cases[row.benchmark] = cases.get(row.benchmark, 0) + 1
    return [
        (1 if row.metric.better == "higher" else -1) / (len(cases) * cases[row.benchmark])
        for row in rows
    ]


def _usable(members: Sequence[Row]) -> list[Row]:
    return [row for row in members if row.shift is not None]


def _family(name: str, members: Sequence[Row]) -> Family:
    """The family without a verdict of its own, or with that of its only case."""
    usable = [row.judgement for row in _usable(members)]
    counts: dict[str, int] = {}
    for row in usable:
        counts[row.verdict] = counts.get(row.verdict, 0) + 1
    left = len(members) - len(usable)
    family = Family(
        name=name,
        cases=len(usable),
        counts=counts,
        verdict=Verdict.CANNOT_TELL,
        reason=_left_out(left, len(members)),
        normalised=of_family(usable, [abs(share) for share in shares(usable)]),
    )
    if len(usable) == 1:
        return _of_one(family, usable[0])
    return family


def _left_out(left: int, cases: int) -> str:
    if not left:
        return ""
    if left == cases:
        return "None of its cases can be compared."
    return (
        f"{left} of its {cases} cases can't be compared and {'are' if left > 1 else 'is'} left out."
    )


def _without_a_run(family: Family) -> Family:
    """Its cases are there, but no run has them all."""
    if family.cases < 2:
        return family
    why = (
        "No run of a side has all of its cases, or there are too few runs to know the noise "
        "between them."
    )
    return replace(family, reason=" ".join(filter(None, (family.reason, why))))


def _of_one(family: Family, only: Judgement) -> Family:
    ends = (only.low, only.high)
    if only.metric.better == "lower":
        ends = (only.high and 1 / only.high, only.low and 1 / only.low)
    return replace(
        family,
        verdict=only.verdict,
        reason=" ".join(filter(None, (family.reason, only.reason))),
        speed=only.speed,
        low=ends[0],
        high=ends[1],
        p=only.p,
    )


def _judged(family: Family, shift: Shift, answer: Answer, sure: bool, smallest: float) -> Family:
    speed, low, high = (exp(x) for x in (shift.estimate, answer.low, answer.high))
    found = standing(speed, low, high, certain=sure, smallest=smallest)
    verdict = {Standing.SAME: Verdict.SAME, Standing.DIFFERS: better_or_worse(speed > 1)}
    why = {
        Standing.OPEN: "The interval includes both no change and one that matters: measure "
        "more runs per side (`stend compare a1,a2,a3 b1,b2,b3`).",
        Standing.SMALL: f"It differs, but possibly by less than the {smallest:.0%} that matters.",
        Standing.BY_CHANCE: "With this many families, such a difference can arise by chance "
        "(Holm's correction).",
    }.get(found, "")
    return replace(
        family,
        verdict=verdict.get(found, Verdict.CANNOT_TELL),
        reason=" ".join(filter(None, (family.reason, why))),
        speed=speed,
        low=low,
        high=high,
        p=answer.p,
    )


def _pooled(rows: Sequence[Row]) -> Shift | None:
    """The shift of the family's figure, run by run, so that what moves all cases together is seen.

    None of fewer than two cases, or where no run of a side has all of them.
    """
    if len(rows) < 2:
        return None
    weights = shares([row.judgement for row in rows])
    a, b = _of_runs([row.a for row in rows], weights), _of_runs([row.b for row in rows], weights)
    groups = set.intersection(*(set(row.past) for row in rows))
    past = [_of_runs([row.past[group] for row in rows], weights) for group in sorted(groups)]
    if not a or not b:
        return None
    clock = sum(s * r.shift.explained for s, r in zip(weights, rows, strict=True) if r.shift)
    return between_runs(a, b, past, clock)


def _of_runs(cases: Sequence[Figures], weights: Sequence[float]) -> list[RunFigure]:
    """The family's figure of each run that has all of its cases."""
    runs = [run for run in cases[0] if all(run in of_case for of_case in cases)]
    return [_figure([of_case[run] for of_case in cases], weights) for run in runs]


def _figure(figures: Sequence[RunFigure], weights: Sequence[float]) -> RunFigure:
    """What processes scatter by is taken as common to all cases: it may be."""
    log = sum(share * figure.log for share, figure in zip(weights, figures, strict=True))
    slowed = max(figure.slowed for figure in figures)
    unrest = sum(abs(s) * figure.unrest for s, figure in zip(weights, figures, strict=True))
    known = [figure.scatter for figure in figures if figure.scatter is not None]
    if len(known) < len(figures):
        return RunFigure(log, None, slowed, unrest)
    spread = sum(abs(share) * sqrt(one) for share, one in zip(weights, known, strict=True))
    return RunFigure(log, spread**2, slowed, unrest)
