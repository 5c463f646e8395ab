"""Ratios with intervals and p values → verdicts that hold for all of them together."""

from collections.abc import Sequence
from enum import Enum
from math import log, log1p

from msgspec.structs import replace

from stend.comparing.judgement import Judgement, Verdict
from stend.statistics import holm


class Standing(Enum):
    """Where a ratio lies beside 1."""

    SAME = 1
    """Its whole interval is within the smallest effect that matters."""
    OPEN = 2
    """Its interval holds 1, and more than that."""
    SMALL = 3
    """It is not 1, but may be less than what matters."""
    BY_CHANCE = 4
    """Among so many, one like it comes by chance."""
    DIFFERS = 5


def standing(ratio: float, low: float, high: float, *, certain: bool, smallest: float) -> Standing:
    """Equivalence first, then a difference that is both certain and large enough.

    *Same* needs the whole interval within the smallest effect that matters (two one-sided
    tests, Schuirmann 1987): that nothing was found is no evidence of sameness. Holm guards
    against differences found by chance, so *same* is judged by its own interval.
    """
    matters = log1p(smallest)
    if max(abs(log(low)), abs(log(high))) <= matters:
        return Standing.SAME
    if low <= 1 <= high:
        return Standing.OPEN
    if abs(log(ratio)) <= matters:
        return Standing.SMALL
    return Standing.DIFFERS if certain else Standing.BY_CHANCE


def certain(p_values: Sequence[float | None], confidence: float) -> list[bool]:
    """Which of them survive Holm's correction."""
    level = 1 - confidence + 1e-12  # as good as equal: 1 - 0.99 is not exactly 0.01
    return [p is not None and p <= level for p in holm(p_values)]


def decided(
    rows: Sequence[Judgement], confidence: float, smallest: float, busy: Sequence[bool] = ()
) -> tuple[Judgement, ...]:
    """The rows with their verdicts; one without a p keeps what it has.

    Where others kept a side's machine `busy` in a row, what helps is a quiet one, before more runs.
    """
    ps = [row.p for row in rows]
    asked = sum(p is not None for p in ps)
    return tuple(
        _decide(row, sure, smallest, asked, others)
        for row, sure, others in zip(
            rows, certain(ps, confidence), busy or [False] * len(rows), strict=True
        )
    )


def _decide(row: Judgement, sure: bool, smallest: float, asked: int, busy: bool) -> Judgement:
    if row.ratio is None or row.low is None or row.high is None or row.p is None:
        return row
    found = standing(row.ratio, row.low, row.high, certain=sure, smallest=smallest)
    if found is Standing.SAME:
        return replace(row, verdict=Verdict.SAME)
    if found is Standing.DIFFERS:
        return replace(row, verdict=better_or_worse((row.speed or 1.0) > 1))
    why = {
        Standing.OPEN: _undecided(smallest, row, busy),
        Standing.SMALL: f"They differ, but the change may be less than the {smallest:.0%} that "
        "matters.",
        Standing.BY_CHANCE: _by_chance(row, asked),
    }[found]
    return replace(row, reason=" ".join(filter(None, (row.reason, why))))


def better_or_worse(better: bool) -> Verdict:
    """The verdict of a difference."""
    return Verdict.FASTER if better else Verdict.SLOWER


def _by_chance(row: Judgement, asked: int) -> str:
    return (
        f"Among {asked} {'figures' if _is_storage(row) else 'cases'} a difference like this "
        f"(p = {row.p or 0:.2g}) can come by chance "
        f"(Holm's correction): compare this case alone, or measure {_more(row)}."
    )


def _undecided(smallest: float, row: Judgement, busy: bool) -> str:
    open_ = f"The interval holds no change as well as one of more than {smallest:.0%}"
    if busy:
        return f"{open_}, as others kept the machine busy: measure again when it is quiet."
    return f"{open_}: measure {_more(row)}."


def _more(row: Judgement) -> str:
    if row.pairs:
        return "more pairs (`--pairs`)"
    several = "more runs a side (`stend compare a1,a2,a3 b1,b2,b3`)"
    return several if _is_storage(row) else f"{several}, or both in turn (`--versus`)"


def _is_storage(row: Judgement) -> bool:
    return row.family == "storage"
