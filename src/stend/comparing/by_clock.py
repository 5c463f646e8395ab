"""A row's change and its cores' clock → what is left per clock, how surely, and what that says."""

from collections.abc import Mapping
from math import log, log1p

from msgspec.structs import replace

from stend.comparing.core_clock import CoreClock
from stend.comparing.deciding import Standing, standing
from stend.comparing.differences import VISIBLE
from stend.comparing.judgement import Judgement, Normalised, Verdict
from stend.statistics import Shift, paired

PER_CLOCK = "per clock"


def shift_by_clock(row: Judgement, shift: Shift, clock: CoreClock | None) -> Shift | None:
    """How many times as good B is per clock, as any runs would show it; None where that is open.

    Its runs scatter as those of the figure itself do, which is the cautious side: a part of that is
    the clock's. What the frequencies are unsure by is added.
    """
    left = per_clock(row)
    unsure = clock.variance if clock else None
    if left is None or unsure is None:
        return None
    return Shift(log(left.speed), shift.variance + unsure, shift.spread, shift.freedom)


def paired_by_clock(
    row: Judgement, logs: Mapping[int, float], clock: CoreClock | None, confidence: float
) -> Judgement:
    """The row with the interval per clock from interleaved pairs: `logs` of B over A by process."""
    left = per_clock(row)
    if left is None or clock is None or not row.speed:
        return row
    sign = 1 if row.metric.better == "higher" else -1
    others = log(left.speed / row.speed) + log(clock.hz[1] / clock.hz[0])
    ratio = paired(
        [
            sign * logs[p] - log(clock.b[0, p] / clock.a[0, p]) + others
            for p in logs
            if (0, p) in clock.a and (0, p) in clock.b
        ],
        confidence,
    )
    return with_ends(row, ratio.low, ratio.high)


def per_clock(row: Judgement) -> Normalised | None:
    """What the row says per clock."""
    return next((n for n in row.normalised if n.by == PER_CLOCK), None)


def with_ends(row: Judgement, low: float | None, high: float | None) -> Judgement:
    """The row with the ends of the interval per clock."""
    found = (replace(n, low=low, high=high) if n.by == PER_CLOCK else n for n in row.normalised)
    return replace(row, normalised=tuple(found))


def told_by_clock(row: Judgement, explained: float, smallest: float) -> Judgement:
    """A row that surely differs, with a note where the cores' clock can be all of it.

    It can where as many cores ran at another frequency and the interval per clock holds no
    change; where that is within the smallest effect that matters, it is. `explained` is what the
    ratio's interval leaves to the clock (`statistics.Shift`).
    """
    left = per_clock(row)
    if row.hz is None or left is None or left.low is None or left.high is None:
        return row
    if not (_is_sure(row, explained) and _ran_apart(row.hz) and _on_as_many_cores(row)):
        return row
    found = standing(left.speed, left.low, left.high, certain=True, smallest=smallest)
    said = {
        Standing.SAME: "The difference is the clock's",
        Standing.OPEN: "The clock can explain the difference",
    }.get(found)
    if said is None:
        return row
    ghz = [f"{hz / 1e9:.2f} GHz" for hz in row.hz]
    note = (
        f"{said}: the cores ran at {ghz[0]} in A and {ghz[1]} in B, and per clock B does between "
        f"{_more(left.low)} and {_more(left.high)}."
    )
    return replace(row, note=" ".join(filter(None, (row.note, note))))


def _is_sure(row: Judgement, explained: float) -> bool:
    """Whether the sides differ as they ran: an interval may be open for the clock alone."""
    if row.verdict in (Verdict.FASTER, Verdict.SLOWER):
        return True
    if row.low is None or row.high is None or not explained:
        return False
    low = log(row.low) + max(explained, 0.0)
    high = log(row.high) + min(explained, 0.0)
    return low > 0 or high < 0


def _ran_apart(hz: tuple[float, float]) -> bool:
    return abs(log(hz[1] / hz[0])) > log1p(VISIBLE)


def _on_as_many_cores(row: Judgement) -> bool:
    others = (n.speed for n in row.normalised if n.by == "per core")
    return all(row.speed and abs(log(other / row.speed)) <= log1p(VISIBLE) for other in others)


def _more(speed: float) -> str:
    """`0.3% less`, `12% more`."""
    change = 100 * abs(speed - 1)
    return f"{change:{'.0f' if change >= 10 else '.2g'}}% {'more' if speed >= 1 else 'less'}"
