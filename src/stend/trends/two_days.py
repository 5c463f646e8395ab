"""What changed on each machine between two days, and which changes machines share.

The newest run up to the end of either day stands for a machine, of one size and, where there is
one, of one label. Facts are compared whole; figures here only by their medians, which costs little:
a picture, and no verdict. A verdict takes both runs whole: `compare`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import median

from stend.comparing.differences import Difference, differences
from stend.comparing.facts import CONDITION
from stend.comparing.fleet_figures import (
    MEASURED,
    figures_of,
    kind_of,
    looked_at,
    mean_speed,
    speed,
)
from stend.comparing.outliers import Looked
from stend.errors import UsageError
from stend.record import Record, Run, family_of
from stend.record.text import SET, natural
from stend.store import Filter, Newest, Store

NOTED = 0.03
"""A median that moved by less is not told of: runs of one machine often lie so far apart."""
_LARGEST = 5
_FIRST, _LAST = date(1970, 1, 1), date(9998, 12, 31)
"""Clocks tell no time before, and Python none that is much later."""


class Moved(Record, frozen=True, kw_only=True):
    """A figure whose median moved."""

    name: str
    benchmark: str
    speed: float
    """How many times as good as before it is."""


class Step(Record, frozen=True, kw_only=True):
    """One machine from the one day to the other."""

    host: str | None
    before: str
    """The id of its run."""
    after: str
    labels: tuple[str, str]
    started: tuple[str, str]
    facts: tuple[Difference, ...]
    """What is not the same, but for what disturbed the runs."""
    conditions: tuple[Difference, ...]
    """What disturbed one of the runs only."""
    figures: int
    """That both runs have."""
    better: int
    """Of which the median moved by `NOTED` at least."""
    worse: int
    families: dict[str, float]
    """How many times as good as before a family is, by the geometric mean."""
    largest: tuple[Moved, ...]


class Seen(Record, frozen=True, kw_only=True):
    """A machine that only one of the days has."""

    host: str | None
    run: str
    started: str


class Effect(Record, frozen=True, kw_only=True):
    """A family on the machines that share a change, beside those that don't."""

    family: str
    better: int
    """Machines on which its mean moved by `NOTED` at least."""
    worse: int
    machines: int
    """That share the change and have the family."""
    middle: float
    """The median of how many times as good it is on them."""
    elsewhere: float | None
    """The same on all others; None without any."""


class Common(Record, frozen=True, kw_only=True):
    """A change of a fact that machines share."""

    what: str
    a: str
    b: str
    why: str
    """How it can move figures; empty where nothing is known of it."""
    hosts: tuple[str | None, ...]
    effects: tuple[Effect, ...]
    """Only families that moved; the largest first."""


class Changes(Record, frozen=True, kw_only=True):
    """All that changed between two days."""

    first: str
    """The day, as 2026-11-02."""
    last: str
    steps: tuple[Step, ...]
    common: tuple[Common, ...]
    """Those that most machines share first."""
    appeared: tuple[Seen, ...] = ()
    vanished: tuple[Seen, ...] = ()
    """Machines that were measured before, and not between the days."""
    damaged: tuple[str, ...] = ()
    """Ids of runs that can't be read."""


@dataclass(frozen=True, slots=True)
class Between:
    """Which days, in UTC, and which runs."""

    first: date
    last: date
    label: str | None = None
    size: str | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """Which runs are set side by side; of the same ones what changed is the same."""

    pairs: tuple[tuple[Newest, Newest], ...]
    appeared: tuple[Newest, ...]
    vanished: tuple[Newest, ...]


def changes(store: Store, asked: Between) -> Changes:
    """Set each machine's newest run of the last day beside that of the first.

    Raises:
        UsageError: the last day is not after the first one, or one is out of all bounds.
    """
    return changes_of(store, asked, paired(store, asked))


def changes_of(store: Store, asked: Between, runs: Paired) -> Changes:
    """Set these runs side by side."""
    looked, damaged = looked_at(store, [one.id for pair in runs.pairs for one in pair])
    by_id = {one.run.id: one for one in looked}
    steps = tuple(
        _step(by_id[a.id], by_id[b.id]) for a, b in runs.pairs if a.id in by_id and b.id in by_id
    )
    return Changes(
        first=asked.first.isoformat(),
        last=asked.last.isoformat(),
        steps=steps,
        common=tuple(_common(steps)),
        appeared=tuple(map(_seen, runs.appeared)),
        vanished=tuple(map(_seen, runs.vanished)),
        damaged=tuple(damaged),
    )


