"""What is left of a change per clock, per core or of the peak → words, where it says more."""

from collections.abc import Sequence
from math import inf, log, log1p

from stend.comparing import Family, Judgement, Normalised
from stend.report.quantities import percent, share_in_words

OF_PEAK = "of peak"


def telling(row: Judgement | Family, smallest: float) -> tuple[Normalised, ...]:
    """Those by which B is not as many times as good as by the figure itself.

    Two machines of one clock and as many cores differ by the same factor however it is counted,
    and a column that repeats the change says nothing. Nor does one that lies within what the change
    is unsure by.
    """
    if not row.speed:
        return ()
    low, high = _ends(row)
    least = log1p(smallest)
    return tuple(
        n
        for n in row.normalised
        if abs(log(n.speed / row.speed)) > least and not low <= n.speed <= high
    )


def _ends(row: Judgement | Family) -> tuple[float, float]:
    """Of the interval of how many times as good B is; of none, that nothing lies within it."""
    if not row.low or not row.high:
        return inf, -inf
    if isinstance(row, Judgement) and row.metric.better == "lower":
        return 1 / row.high, 1 / row.low
    return row.low, row.high


def columns(rows: Sequence[Judgement | Family], smallest: float) -> tuple[str, ...]:
    """By what the figures of these rows say something else."""
    return tuple(dict.fromkeys(n.by for row in rows for n in telling(row, smallest)))


def cell(row: Judgement | Family, by: str) -> str:
    """`+3.1%`, in the direction of the change of the figure itself; of the peak `45% → 52%`."""
    found = next((n for n in row.normalised if n.by == by), None)
    if found is None:
        return "–"
    if by == OF_PEAK and isinstance(row, Judgement):
        return f"{share_in_words(found.a)} → {share_in_words(found.b)}"
    lower = isinstance(row, Judgement) and row.metric.better == "lower"
    return percent(1 / found.speed if lower else found.speed)


def note(row: Judgement | Family, by: Sequence[str]) -> str:
    """All of them in one line: `per clock −0.3% · 45% → 52% of peak`."""
    known = [n.by for n in row.normalised if n.by in by]
    return " · ".join(
        f"{cell(row, name)} {name}" if name == OF_PEAK else f"{name} {cell(row, name)}"
        for name in known
    )
