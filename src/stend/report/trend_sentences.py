"""Trends in sentences: what changed, when, by how much; levels; what cannot be told."""

from stend.comparing.differences import Difference
from stend.record import family_of
from stend.record.text import minute
from stend.report.quantities import Scale, figure, is_vague, number, scale, span
from stend.trends.machine import Followed
from stend.trends.trend import Change, Level, Point, Trend

_TOLD = 6
"""Differences in one sentence; the page has all of them."""

_APART = 0.5
"""Shares of runs that a disturbance met, before and after a change, that differ by more tell."""


def heading(followed: Followed) -> str:
    """What was looked at."""
    words = [
        f"{followed.runs} run{'s' * (followed.runs != 1)} of {followed.host or 'an unknown host'}"
    ]
    if followed.stored > followed.runs:
        words.append(f"of {followed.stored} that have it")
    others = ", ".join(f"{name} ({count})" for name, count in followed.others.items())
    if others:
        words.append(f"not looked at: those of {others} (--host)")
    return "; ".join(words)


def direction(trend: Trend) -> str:
    """`bandwidth, higher is better`."""
    return f"{trend.metric.name}, {trend.metric.better} is better"


def shown(point: Point, unit: str) -> str:
    """A run's figure with its interval."""
    return figure(point.value, unit, point.ends)


def change_said(trend: Trend, change: Change) -> str:
    """`between 2026-03-02 08:00 and 2026-03-09 08:00: slower by 7.2% (5.9 to 8.6%)`."""
    by = by_how_much(trend, change)
    return f"between {dates(change)}: {change.verdict.word(trend.metric)} {by}"


def dates(change: Change) -> str:
    """The last run before it and the first after it."""
    return f"{minute(change.after)} and {minute(change.before)}"


def by_how_much(trend: Trend, change: Change) -> str:
    """`by 7.2% (5.9 to 8.6%)`; from two times on `by a factor of 3.00 ± 0.05`."""
    if change.ratio is None:
        i = next(i for i, level in enumerate(trend.levels) if level.first == change.index)
        a, b = (figure(level.value, trend.metric.unit) for level in trend.levels[i - 1 : i + 1])
        return f"(from {a} to {b})"
    ends = (change.low, change.high) if change.low and change.high else None
    up = change.ratio >= 1
    if change.ratio >= 2 or change.ratio <= 0.5:
        return f"by a factor of {_factor(change.ratio, ends, up)}"
    by = f"by {_percents(change.ratio, up)}%"
    if ends is None:
        return f"{by} (two runs can't show how exactly)"
    if is_vague(*ends):
        return f"{by} ({span(*ends)})"
    low, high = (_percents(end, up) for end in (ends if up else ends[::-1]))
    return f"{by} ({low} to {high}%)"


def _factor(ratio: float, ends: tuple[float, float] | None, up: bool) -> str:
    if not up:
        ratio, ends = 1 / ratio, ends and (1 / ends[1], 1 / ends[0])
    return number(ratio, Scale(1.0, ""), ends)


def _percents(ratio: float, up: bool) -> str:
    """How far it is from 1, in the direction of the change."""
    return f"{100 * (ratio - 1) * (1 if up else -1):.1f}".replace("-", "−")


def causes(trend: Trend, change: Change, most: int = _TOLD) -> str:
    """What changed with it, what is known to move such figures first."""
    family = family_of(trend.benchmark)
    known = [d for d in change.differences if not d.concerns or family in d.concerns]
    known.sort(key=lambda d: (d.kind == "conditions", not d.concerns))
    disturbed = _disturbed_otherwise(trend, change)
    if not known:
        nothing = "No recorded fact of the machine changed between these runs."
        return f"{nothing} {disturbed}".rstrip()
    said = [_difference(d) for d in known[:most]]
    rest = len(known) - most
    changed = f"What changed: {', '.join(said)}" + (f", and {rest} more." if rest > 0 else ".")
    return f"{changed} {disturbed}".rstrip()


def _disturbed_otherwise(trend: Trend, change: Change) -> str:
    """`load disturbed 1 of 12 runs before it and 9 of 10 after it.`, where the shares are apart."""
    i = next(i for i, level in enumerate(trend.levels) if level.first == change.index)
    sides = [trend.points[one.first : one.last + 1] for one in trend.levels[i - 1 : i + 1]]
    kinds = dict.fromkeys(kind for side in sides for point in side for kind in point.disturbed)
    said = []
    for kind in kinds:
        before, after = (sum(kind in point.disturbed for point in side) for side in sides)
        if abs(after / len(sides[1]) - before / len(sides[0])) >= _APART:
            said.append(
                f"{kind} disturbed {before} of {len(sides[0])} runs before it and {after} of "
                f"{len(sides[1])} after it"
            )
    return f"Also different: {', '.join(said)}." if said else ""


def _difference(one: Difference) -> str:
    return f"{one.what} {_short(one.a)} → {_short(one.b)}"


def _short(words: str) -> str:
    return words if len(words) <= 60 else words[:59] + "…"


def outcome(trend: Trend) -> str:
    """One sentence on the whole of it."""
    if trend.note:
        return trend.note
    runs = f"{len(trend.points)} runs"
    if trend.drift is not None:
        up = trend.drift >= 1
        better = up == (trend.metric.better == "higher")
        return (
            f"It {'rises' if up else 'falls'} steadily, by {100 * abs(trend.drift - 1):.1f}% over "
            f"{runs}, which is {'better' if better else 'worse'}; no single change explains it."
        )
    if not trend.changes:
        return f"No change was found in {runs}."
    count = len(trend.changes)
    return f"{count} change{'s' * (count > 1)} in {runs}."


def level_said(trend: Trend, level: Level) -> str:
    """`23.41 ± 0.05 GB/s in 12 runs`."""
    ends = (level.low, level.high) if level.low is not None and level.high is not None else None
    count = level.last - level.first + 1
    value = figure(level.value, trend.metric.unit, ends)
    return f"{value} in {count} run{'s' * (count > 1)}"


def always(trend: Trend) -> tuple[str, ...]:
    """What disturbed all of its runs."""
    first, *others = (point.disturbed for point in trend.points)
    return tuple(kind for kind in first if others and all(kind in other for other in others))


def own_disturbances(trend: Trend, point: Point) -> tuple[str, ...]:
    """What disturbed this run and not all of them."""
    usual = always(trend)
    return tuple(kind for kind in point.disturbed if kind not in usual)


def unit_of(trend: Trend) -> tuple[float, str]:
    """The factor and the unit in which all its figures are drawn."""
    by = scale(max((abs(level.value) for level in trend.levels), default=1.0), trend.metric.unit)
    return by.factor, by.unit
