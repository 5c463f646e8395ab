"""Likely causes: what moved in each family, next to the differences that are known to move it.

Nothing is claimed: that two things differ between the same two sides proves nothing.
"""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Literal

from stend.comparing.differences import CORE_FREQUENCY, Difference
from stend.comparing.families import shares
from stend.comparing.judgement import Comparison, Family, Judgement, Verdict
from stend.comparing.metrics import FIGURE
from stend.record import Record

NAMED = 3
"""Differences that the sentence names; the others it counts."""


class LikelyCauses(Record, frozen=True, kw_only=True):
    """What moved of a family in one direction, and what differs that can move it."""

    family: str
    verdict: Literal[Verdict.FASTER, Verdict.SLOWER]
    moved: int
    """Cases of which a figure got this verdict; 0 where the family did as a whole alone."""
    cases: int
    """All of the family's that can be set side by side."""
    speed: float
    """How many times as good B is, by the family's weights: over those that moved, or all."""
    causes: tuple[Difference, ...]
    """What can be one, likely ones first; empty where nothing is known to differ."""
    said: str
    """All of it as a sentence."""


def likely_causes(comparison: Comparison) -> tuple[LikelyCauses, ...]:
    """What differs beside what moved; empty where nothing moved.

    A case counts once, however many figures it has, and as much as it does in its family's figure.
    Nothing is told of two sides that were measured in turn: there the variants differ, not
    machines.
    """
    if comparison.a.id == comparison.b.id:
        return ()
    wholes = {one.name: one for one in comparison.families}
    return tuple(
        _cause(family, verdict, moved, [case[0] for case in cases], wholes.get(family), comparison)
        for family, cases in _cases(comparison.rows).items()
        for verdict in _DIRECTIONS
        if (moved := [row for case in cases if (row := _first(case, verdict))])
        or (family in wholes and wholes[family].verdict is verdict)
    )


_Moved = Literal[Verdict.FASTER, Verdict.SLOWER]
_DIRECTIONS: tuple[_Moved, ...] = (Verdict.SLOWER, Verdict.FASTER)


def _cases(rows: Iterable[Judgement]) -> dict[str, list[list[Judgement]]]:
    """The figures of each case that can be set side by side, its main one first, by family."""
    found: dict[str, list[list[Judgement]]] = {}
    for row in rows:
        if row.p is None:
            continue
        cases = found.setdefault(row.family, [])
        if FIGURE in row.parameters and cases and _case(cases[-1][0]) == _case(row):
            cases[-1].append(row)
        else:
            cases.append([row])
    return found


def _case(row: Judgement) -> tuple[object, ...]:
    own = {name: value for name, value in row.parameters.items() if name != FIGURE}
    return row.benchmark, own, row.variants


def _first(case: Sequence[Judgement], verdict: Verdict) -> Judgement | None:
    """The first of its figures that got this verdict: the main one if it did."""
    return next((row for row in case if row.verdict is verdict), None)


def _cause(
    family: str,
    verdict: _Moved,
    moved: Sequence[Judgement],
    cases: Sequence[Judgement],
    whole: Family | None,
    comparison: Comparison,
) -> LikelyCauses:
    named = tuple(d for d in comparison.differences if d.cause and family in d.concerns)
    anything = tuple(d for d in comparison.differences if d.cause and not d.concerns)
    causes = tuple(d for d in named + anything if not _contrary(d, verdict, moved))
    speed = _speed(moved, whole)
    how = _how(verdict, moved or cases)
    return LikelyCauses(
        family=family,
        verdict=verdict,
        moved=len(moved),
        cases=len(cases),
        speed=speed,
        causes=causes,
        said=f"{family}: {how} by {_much(_as_shown(speed, moved, whole))}"
        f"{_share_moved(len(moved), len(cases))}; "
        f"{_differing(causes)}",
    )


def _contrary(difference: Difference, verdict: _Moved, moved: Sequence[Judgement]) -> bool:
    """Whether it is the cores' frequency, which went the other way at all that moved."""
    clocks = [row.hz for row in moved if row.hz]
    rose = verdict is Verdict.SLOWER
    return (
        difference.what == CORE_FREQUENCY
        and bool(clocks)
        and all((b > a) is rose for a, b in clocks)
    )


def _speed(moved: Sequence[Judgement], whole: Family | None) -> float:
    """That of the family where all of it moved, or none of its cases alone."""
    if whole and whole.speed and _is_whole(moved, whole):
        return whole.speed
    weighed = zip(moved, shares(moved), strict=True)
    return exp(sum(share * log(row.ratio) for row, share in weighed if row.ratio))


def _is_whole(moved: Sequence[Judgement], whole: Family) -> bool:
    further = any(FIGURE in row.parameters for row in moved)
    return not moved or (len(moved) == whole.cases and not further)


def _as_shown(speed: float, moved: Sequence[Judgement], whole: Family | None) -> float:
    """A family's speed, as its line has it; of single cases the change, as their rows have it."""
    if whole and whole.cases > 1 and _is_whole(moved, whole):
        return speed
    return 1 / speed if {row.metric.better for row in moved} == {"lower"} else speed


def _how(verdict: _Moved, rows: Sequence[Judgement]) -> str:
    words = {verdict.word(row.metric) for row in rows}
    return words.pop() if len(words) == 1 else {"faster": "better", "slower": "worse"}[verdict]


def _share_moved(moved: int, cases: int) -> str:
    if not moved:
        return f" over all {cases} cases, though in no single one"
    return "" if moved == cases else f" in {moved} of {cases} cases"


def _much(speed: float) -> str:
    """`12%`, or of what is more than doubled `a factor of 3.1`."""
    factor = max(speed, 1 / speed)
    return f"a factor of {factor:.3g}" if factor >= 2 else f"{100 * abs(speed - 1):.2g}%"


def _differing(causes: tuple[Difference, ...]) -> str:
    if not causes:
        return "no difference between the sides is known to affect it."
    named = [f"{d.what} ({_shortly(d.a)} → {_shortly(d.b)})" for d in causes[:NAMED]]
    more = len(causes) - len(named)
    others = [f"{more} more"] if more else []
    return f"differences between the sides that can affect it: {', '.join([*named, *others])}."


_LONGEST = 40
"""Characters of a value in a sentence; the table has it whole."""


def _shortly(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
