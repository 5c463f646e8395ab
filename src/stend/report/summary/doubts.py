"""Doubts about a run, gravest first, and how far each figure can be relied on."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stend.comparing.estimate import Values
from stend.record import CaseRecord, Disturbance, Run, Status, family_of
from stend.record.cautions import Caution
from stend.report.measured_case import Measured
from stend.report.quantities import share_in_words
from stend.report.summary.figures import Figures, over_processes
from stend.report.views import Missing, enumerated
from stend.report.workloads import was_loaded

WIDE = 0.10
"""Half of an interval, of the figure: one that is not known to a tenth can't tell two machines
of one generation apart."""
FEWEST = 3
"""Processes that have an interval; those that agree to the last digit need none."""
DISTURBED = 0.10
"""Of a case's measuring time: were a tenth of the repetitions slower, their median would be the
56th percentile of the rest, which hardly differs."""


def half_width(m: Measured) -> float | None:
    """The wider side of the interval as a part of the figure; None without an interval."""
    ends, value = m.estimate.ends, m.estimate.value
    if ends is None or not value or not all(map(np.isfinite, (*ends, value))):
        return None
    return max(ends[1] - value, value - ends[0]) / abs(value)


def is_wide(m: Measured) -> bool:
    """Whether the figure is not known to a tenth."""
    width = half_width(m)
    return width is not None and width > WIDE


def is_alone(m: Measured) -> bool:
    """Whether it has too few processes to tell what another one would give."""
    few = 0 < m.estimate.processes < FEWEST
    return few and not m.case.is_program and not over_processes(m)


def disturbed(run: Run, measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    """Kind of disturbance → the cases that spent a tenth of their time in it, if any did."""
    kinds: dict[str, list[Disturbance]] = {}
    for spell in run.conditions.during:
        kinds.setdefault(spell.kind, []).append(spell)
    begun = {kind: covered for kind, of in kinds.items() if (covered := _covered(of)) is not None}
    found: dict[str, list[Measured]] = {}
    for m in measured:
        times = _times(m.case)
        for kind, (at, sums) in begun.items():
            within = float(np.diff(np.interp(times, at, sums), axis=1).sum())
            whole = float(np.diff(times, axis=1).sum())
            if whole > 0 and within >= DISTURBED * whole:
                found.setdefault(kind, []).append(m)
    return found


def longest(spells: Iterable[Disturbance], kind: str) -> Disturbance:
    """Of the spells of a kind the longest, which speaks for them."""
    return max((d for d in spells if d.kind == kind), key=_length)


def said_of(spells: Sequence[Disturbance], kind: str) -> str:
    """What the longest spell of a kind says; of several, how long that is and of how many."""
    count = sum(d.kind == kind for d in spells)
    of_all = longest(spells, kind)
    seconds = _length(of_all) / 1e9
    of = f" ({seconds:.1f} s, the longest of {count} times)" if count > 1 and seconds else ""
    return f"{of_all.said.rstrip('.')}{of}."


def _length(d: Disturbance) -> int:
    return 0 if d.start is None or d.end is None else d.end - d.start


def _covered(spells: Sequence[Disturbance]) -> tuple[Values, Values] | None:
    """Instants, ns, and how long spells had lasted by then: between two it grows evenly."""
    timed = sorted(
        (d.start, d.end)
        for d in spells
        if d.start is not None and d.end is not None and d.end > d.start
    )
    if not timed:
        return None
    at, sums, until, total = [float(timed[0][0])], [0.0], timed[0][0], 0
    for start, end in timed:
        fresh = max(start, until)
        if end > fresh:
            total += end - fresh
            at += [float(fresh), float(end)]
            sums += [sums[-1], float(total)]
            until = end
    return np.array(at), np.array(sums)


def _times(case: CaseRecord) -> Values:
    """The beginning and the end of each process's measuring, ns; a row each."""
    rows = []
    for s in case.samples:
        if len(s.started) and len(s.ticks):
            ns = 1e9 / s.hz
            begun = s.origin + s.started[0] * ns
            rows.append((begun, max(begun, s.origin + (s.started[-1] + s.ticks[-1]) * ns)))
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


