"""Tables of storage: the workloads of a run, and two systems compared.

A failed one keeps the figures of what it did, marked as such: they are no result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stend.comparing import FIGURE, Comparison, Estimate, Judgement, Verdict, estimate
from stend.comparing.metrics import figures
from stend.comparing.publications import StorageFigure
from stend.record import CaseRecord, Metric, Scalar, Status
from stend.record.cautions import Caution
from stend.report.quantities import figure, parameter, percent, share_in_words

FAMILY = "storage"
STEADY = "unsteady"
_WAYS = {
    "read": "read", "write": "write", "randread": "random read", "randwrite": "random write",
    "rw": "read and write", "randrw": "random read and write", "several": "several workloads",
}  # fmt: skip
_RARE = "p99.99 latency"
"""It takes 100,000 operations; comparisons and the chart of the percentiles have it."""
_TOLD = {"block", "depth", "jobs", "target", "load", "read_percent", FIGURE}
"""Parameters that the name of a workload has in its own words."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One row."""

    name: str
    under_way: str
    """Requests that are under way at once: `64 × 2 = 128`, depth and jobs."""
    cells: tuple[str, ...]
    """Its figures in words; "–" where there is none."""
    rounds: int
    state: str
    """"ok", "partial", "failed", "interrupted", "unsteady", or how else the case ended; "unwritten"
    where what was read tells little of the device."""
    reasons: tuple[str, ...]
    """Why it is not ok, in sentences; a caution is explained below all tables."""
    counts: bool
    """Whether its figures are a result."""


@dataclass(frozen=True, slots=True)
class Workloads:
    """All workloads of a run."""

    columns: tuple[str, ...]
    """The figures' names."""
    rows: tuple[Workload, ...]

    @property
    def failed(self) -> int:
        """How many have no result."""
        return sum(not row.counts for row in self.rows)


def is_storage(case: CaseRecord) -> bool:
    """Whether it is a workload."""
    return case.family == FAMILY


def was_loaded(case: CaseRecord) -> bool:
    """Whether it is a workload that was begun, however it ended: it has a row of its own.

    One that was only checked is told as all others are.
    """
    return is_storage(case) and bool(case.samples) and case.status is not Status.CHECKED


def workloads(cases: Sequence[CaseRecord]) -> Workloads | None:
    """The table of a run's workloads; None where none was begun."""
    mine = [case for case in cases if was_loaded(case)]
    if not mine:
        return None
    names = dict.fromkeys(m.name for case in mine for m in (case.metric, *case.further.values()))
    columns = tuple(name for name in names if name != _RARE)
    return Workloads(columns, tuple(_row(case, columns) for case in mine))


def workload_name(benchmark: str, parameters: Mapping[str, Scalar]) -> str:
    """`random read 4 KiB`, and what else is not as usual, but for what is under way at once."""
    way = benchmark.partition(".")[2]
    words = [_WAYS.get(way, way)]
    if "block" in parameters:
        words[0] += f" {parameter('block', parameters['block'])}"
    if "read_percent" in parameters:
        words.append(f"{parameters['read_percent']}% reads")
    if "load" in parameters:
        words.append(f"at {parameters['load']}%")
    if parameters.get("target") == "null":
        words.append("null target")
    rest = {n: v for n, v in parameters.items() if n not in _TOLD and v != ""}
    words += [f"{n} {parameter(n, v)}" for n, v in rest.items()]
    return ", ".join(words)


def under_way(parameters: Mapping[str, Scalar]) -> str:
    """`64 × 16 = 1,024`: the depth of each job, the jobs, and the requests outstanding."""
    requests = " × ".join(str(parameters[n]) for n in ("depth", "jobs") if n in parameters)
    total = outstanding(parameters)
    return requests if total is None or requests.endswith(" × 1") else f"{requests} = {total:,}"


def published_load(f: StorageFigure) -> str:
    """What was under way where a figure was measured, as `under_way` says it."""
    if f.jobs is None:
        return f"{f.load.depth} × {f.load.jobs} a LUN"
    return under_way({"depth": f.load.depth, "jobs": f.jobs})


def outstanding(parameters: Mapping[str, Scalar]) -> int | None:
    """Requests under way at once; None: not told."""
    depth, jobs = parameters.get("depth"), parameters.get("jobs")
    return depth * jobs if type(depth) is int and type(jobs) is int else None


