"""Runs → what the page's template shows: plain data, nothing decided in the template."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stend.cautions import Caution
from stend.comparing import Estimate, Judgement, estimate
from stend.machine import disturbed
from stend.record import CaseRecord, Conditions, Disturbance, Run, Sample, Scalar, Status
from stend.report.charts.peak import cycles
from stend.report.limits import FREQUENCY, Limits, limits
from stend.report.measured import Measured
from stend.report.names import short
from stend.report.quantities import figure, parameter, share_in_words


@dataclass(frozen=True, slots=True)
class Row:
    """One measured case in the table of figures."""

    measured: Measured
    id: str
    """Of its distribution in the page."""
    name: str
    where: str
    """Its parameters that vary within the benchmark, in words."""
    variant: str
    shown: str
    within: bool
    """The interval is only of repetitions within one process."""
    spread: str
    repetitions: str
    stopped: str
    limits: tuple[str, ...]
    """What it reaches of the measured peak, and of the memory's theoretical bandwidth."""
    notes: tuple[str, ...]
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of one benchmark."""

    benchmark: str
    question: str
    metric: str
    constants: str
    rows: tuple[Row, ...]
    best: Row

    @property
    def limited(self) -> bool:
        """Whether the run knows a limit of any of them."""
        return any(row.limits for row in self.rows)


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that disturbs, when it was there, and how many repetitions it hit."""

    disturbance: Disturbance
    when: str
    hit: str


def tables(run: Run, prefix: str) -> tuple[Table, ...]:
    """The figures of a run, a table a benchmark; cases without a figure are in `missing`."""
    measured = [
        Measured(i, case, e)
        for i, case in enumerate(run.cases)
        if case.has_figure and (e := estimate(case))
    ]
    bounds = limits(run.machine, measured)
    found: dict[str, list[Measured]] = {}
    for m in measured:
        found.setdefault(m.case.benchmark, []).append(m)
    return tuple(_table(members, bounds, prefix) for members in found.values())


def missing(run: Run, shown: Sequence[Table]) -> tuple[tuple[str, str, str], ...]:
    """Name, status and reason of every case that has no figure."""
    there = {row.measured.index for table in shown for row in table.rows}
    return tuple(
        (case.name, case.status.value, case.reason or _why(case))
        for i, case in enumerate(run.cases)
        if i not in there
    )


def conditions(run: Run) -> tuple[Condition, ...]:
    """What was there before the run, then each kind that came during it, all its spells as one."""
    watched = run.conditions.watched
    begun = [s.origin for case in run.cases for s in case.samples]
    first = min(begun, default=watched.at[0] if watched and watched.at else 0)
    kinds: dict[str, list[Disturbance]] = {}
    for spell in run.conditions.during:
        kinds.setdefault(spell.kind, []).append(spell)
    before = [Condition(d, "before the run", "–") for d in run.conditions.before]
    return (*before, *(_during(run, spells, first) for spells in kinds.values()))


def cautions(shown: Sequence[Table]) -> tuple[tuple[Caution, tuple[str, ...]], ...]:
    """Each caution with the cases that carry it, the most frequent first."""
    found: dict[Caution, list[str]] = {}
    for row in (row for table in shown for row in table.rows):
        for caution in row.cautions:
            found.setdefault(caution, []).append(row.name)
    return tuple((c, tuple(n)) for c, n in sorted(found.items(), key=lambda i: -len(i[1])))


def judged(rows: Sequence[Judgement]) -> tuple[tuple[str, Judgement], ...]:
    """Each judgement with as much of its case's name as tells it from the others."""
    return tuple(zip(short([row.name for row in rows]), rows, strict=True))


def reasons(rows: Sequence[Judgement]) -> dict[str, tuple[str, ...]]:
    """What a verdict leaves open or can't tell, and why: the reason, and the cases it is for."""
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        if row.reason:
            found[row.reason] = (*found.get(row.reason, ()), row.name)
    return found


def _table(members: list[Measured], bounds: Limits, prefix: str) -> Table:
    parameters = [m.case.parameters for m in members]
    constant = {
        name: value
        for name, value in parameters[0].items()
        if len(members) > 1 and all(p.get(name) == value for p in parameters)
    }
    rows = tuple(_row(m, constant, bounds, prefix) for m in members)
    first = members[0].case
    choose = max if first.metric.better == "higher" else min
    return Table(
        benchmark=first.benchmark,
        question=first.question,
        metric=first.metric.name,
        constants=" · ".join(f"{n} {parameter(n, v)}" for n, v in constant.items()),
        rows=rows,
        best=choose(_largest(rows), key=lambda row: _goodness(row.measured.estimate)),
    )