_MOST_FAMILIES = 6
_ENDED = {
    Status.FAILED: "could not be measured",
    Status.CRASHED: "crashed",
    Status.TIMED_OUT: "ran out of time",
    Status.INTERRUPTED: "ended early",
}
_SIGNS: tuple[tuple[str, tuple[Caution, ...]], ...] = (
    ("moved while measured", (Caution.DRIFTING, Caution.STEP, Caution.THROTTLED)),
    ("have two values", (Caution.TWO_MODES, Caution.NOT_REPRODUCIBLE)),
    ("lost their core", (Caution.PREEMPTED, Caution.NOISY, Caution.MIGRATED)),
    ("too short for the clock", (Caution.QUANTISED, Caution.COARSE_CLOCK)),
    ("storage not in its usual state", (Caution.UNSTEADY, Caution.UNWRITTEN)),
)
"""What cautions tell together. The others say why an interval is as wide as it is, and that is
told by the interval."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Figures, or cases without one, that share a reason for doubt."""

    cause: str
    """A few words: "wrong results", "wide intervals"."""
    said: str
    """A sentence: why."""
    advice: str
    """What to do; may be empty."""
    names: tuple[str, ...]
    """The cases; none where it is about all of the run."""
    families: str
    """`memory 9, stream 4`."""
    grave: bool
    """Whether something failed, and not only is uncertain."""


def doubts(figures: Figures, missing: Sequence[Missing]) -> tuple[Doubt, ...]:
    """What failed, what is uncertain and why, what was skipped."""
    return (
        *_failures(figures.run),
        *_unfinished(figures.run),
        *_wide(figures),
        *_one_process(figures),
        *_disturbed(figures),
        *_signs(figures),
        *_throughout(figures.run),
        *_clocks(figures),
        *_skipped(missing),
    )


def _failures(run: Run) -> Iterator[Doubt]:
    wrong = [case for case in run.cases if case.status is Status.WRONG]
    if wrong:
        yield _about(
            "wrong results", f"The proof failed: {_reasons(wrong)}",
            "A wrong result has no figure. Measure again; if it stays wrong, suspect the "
            "library, then the memory, and don't use that variant.", _named(wrong), grave=True,
        )  # fmt: skip
    for status, words in _ENDED.items():
        cases = [case for case in run.cases if case.status is status]
        if cases:
            yield _about(
                words, _reasons(cases), "", _named(cases), status is not Status.INTERRUPTED
            )


def _unfinished(run: Run) -> Iterator[Doubt]:
    if run.finished is None:
        yield _whole(
            "not finished", "The run is in progress, or ended early: cases may be missing or have "
                    "fewer processes than planned.", "Run the command again.",
        )  # fmt: skip


def _wide(figures: Figures) -> Iterator[Doubt]:
    wide = [m for m in figures.measured if is_wide(m)]
    if wide:
        counts = Counter(m.case.family for m in wide).most_common(_MOST_FAMILIES)
        families = " ".join(family for family, _ in counts)
        yield _about(
            "wide intervals",
            "Their processes differ so much that the interval is wider than "
            f"±{share_in_words(WIDE)} of the figure.",
            _narrower(wide, families),
            _measured(wide),
        )


def _one_process(figures: Figures) -> Iterator[Doubt]:
    single = [m for m in figures.measured if is_alone(m)]
    if single:
        yield _about(
            "too few processes",
            "They ran in only one or two processes, and another process may give another "
            "figure: their intervals hold within one process only.",
            " ".join(_more_processes(single)),
            _measured(single),
        )


def _narrower(wide: Sequence[Measured], families: str) -> str:
    """Of storage there is neither --full nor --versus."""
    if all(was_loaded(m.case) for m in wide):
        return "Ask for more rounds (`--rounds`), with nothing else on this machine or the storage."
    return (
        f"Measure them with more processes, on a quiet machine: `stend run {families} --full`. "
        "To decide between variants interleave them (`--versus`)."
    )