def figures_of(case: CaseRecord) -> dict[str, tuple[Metric, Estimate]]:
    """Each figure that has a value, by its metric's name; of a failed case too."""
    found = {view.metric.name: (view.metric, estimate(view)) for view in figures(case)}
    return {name: (metric, e) for name, (metric, e) in found.items() if e is not None}


def in_words(metric: Metric, e: Estimate, ends: bool = True) -> str:
    """A figure below its metric's name, so that IOPS are a number: `369 ± 10 k`."""
    if metric.unit == "share" and not (ends and e.ends):
        return share_in_words(e.value)
    said = figure(e.value, e.unit, e.ends if ends else None)
    return " ".join(said.replace("IOPS", "").split())


def _row(case: CaseRecord, columns: Sequence[str]) -> Workload:
    found = figures_of(case)
    return Workload(
        name=workload_name(case.benchmark, case.parameters),
        under_way=under_way(case.parameters),
        cells=tuple(
            in_words(*found[name], ends=name == case.metric.name) if name in found else "–"
            for name in columns
        ),
        rounds=len(case.samples),
        state=state_of(case),
        reasons=_reasons(case),
        counts=case.has_figure,
    )


def state_of(case: CaseRecord) -> str:
    """That of the load that went worst; without any, how the case ended."""
    states = [s.load.state for s in case.samples if s.load is not None]
    worst = max(states, key=_ORDER.index, default="ok")
    if worst != "ok":
        return worst
    if case.status is not Status.MEASURED:
        return case.status.value
    return str(Caution.UNWRITTEN) if Caution.UNWRITTEN in case.cautions else "ok"


_ORDER = ("ok", STEADY, "interrupted", "partial", "failed")


def _reasons(case: CaseRecord) -> tuple[str, ...]:
    loads = [s.load for s in case.samples if s.load is not None]
    said = [case.reason, *(reason for load in loads for reason in load.reasons)]
    said += [f"Not understood in the imported result: {x}" for load in loads for x in load.unread]
    return tuple(dict.fromkeys(filter(None, said)))


SHOWN = ("IOPS", "bandwidth", "mean latency", "p99 latency", "CPU")
"""The figures of the table, in its order; those that no workload has are left out."""
SIGNS = {Verdict.FASTER: "▲", Verdict.SLOWER: "▼", Verdict.SAME: "="}
UNSURE = "?"


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one workload on both systems."""

    judgement: Judgement

    @property
    def values(self) -> str:
        """`118 k → 131 k`."""
        sides = (self.judgement.a, self.judgement.b)
        return " → ".join(
            in_words(self.judgement.metric, e, ends=False) if e else "–" for e in sides
        )

    @property
    def said(self) -> str:
        """`+11% ▲ faster`; what can't be told has its change too, if there is one."""
        j = self.judgement
        word = j.verdict.word(j.metric)
        sign = SIGNS.get(j.verdict, UNSURE)
        return " ".join(filter(None, [percent(j.ratio) if j.ratio else "", sign, word]))


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One workload."""

    name: str
    under_way: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    """All workloads that both have."""

    columns: tuple[str, ...]
    rows: tuple[SystemRow, ...]


def systems(comparison: Comparison) -> Systems | None:
    """The table; None where no workload was measured on both."""
    found: dict[str, dict[str, Judgement]] = {}
    for row in _of_storage(comparison):
        own = {n: v for n, v in row.parameters.items() if n != FIGURE}
        found.setdefault(f"{row.benchmark} {own}", {})[row.metric.name] = row
    columns = tuple(name for name in SHOWN if any(name in row for row in found.values()))
    return (
        Systems(columns, tuple(_system_row(row, columns) for row in found.values()))
        if found
        else None
    )


def _of_storage(comparison: Comparison) -> Iterator[Judgement]:
    for row in comparison.rows:
        if row.family == FAMILY and row.met:
            yield row


def _system_row(figures: dict[str, Judgement], columns: Sequence[str]) -> SystemRow:
    first = next(iter(figures.values()))
    return SystemRow(
        workload_name(first.benchmark, first.parameters),
        under_way(first.parameters),
        tuple(Cell(figures[name]) if name in figures else None for name in columns),
    )
