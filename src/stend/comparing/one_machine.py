"""A machine's stored runs → how its headline figures went, and what changed in its facts, when."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from stend.comparing.across import across, by_machine, headlines
from stend.comparing.differences import Difference
from stend.comparing.gathering import MEASURED, newest_figures
from stend.comparing.history import history
from stend.comparing.in_order import in_order
from stend.comparing.trend import Trend, trends
from stend.comparing.two_days import told
from stend.record import Record, Run
from stend.store import Filter, Store


class FactsChanged(Record, frozen=True, kw_only=True):
    """Two runs in a row between which facts of a machine changed."""

    after: str
    """When the run before it began."""
    before: str
    """When the run began that has the new ones."""
    run: str
    """Its id."""
    facts: tuple[Difference, ...]


def facts_changed(runs: Sequence[Run]) -> tuple[FactsChanged, ...]:
    """What changed between any two in a row, newest first; the runs are in the order of time."""
    found = [
        FactsChanged(after=a.started, before=b.started, run=b.id, facts=facts)
        for a, b in pairwise(runs)
        if (facts := tuple(one for one in told(a, b)[0] if one.what not in _OF_THE_RUN))
    ]
    return tuple(found[::-1])


_OF_THE_RUN = {"size"}
"""What was chosen for a run says nothing of its machine."""


def headline_trends(store: Store, host: str | None, limit: int, now: datetime) -> tuple[Trend, ...]:
    """The trends of one figure a family over a machine's newest runs.

    Whichever of its runs measured them last.
    """
    of_it = Filter(hosts=[host], sizes=MEASURED, finished=True)
    rows = headlines(across(by_machine(newest_figures(store, of_it).runs)))
    if not rows:
        return ()
    benchmarks = [row.benchmark for row in rows]
    like = {(row.variant, *sorted(row.parameters.items())) for row in rows}
    kinds = [
        text
        for text, kind in store.kinds(benchmarks).items()
        if (kind.variant, *sorted(kind.parameters.items())) in like
    ]
    cases = Filter(benchmarks, kinds, [host], sizes=MEASURED, limit=limit, finished=True)
    runs, _ = in_order(history(store, cases).runs, now)
    names = {row.name for row in rows}
    return tuple(
        one
        for one in trends([(past.run, [f for of in past.cases for f in of]) for past in runs])
        if one.name in names
    )
