"""Groups of measured cases that one chart can hold and show, and what varies within each.

Only charts of a mark or a row a case are limited; the page's tables of figures have all cases.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from stend.record import Scalar
from stend.report.charts.chart import Chart
from stend.report.measured_case import NONE, Limits, Measured
from stend.report.quantities import Scale, in_scale, parameter, scale

_SAME_UNIT = {"seconds": "s"}


@dataclass(frozen=True)
class Group:
    """Cases of one stem ("stream.copies") whose figures share a unit and a metric's direction."""

    stem: str
    unit: str
    members: tuple[Measured, ...]
    limits: Limits = NONE
    """What the rest of the run says of the machine."""

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The parameters that take more than one value, in the order they are declared."""
        names = dict.fromkeys(n for m in self.members for n in m.case.parameters)
        return tuple(n for n in names if len(self.values(n)) > 1)

    @cached_property
    def scale(self) -> Scale:
        """The one prefix for the whole group, from its median figure."""
        ordered = sorted(abs(m.estimate.value) for m in self.members)
        return scale(ordered[len(ordered) // 2], self.unit)

    @cached_property
    def metric(self) -> str:
        """The metrics' names: "bandwidth", "overhead and step"."""
        names = list(dict.fromkeys(m.case.metric.name for m in self.members))
        return " and ".join(names) if len(names) < 4 else "figures"

    @cached_property
    def workers(self) -> str:
        """The parameter that tells how many work at the same time, where it varies; or ""."""
        for name in ("threads", "copies"):
            counts = [m.case.parameters.get(name) for m in self.members]
            if name in self.varied and all(type(count) is int for count in counts):
                return name
        return ""

    @cached_property
    def _distinguished_by(self) -> tuple[bool, bool]:
        """Whether its members are of several benchmarks, and of several variants."""
        benchmarks = {m.case.benchmark for m in self.members}
        return len(benchmarks) > 1, len({m.variant for m in self.members}) > 1

    def part(self, members: Iterable[Measured]) -> "Group":
        """Some of its members, in a group of their own."""
        return replace(self, members=tuple(members))

    @property
    def title(self) -> str:
        """The stem and what it reports."""
        whole = {m.case.benchmark for m in self.members}
        return f"{whole.pop() if len(whole) == 1 else self.stem}: {self.metric}"

    @property
    def axis(self) -> str:
        """The metric with its unit."""
        return f"{self.metric}, {self.scale.unit}" if self.scale.unit else self.metric

    @property
    def better(self) -> str:
        """Which direction is good, in words."""
        return f"{self.members[0].case.metric.better} is better"

    def values(self, name: str) -> list[Scalar]:
        """The values that a parameter takes, in order."""
        found = {m.case.parameters[name] for m in self.members if name in m.case.parameters}
        return sorted(found, key=lambda v: (isinstance(v, str), v))

    def series_of(self, member: Measured, *leaving: str, what: bool = True) -> str:
        """The name of the line a case belongs to: what varies beside `leaving`."""
        benchmarks, variants = self._distinguished_by
        words = [member.what] if what and benchmarks else []
        words += [
            f"{n} {parameter(n, member.case.parameters[n])}"
            for n in self.varied
            if n not in leaving and n in member.case.parameters
        ]
        if variants:
            words.append(member.variant or "no variant")
        return ", ".join(words)

    def shown(self, m: Measured) -> str:
        """A figure with its interval, in the unit that all of them are drawn in."""
        return in_scale(m.estimate.value, self.scale, m.estimate.ends)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Every case with its figure, for the table behind a chart."""
        return tuple((m.case.name, self.shown(m)) for m in self.members)


def groups(measured: Iterable[Measured], limits: Limits = NONE) -> list[Group]:
    """Group by the stem of the benchmark's name, the unit and which parameters there are."""
    found: dict[tuple[str, str, str, frozenset[str]], list[Measured]] = {}
    for m in measured:
        unit = _SAME_UNIT.get(m.case.metric.unit, m.case.metric.unit)
        key = (stem_of(m), unit, m.case.metric.better, frozenset(m.case.parameters))
        found.setdefault(key, []).append(m)
    return [Group(stem, unit, tuple(ms), limits) for (stem, unit, _, _), ms in found.items()]


def stem_of(m: Measured) -> str:
    """The benchmark's name without its last word: `stream.copies` of stream.copies.add."""
    return m.case.benchmark.rpartition(".")[0] or m.case.benchmark


def by_series(members: Sequence[Measured], name: Sequence[str]) -> dict[str, list[Measured]]:
    """Members under the series they belong to, in the order first met."""
    found: dict[str, list[Measured]] = {}
    for member, series in zip(members, name, strict=True):
        found.setdefault(series, []).append(member)
    return found


def reach(
    members: Sequence[Measured], scale: Scale
) -> tuple[list[float | None], list[float | None]]:
    """How far each interval reaches below and above its value, scaled.

    At most as far as the value is large: the interval of three processes can be many times that,
    and would press all else in the chart flat. The table has its ends.
    """
    low: list[float | None] = []
    high: list[float | None] = []
    for m in members:
        i = m.estimate.interval
        value = m.estimate.value
        low.append(None if i is None else _cut(value - i.low, value) * scale.factor)
        high.append(None if i is None else _cut(i.high - value, value) * scale.factor)
    return low, high


def _cut(length: float, value: float) -> float:
    return max(0.0, min(length, abs(value)))


def spans(members: Sequence[Measured], times: float) -> bool:
    """Whether the values are positive and the largest is that many times the smallest."""
    values = [m.estimate.value for m in members]
    return min(values) > 0 and max(values) >= times * min(values)


MOST_LINES = 16
"""Of one panel: there are eight colours, and with twice as many lines each is met twice."""
MOST_ROWS = 500
"""Of a chart with a row a case, and of the table behind any chart: more is scrolled past, unread.
Full runs of every benchmark have fewer."""


def first_rows(members: Sequence[Measured]) -> tuple[Sequence[Measured], str]:
    """The first cases, and a sentence where they are not all."""
    if len(members) <= MOST_ROWS:
        return members, ""
    return members[:MOST_ROWS], _sentence("cases", MOST_ROWS, len(members))


def first_lines(group: Group, along: Iterable[str]) -> tuple[Group, str]:
    """The group's first whole lines, drawn along these parameters, and a sentence likewise."""
    varied = [name for name in along if name in group.varied]
    if not varied:
        shown, said = first_rows(group.members)
        return group.part(shown), said
    names = [group.series_of(m, *varied, what=False) for m in group.members]
    found = [*by_series(group.members, names).values()]
    if len(found) <= MOST_LINES:
        return group, ""
    kept = {m.index for line in found[:MOST_LINES] for m in line}
    said = _sentence("lines", MOST_LINES, len(found))
    return group.part(m for m in group.members if m.index in kept), said


def shortened(chart: Chart, said: str) -> Chart:
    """The chart with the sentence, and with no more rows behind it than anyone reads."""
    notes = [said]
    if len(chart.rows) > MOST_ROWS:
        notes.append(
            f"The table behind the chart has the first {MOST_ROWS} of {len(chart.rows):,} "
            "rows; the figures below have all."
        )
    return replace(chart, rows=chart.rows[:MOST_ROWS], notes=(*chart.notes, *filter(None, notes)))


def _sentence(things: str, shown: int, of: int) -> str:
    return f"The chart shows the first {shown} of {of:,} {things}; the figures below have all."
