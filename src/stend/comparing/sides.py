"""One side of a comparison: its cases, and what its runs make of each.

A run is the unit where a side has several: what differs between runs is part of the answer.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from stend.comparing.comparability import failed_proof
from stend.comparing.estimate import CONFIDENCE, Estimate, Interval, estimate
from stend.comparing.facts import configuration, same_machine
from stend.comparing.judgement import Side
from stend.comparing.metrics import limits_of, views
from stend.errors import UsageError
from stend.record import CaseRecord, Metric, Run
from stend.statistics import over_processes, superiority

Runs = tuple[Run, ...]


def runs_of(side: Run | Sequence[Run], name: str) -> Runs:
    """The runs of a side, as many as there are.

    Raises:
        UsageError: there is none, or one is given twice.
    """
    runs = (side,) if isinstance(side, Run) else tuple(side)
    if not runs:
        raise UsageError(f"{name} has no run to compare; name at least one.")
    ids = [run.id for run in runs]
    twice = next((i for i in ids if ids.count(i) > 1), None)
    if twice is not None:
        raise UsageError(
            f"The run {twice[:8]} is given twice in {name}; a run counts once, so name another."
        )
    return runs


def side_of(runs: Runs, variant: str = "", notes: Sequence[str] = ()) -> Side:
    """What was compared, and what sets its runs apart from each other."""
    first = runs[0]
    return Side(
        id=first.id,
        label=first.label,
        started=first.started,
        host=first.machine.host,
        variant=variant,
        more=tuple(run.id for run in runs[1:]),
        notes=(*_unlike_runs(runs), *notes),
    )


def _unlike_runs(runs: Runs) -> list[str]:
    first, *others = runs
    notes = []
    strangers = [run for run in others if not same_machine(first.machine, run.machine)]
    if strangers:
        hosts = ", ".join(dict.fromkeys(run.machine.host or "unknown" for run in runs))
        notes.append(
            f"{_so_many(strangers, runs)} from another machine than the first ({hosts}): "
            "differences between machines count as noise between runs."
        )
    changed = [
        run for run in others if run not in strangers and configuration(run) != configuration(first)
    ]
    if changed:
        notes.append(
            f"{_so_many(changed, runs)} made with other versions or settings than the first: "
            "what those change counts as noise between runs."
        )
    jumped = [run.id[:8] for run in runs if _ends_before_it_begins(run)]
    if jumped:
        notes.append(
            f"The clock was set back during {', '.join(jumped)}: it ends before it begins."
        )
    return notes


def _so_many(some: Sequence[Run], runs: Runs) -> str:
    """`1 of its 3 runs (0123abcd) is`."""
    ids = ", ".join(run.id[:8] for run in some)
    return f"{len(some)} of its {len(runs)} runs ({ids}) {'is' if len(some) == 1 else 'are'}"


def _ends_before_it_begins(run: Run) -> bool:
    if run.finished is None:
        return False
    return datetime.fromisoformat(run.finished) < datetime.fromisoformat(run.started)


def cases_of(runs: Runs) -> list[CaseRecord]:
    """A case for each that any of the runs has: of the first that has a figure of it."""
    found: dict[tuple[str, str], CaseRecord] = {}
    for case in (case for run in runs for case in run.cases):
        known = found.get((case.key, case.side))
        if known is None or (case.has_figure and not known.has_figure):
            found[case.key, case.side] = case
    return list(found.values())


class Found(NamedTuple):
    """What the runs of a side have of one figure."""

    estimates: dict[str, Estimate]
    """By the id of the run."""
    cases: list[CaseRecord]
    """That they are of."""
    left_out: str
    """Which runs lack it, as a sentence; empty where none does."""
    trouble: str
    """Why it can't be told from what they have; empty where it can."""


class Index:
    """The figures of a side's runs by what two runs have in common."""

    def __init__(self, runs: Runs, name: str) -> None:
        self._runs = runs
        self._name = name
        self.limits = limits_of(runs)
        """What bounds its figures."""
        self._cases = [{(c.key, c.side): c for c in run.cases} for run in runs]

    def of(self, case: CaseRecord, view: CaseRecord) -> Found:
        """What each run has of the figure `view` of `case`."""
        estimates: dict[str, Estimate] = {}
        counted: list[CaseRecord] = []
        lacking: list[str] = []
        unlike: list[str] = []
        trouble = ""
        for run, cases in zip(self._runs, self._cases, strict=True):
            like = _like(cases.get((case.key, case.side)), case, view)
            found = estimate(like) if like and like.has_figure else None
            if like:
                trouble = trouble or self._trouble(like)
            if like is None or found is None:
                lacking.append(run.id[:8])
            elif (like.metric, like.work) != (view.metric, view.work):
                unlike.append(run.id[:8])
            else:
                estimates[run.id] = found
                counted.append(like)
        return Found(estimates, counted, self._left_out(lacking, unlike), trouble)

    def _trouble(self, case: CaseRecord) -> str:
        wrong = failed_proof(case)
        if wrong:
            return f"The proof of {self._name} failed: {wrong}"
        jump = clock_jump(case)
        return f"The clock of {self._name} jumped: {jump}" if jump else ""

    def _left_out(self, lacking: list[str], unlike: list[str]) -> str:
        said = []
        of_all = f"of {self._name}'s {len(self._runs)} runs"
        if lacking:
            said.append(f"{len(lacking)} {of_all} lack it ({', '.join(lacking)}).")
        if unlike:
            said.append(
                f"{len(unlike)} {of_all} measured it in another unit or with other work and are "
                f"left out ({', '.join(unlike)})."
            )
        return " ".join(said)


def _like(found: CaseRecord | None, case: CaseRecord, view: CaseRecord) -> CaseRecord | None:
    """The view of the case that was found that is to `view` as it is to `case`."""
    if found is case:
        return view
    if found is None or view is case:
        return found
    return next((v for v in views(found) if v.key == view.key), None)


def clock_jump(case: CaseRecord) -> str:
    """What shows that the clock is not to be trusted, as a sentence; empty where nothing does.

    Processes of one run read the same clock, whose rate was measured in each of them.
    """
    rates = [sample.hz for sample in case.samples]
    if rates and max(rates) > (1 + _SAME_RATE) * min(rates):
        return f"its processes measured it at {min(rates):.6g} and at {max(rates):.6g} Hz."
    return ""


_SAME_RATE = 0.005
"""Rates of one clock that differ by more can't both be right: half of what matters."""


def superiority_of(metric: Metric, a: Sequence[float], b: Sequence[float]) -> float | None:
    """The share of pairs in which B's is the better."""
    return superiority(a, b) if metric.better == "higher" else superiority(b, a)


def together(found: Sequence[Estimate]) -> Estimate | None:
    """The figures of a side's runs as one: the geometric mean of them, its interval over runs."""
    if len(found) < 2:
        return found[0] if found else None
    values = np.array([one.value for one in found])
    positive = bool((values > 0).all())
    value = float(np.exp(np.log(values).mean()) if positive else np.median(values))
    over = over_processes(values, CONFIDENCE, share=found[0].unit == "share")
    ends = None if over.low is None or over.high is None else (over.low, over.high)
    medians = [median for one in found for median in one.medians.values()]
    return replace(
        found[0],
        value=value,
        interval=ends and Interval(low=ends[0], high=ends[1], confidence=CONFIDENCE, over="runs"),
        why=over.reason.replace("process", "run"),
        medians=dict(enumerate(medians)),
        processes=sum(one.processes for one in found),
        repetitions=sum(one.repetitions for one in found),
        spread=(min(one.spread[0] for one in found), max(one.spread[1] for one in found)),
    )
