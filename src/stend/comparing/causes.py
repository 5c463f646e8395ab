"""A comparison → what moved, family by family, beside what differs and is known to move it.

Nothing is claimed: that two things differ between the same two sides proves nothing.
"""

from math import exp, log
from typing import Literal

import numpy as np

from stend.comparing.differences import Difference
from stend.comparing.judgement import Comparison, Judgement, Verdict
from stend.record import Record

NAMED = 3
"""Differences that the sentence names; the others it counts."""


class LikelyCauses(Record, frozen=True, kw_only=True):
    """What moved of a family in one direction, and what differs that can move it."""

    family: str
    verdict: Literal[Verdict.FASTER, Verdict.SLOWER]
    moved: int
    """Cases that got this verdict."""
    cases: int
    """All of the family's that both sides have."""
    speed: float
    """How many times as good B is: the geometric mean of those that moved."""
    causes: tuple[Difference, ...]
    """What can be one, likely ones first; empty where nothing is known to differ."""
    said: str
    """All of it as a sentence."""


def likely_causes(comparison: Comparison) -> tuple[LikelyCauses, ...]:
    """What differs beside what moved; empty where nothing moved.

    Nothing, too, of two sides that were measured in turn: there the variants differ, not machines.
    """
    if comparison.a.id == comparison.b.id:
        return ()
    families: dict[str, list[Judgement]] = {}
    for row in comparison.rows:
        if row.verdict not in (Verdict.ONLY_A, Verdict.ONLY_B):
            families.setdefault(row.benchmark.partition(".")[0], []).append(row)
    return tuple(
        _told(family, verdict, [r for r in rows if r.verdict is verdict], len(rows), comparison)
        for family, rows in families.items()
        for verdict in (Verdict.SLOWER, Verdict.FASTER)
        if any(row.verdict is verdict and row.speed for row in rows)
    )


def _told(
    family: str,
    verdict: Literal[Verdict.FASTER, Verdict.SLOWER],
    moved: list[Judgement],
    cases: int,
    comparison: Comparison,
) -> LikelyCauses:
    speed = exp(float(np.mean([log(row.speed) for row in moved if row.speed])))
    named = tuple(d for d in comparison.differences if d.cause and family in d.concerns)
    anything = tuple(d for d in comparison.differences if d.cause and not d.concerns)
    causes = named + anything
    word = {row.verdict.word(row.metric) for row in moved}
    how = word.pop() if len(word) == 1 else {"faster": "better", "slower": "worse"}[verdict]
    of_them = "" if len(moved) == cases else f" in {len(moved)} of {cases} cases"
    return LikelyCauses(
        family=family,
        verdict=verdict,
        moved=len(moved),
        cases=cases,
        speed=speed,
        causes=causes,
        said=f"{family}: {how} by {_much(speed)}{of_them}; {_differing(causes)}",
    )


def _much(speed: float) -> str:
    """`12%`, or of what is more than doubled `a factor of 3.1`."""
    factor = max(speed, 1 / speed)
    return f"a factor of {factor:.3g}" if factor >= 2 else f"{100 * abs(speed - 1):.2g}%"


def _differing(causes: tuple[Difference, ...]) -> str:
    if not causes:
        return "nothing differs between the sides that is known to move it."
    named = [f"{d.what} ({_shortly(d.a)} → {_shortly(d.b)})" for d in causes[:NAMED]]
    more = len(causes) - len(named)
    others = [f"{more} more"] if more else []
    return f"what differs between the sides and can move it: {', '.join([*named, *others])}."


_LONGEST = 40
"""Characters of a value in a sentence; the table has it whole."""


def _shortly(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