def _largest(rows: Sequence[Row]) -> list[Row]:
    """Of a benchmark over sizes of memory, the rows of the largest: a cache's figure misleads."""
    sizes = [row.measured.case.parameters.get("size") for row in rows]
    most = max((s for s in sizes if isinstance(s, int)), default=None)
    return [row for row, size in zip(rows, sizes, strict=True) if size == most] or list(rows)


def _row(m: Measured, constant: Mapping[str, Scalar], bounds: Limits, prefix: str) -> Row:
    e, case = m.estimate, m.case
    return Row(
        measured=m,
        id=f"{prefix}case-{m.index}",
        name=case.name,
        where=" · ".join(
            f"{n} {parameter(n, v)}" for n, v in case.parameters.items() if n not in constant
        ),
        variant=m.variant,
        shown=figure(e.value, e.unit, e.ends),
        within=e.interval is not None and e.interval.over == "repetitions",
        spread=f"{figure(e.spread[0], e.unit)} – {figure(e.spread[1], e.unit)}",
        repetitions=f"{e.repetitions:,} × 1"
        if case.is_program
        else f"{e.processes} × {e.repetitions // e.processes:,}",
        stopped=", ".join(dict.fromkeys(s.stop.criterion for s in case.samples)),
        limits=tuple(_limits(m, bounds)),
        notes=tuple(filter(None, [case.reason, cycles(m), *_notes(e)])),
        cautions=case.cautions,
    )


def _limits(m: Measured, bounds: Limits) -> Iterator[str]:
    for share, what in ((bounds.of_peak(m), "peak"), (bounds.of_memory(m), "theoretical")):
        if share is not None:
            yield f"{share_in_words(share)} of {what}"


def _goodness(e: Estimate) -> float:
    """What is compared for the best: an error is good when it is near 0."""
    return abs(e.value) if e.unit == "relative" else e.value


def _notes(e: Estimate) -> list[str]:
    notes = []
    besides = {name: value for name, value in e.also.items() if name != FREQUENCY}  # in `cycles`
    if besides:
        notes.append(", ".join(_median(name, value) for name, value in besides.items()))
    if e.mean is not None:
        notes.append(f"mean of the accepted round {figure(e.mean, e.unit)}")
    if e.modes:
        notes.append("two modes: " + ", ".join(
            f"{figure(m.value, e.unit)} ({m.weight:.0%})" for m in e.modes))  # fmt: skip
    return notes


def _median(name: str, value: float) -> str:
    """`user 1.2 ms` of a column "user s"."""
    what, _, unit = name.rpartition(" ")
    return f"{what} {figure(value, unit)}" if what else f"{name} {value:g}"


def _why(case: CaseRecord) -> str:
    if case.status is Status.CHECKED:
        return "It ran once, untimed, and its work was right."
    return "No repetition gave a value."


def _during(run: Run, spells: Sequence[Disturbance], first: int) -> Condition:
    """The longest spell speaks for its kind; one without an end was there throughout."""
    timed = [(d.end - d.start, d) for d in spells if d.start is not None and d.end is not None]
    if len(timed) < len(spells):
        return Condition(spells[0], "throughout", "–")
    longest = max(timed, key=lambda spell: spell[0])[1]
    total = sum(length for length, _ in timed) / 1e9
    start = min(d.start for _, d in timed if d.start is not None)
    when = f"from {max(0.0, (start - first) / 1e9):.1f} s for {total:.1f} s"
    if len(timed) > 1:
        when = f"{len(timed)} times, {total:.1f} s in all; here the longest"
    return Condition(longest, when, _hit(run, spells))


def _hit(run: Run, spells: Sequence[Disturbance]) -> str:
    hit: list[tuple[str, int]] = []
    for case in run.cases:
        count = sum(_overlapping(s, spells) for s in case.samples)
        hit += [(case.name, count)] if count else []
    if not hit:
        return "no repetition"
    total = sum(count for _, count in hit)
    names = ", ".join(name for name, _ in hit[:2])
    more = f" and {len(hit) - 2} more cases" if len(hit) > 2 else ""
    return f"{total:,} repetition{'s' * (total != 1)} of {names}{more}"


def _overlapping(sample: Sample, spells: Sequence[Disturbance]) -> int:
    """How many repetitions they met; spells at other times are passed over at once."""
    if len(sample.started) == 0:
        return 0
    begun = sample.origin + sample.started[0] * 1e9 / sample.hz
    ended = sample.origin + (sample.started[-1] + sample.ticks[-1]) * 1e9 / sample.hz
    near = [d for d in spells if (d.end or 0) > begun and (d.start or 0) < ended]
    return int(np.count_nonzero(disturbed(sample, Conditions(during=tuple(near))))) if near else 0