def _more_processes(single: Sequence[Measured]) -> Iterator[str]:
    if any(not was_loaded(m.case) for m in single):
        yield "Run them in more processes (`--full`)."
    if any(was_loaded(m.case) for m in single):
        yield "For storage, ask for more rounds (`--rounds`)."


def _disturbed(figures: Figures) -> Iterator[Doubt]:
    for kind, met in disturbed(figures.run, figures.measured).items():
        worst = longest(figures.run.conditions.during, kind)
        said = said_of(figures.run.conditions.during, kind)
        yield _about(
            f"disturbed: {kind}",
            f"{said} It disturbed a tenth of their time or more.",
            worst.advice,
            _measured(met),
        )


def _signs(figures: Figures) -> Iterator[Doubt]:
    for cause, of in _SIGNS:
        met = [m for m in figures.measured if set(of) & set(m.case.cautions)]
        counts = Counter(c for m in met for c in m.case.cautions if c in of)
        if counts:
            listed = enumerated([f"{n} {caution}" for caution, n in counts.most_common()])
            said = f"At least half of their processes have a caution: {listed}."
            most = counts.most_common(1)[0][0]
            yield _about(cause, said,
                         most.advice, _measured(met))  # fmt: skip


def _throughout(run: Run) -> Iterator[Doubt]:
    """What was there before the first case, or all the time: it may have met any of them."""
    for d in run.conditions.before:
        yield _whole(f"before the run: {d.kind}", d.said, d.advice)
    endless = [d for d in run.conditions.during if d.start is None or d.end is None]
    for kind, d in {d.kind: d for d in reversed(endless)}.items():
        yield _whole(f"throughout: {kind}", d.said, d.advice)


def _clocks(figures: Figures) -> Iterator[Doubt]:
    run = figures.run
    if run.finished is not None and run.finished < run.started:
        yield _whole(
            "clock set back", f"The run ended at {run.finished}, before it began at {run.started}: "
            "the machine's clock was set back. Durations use another clock and are valid.", "",
        )  # fmt: skip
    coarse = [c for c in run.machine.clocks if not c.available and c.reason]
    used = {s.clock for m in figures.measured for s in m.case.samples}
    for clock in coarse:
        if clock.name == "tsc" and used:
            yield _whole("clock", f"The time-stamp counter can't be used: {clock.reason}; times "
                         f"are of {enumerated(sorted(used))}.", "")  # fmt: skip


def _skipped(missing: Sequence[Missing]) -> Iterator[Doubt]:
    """How to get what was skipped is in its reason."""
    for m in missing:
        if m.status == Status.SKIPPED.value:
            yield _about("skipped", m.reason, "", m.names)


def _about(cause: str, said: str, advice: str, names: Sequence[str], grave: bool = False) -> Doubt:
    counts = Counter(family_of(name.partition(" ")[0]) for name in names)
    listed = [f"{family} {n}" for family, n in counts.most_common()]
    return Doubt(cause, said, advice, tuple(names), enumerated(listed) if listed else "", grave)


def _whole(cause: str, said: str, advice: str) -> Doubt:
    return Doubt(cause, said, advice, (), "", False)


def _reasons(cases: Sequence[CaseRecord]) -> str:
    """The most frequent reason, and how many others there are."""
    counts = Counter(case.reason for case in cases)
    first, _ = counts.most_common(1)[0]
    more = f" {len(counts) - 1} other reason{'s' * (len(counts) > 2)} below." if (
        len(counts) > 1) else ""  # fmt: skip
    return (first or "No reason is recorded.") + more


def _named(cases: Sequence[CaseRecord]) -> list[str]:
    return [case.name for case in cases]


def _measured(members: Sequence[Measured]) -> list[str]:
    return [m.case.name for m in members]
