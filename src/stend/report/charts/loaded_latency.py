"""Chart of loaded latency: against the bandwidth that other threads take.

Where the line rises, the memory begins to run out. On many machines a few readers can't take it
that far: then the words say so, and what to try.
"""

from collections.abc import Sequence
from math import inf

from stend.report.charts import bars
from stend.report.charts.chart import Chart, Panel, label
from stend.report.charts.group import Group, by_series
from stend.report.measured_case import Measured
from stend.report.quantities import figure, percent, scale

INJECTED = "injected B/s"
_WIDE = 0.5
"""Share of a figure from which on its interval hides what a load does."""
_STEEP = 1.5
"""Times the latency without load that a loaded memory's is at least: a queue has formed."""


def takes(group: Group) -> bool:
    """Whether each case tells how many bytes a second the others moved meanwhile."""
    return len(group.members) > 1 and all(
        m.estimate.also.get(INJECTED, -1.0) >= 0 for m in group.members
    )


def draw(group: Group) -> Chart:
    """A line for each size and number of threads, along the bandwidth that was reached."""
    series = by_series(group.members, [group.series_of(m, "delay") for m in group.members])
    injected = {m.index: m.estimate.also[INJECTED] for m in group.members}
    by = scale(max(injected.values()), "B/s")
    figures = bars.of_figures(
        group,
        series,
        lambda m: injected[m.index] * by.factor,
        lambda m: figure(injected[m.index], "B/s"),
    )
    layout = {
        "xaxis": {"title": {"text": label(f"bandwidth taken, {by.unit}")}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": label(group.axis)}, "rangemode": "tozero"},
    }
    return Chart(
        title=f"{group.title} by the load on the memory",
        says="Time of one dependent load while other threads move this many bytes a second; "
        f"lower is better. {_rise(list(series.values()))}",
        panels=(Panel(figures, layout),),
        columns=("case", group.metric, "bandwidth taken"),
        rows=tuple(
            (*row, figure(injected[m.index], "B/s"))
            for row, m in zip(group.rows(), group.members, strict=True)
        ),
        legend=tuple(series) if len(series) > 1 else (),
    )


def _rise(series: Sequence[Sequence[Measured]]) -> str:
    """What the load does to the latency, judged where it does most."""
    ends = [_least_and_most(members) for members in series]
    first, last = max(ends, key=_times)
    ratio = _times((first, last))
    more = "more readers may (`--set threads=…`, as many as there are cores)"
    if not _rises(first, last):
        if max(map(_width, (first, last))) > _WIDE:
            return "The intervals are too wide to tell whether this load slows it."
        return (
            f"Within the intervals it stays the same: this load does not fill the memory; {more}."
        )
    if ratio < _STEEP:
        return (
            f"From the least load to the most it rises by {percent(ratio).lstrip('+')}: this load "
            f"does not yet fill the memory; {more}."
        )
    return (
        f"From the least load to the most it rises to {ratio:.2g} times as long; where the line "
        "is steep, the memory is saturated."
    )


def _times(ends: tuple[Measured, Measured]) -> float:
    """The loaded latency over the unloaded one; 1 of values that no latency has."""
    first, last = (m.estimate.value for m in ends)
    return last / first if 0 < first < inf and 0 < last < inf else 1.0


def _least_and_most(members: Sequence[Measured]) -> tuple[Measured, Measured]:
    ordered = sorted(members, key=lambda m: m.estimate.also[INJECTED])
    return ordered[0], ordered[-1]


def _width(m: Measured) -> float:
    """Of its interval, as a share of the figure; none without one."""
    low, high = m.estimate.ends or (m.estimate.value,) * 2
    return (high - low) / m.estimate.value if m.estimate.value else 0.0


def _rises(first: Measured, last: Measured) -> bool:
    """Whether the last is above the first by more than their intervals."""
    _, high = first.estimate.ends or (first.estimate.value,) * 2
    low, _ = last.estimate.ends or (last.estimate.value,) * 2
    return low > high
