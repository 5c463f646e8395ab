"""More threads that give little: the speed-up from one to the most, where it is surely poor."""

from collections.abc import Iterator

from stend.comparing.limits import threads_of
from stend.report.quantities import counted, share_in_words
from stend.report.summary.figures import Figures, alike, but_for, shown, times
from stend.report.summary.finding import Finding

_POOR = 0.75
"""Of the number of threads: below this one core in four stands idle or waits."""


def poor_scaling(figures: Figures) -> Iterator[Finding]:
    """A rate on the most threads is surely less than three quarters of so many times one's.

    Rates of storage and of contended locks are not meant to grow with threads, and have other
    units.
    """
    rates = [m for m in figures.measured if m.case.metric.unit in {"B/s", "FLOP/s", "block/s"}]
    for group in alike(rates, lambda m: but_for(m, "threads")):
        ordered = sorted(group, key=lambda m: threads_of(m.case))
        one, most = ordered[0], ordered[-1]
        count = threads_of(most.case)
        if threads_of(one.case) != 1 or count == 1:
            continue
        found = times(one, most)
        if found.high is not None and found.high < _POOR * count:
            gain = most.estimate.value / one.estimate.value
            yield Finding(
                f"{counted(count, 'threads')} are only {gain:.2f} times as fast as "
                f"one, {share_in_words(gain / count)} of what so many could be: "
                f"{figures.name(most)}, {shown(most)} beside {shown(one)}.",
                most.index,
                _POOR * count / found.high,
            )