def paired(store: Store, asked: Between) -> Paired:
    """The runs of machines that both days have, and those that only the last or the first has.

    A run of a clock that was never set is of no day.

    Raises:
        UsageError: as `changes` does.
    """
    if not asked.first >= _FIRST or not asked.last <= _LAST:
        raise UsageError(
            f"Dates must be between {_FIRST} and {_LAST}; got {asked.first} and {asked.last}."
        )
    if asked.last <= asked.first:
        raise UsageError(f"{asked.first} is not before {asked.last}; give the earlier day first.")
    middle, end = _end(asked.first), _end(asked.last)
    chosen = Filter(
        label=asked.label,
        sizes=MEASURED if asked.size is None else (asked.size,),
        finished=True,
    )
    after = store.newest(replace(chosen, since=max(middle, SET), before=end))
    before: dict[str | None, list[Newest]] = {}
    for one in store.newest(replace(chosen, since=SET, before=middle), by_kind=True):
        before.setdefault(one.host, []).append(one)
    alike = [(_alike(before.get(one.host, ()), one), one) for one in after]
    hosts = {one.host for one in after}
    gone = [of for host, of in before.items() if host not in hosts]
    return Paired(
        pairs=tuple((a, b) for a, b in alike if a is not None),
        appeared=tuple(b for a, b in alike if a is None),
        vanished=tuple(max(of, key=lambda one: one.began) for of in gone),
    )


def _end(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def _alike(before: Iterable[Newest], after: Newest) -> Newest | None:
    """The newest of the same size and label; of another label where that has none."""
    sized = [one for one in before if one.size == after.size]
    labelled = [one for one in sized if one.label == after.label]
    return max(labelled or sized, key=lambda one: one.began, default=None)


def _seen(one: Newest) -> Seen:
    started = datetime.fromtimestamp(one.began / 1e6, UTC)
    return Seen(host=one.host, run=one.id, started=started.isoformat())


def _step(a: Looked, b: Looked) -> Step:
    facts, conditions = split_differences(a.run, b.run)
    before = {kind_of(one): one for one in figures_of(a)}
    moved = [
        Moved(name=one.case.name, benchmark=one.case.benchmark, speed=by)
        for one in figures_of(b)
        if (like := before.get(kind_of(one)))
        and (by := speed(one.case.metric, like.value or 0.0, one.value or 0.0)) is not None
    ]
    noted = sorted((m for m in moved if is_noted(m.speed)), key=lambda m: -abs(m.speed - 1))
    families: dict[str, list[Moved]] = {}
    for one in moved:
        families.setdefault(family_of(one.benchmark), []).append(one)
    means = {name: mean_speed((m.benchmark, m.speed) for m in of) for name, of in families.items()}
    return Step(
        host=b.run.machine.host,
        before=a.run.id,
        after=b.run.id,
        labels=(a.run.label, b.run.label),
        started=(a.run.started, b.run.started),
        facts=facts,
        conditions=conditions,
        figures=len(moved),
        better=sum(one.speed > 1 for one in noted),
        worse=sum(one.speed < 1 for one in noted),
        families={name: mean for name, mean in means.items() if mean is not None},
        largest=tuple(noted[:_LARGEST]),
    )


def split_differences(a: Run, b: Run) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """What was set up otherwise, and what disturbed one of the runs only."""
    found = differences(a, b)
    disturbed = tuple(one for one in found if one.what.startswith(CONDITION))
    return tuple(one for one in found if one not in disturbed), disturbed


def is_noted(speed: float) -> bool:
    """Whether a figure moved by so much that it is told of."""
    return speed >= 1 + NOTED or speed <= 1 / (1 + NOTED)


def _common(steps: Sequence[Step]) -> list[Common]:
    found: dict[tuple[str, str, str], list[Step]] = {}
    why: dict[str, str] = {}
    for step in steps:
        for one in step.facts:
            found.setdefault((one.what, one.a, one.b), []).append(step)
            why[one.what] = one.why
    shared = [
        Common(
            what=what,
            a=a,
            b=b,
            why=why[what],
            hosts=tuple(sorted((step.host for step in having), key=_by_name)),
            effects=tuple(_effects(having, steps)),
        )
        for (what, a, b), having in found.items()
    ]
    return sorted(shared, key=lambda one: -len(one.hosts))


def _by_name(host: str | None) -> tuple[bool, list[tuple[int, str]]]:
    return host is None, natural(host or "")


def _effects(having: Sequence[Step], steps: Sequence[Step]) -> list[Effect]:
    inside = {step.host for step in having}
    of_these = _by_family(having)
    others = _by_family(step for step in steps if step.host not in inside)
    effects = [
        Effect(
            family=family,
            better=sum(is_noted(one) and one > 1 for one in speeds),
            worse=sum(is_noted(one) and one < 1 for one in speeds),
            machines=len(speeds),
            middle=median(speeds),
            elsewhere=median(others[family]) if family in others else None,
        )
        for family, speeds in of_these.items()
    ]
    moved = [one for one in effects if 2 * max(one.better, one.worse) > one.machines]
    return sorted(moved, key=lambda one: -abs(one.middle - 1))


def _by_family(steps: Iterable[Step]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for step in steps:
        for family, mean in step.families.items():
            found.setdefault(family, []).append(mean)
    return found
