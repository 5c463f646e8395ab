"""What the template of a page shows: plain data; nothing is decided in the template."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stend.comparing import Estimate, estimate
from stend.comparing.limits import FREQUENCY
from stend.machine import disturbed
from stend.processes.packages import command_in, together
from stend.record import (
    CaseRecord,
    Conditions,
    Disturbance,
    Metric,
    Run,
    Sample,
    Scalar,
    Status,
    family_of,
)
from stend.record.cautions import Caution
from stend.report import inference
from stend.report.charts import draw, loads
from stend.report.charts.chart import Chart
from stend.report.charts.peak import cycles
from stend.report.measured_case import Limits, Measured, limits
from stend.report.quantities import between, figure, number, parameter, scale, share_in_words
from stend.report.workloads import FAMILY as STORAGE
from stend.report.workloads import was_loaded

_MOST_NAMES = 6
"""In one enumeration."""
_MOST_NUMBERED = 4
"""Columns of ranks or CPUs that are told one by one."""
_NUMBERED = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Row:
    """One measured case in the table of figures."""

    measured: Measured
    id: str
    """Of its distribution in the page."""
    name: str
    parameters: Mapping[str, str]
    """Those that vary within the benchmark, in words."""
    variant: str
    shown: str
    modes: str
    """That the figure is the median of two modes, and where these are; else empty."""
    within: bool
    """The interval is only of repetitions within one process."""
    spread: str
    repetitions: str
    stopped: str
    limits: Mapping[str, str]
    """What it reaches of the measured peak, and of the memory's theoretical bandwidth."""
    notes: tuple[str, ...]
    cautions: tuple[Caution, ...]

    @property
    def where(self) -> str:
        """Its parameters that vary, as one text."""
        return " · ".join(f"{name} {value}" for name, value in self.parameters.items() if value)


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of one benchmark."""

    benchmark: str
    question: str
    metric: str
    constants: str
    rows: tuple[Row, ...]
    best: Row
    limits: tuple[str, ...]
    """Of what the run knows a limit of any of them: "peak", "theoretical"."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Cases that have no figure, all for one reason."""

    what: str
    """The case; of several their benchmarks, and how many they are."""
    names: tuple[str, ...]
    status: str
    reason: str


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
    return tuple(_table(_ordered(members), bounds, prefix) for members in found.values())


def _ordered(members: Sequence[Measured]) -> list[Measured]:
    """By parameters, whatever was measured first: numbers as they grow, words as they came."""
    came: dict[tuple[str, Scalar], int] = {}
    for m in members:
        for each in m.case.parameters.items():
            came.setdefault(each, len(came))

    def place(m: Measured) -> list[tuple[bool, float]]:
        return [
            (False, float(value)) if isinstance(value, int | float) else (True, came[name, value])
            for name, value in m.case.parameters.items()
        ]

    return sorted(members, key=place)


def missing(run: Run, shown: Sequence[Table]) -> tuple[Missing, ...]:
    """The cases that have no figure, those together that lack it for the same reason.

    Workloads of storage that ended badly stand among the others (`workloads`). Of several
    libraries that are not installed one line is enough: `installable` has one command for all.
    """
    there = {row.measured.index for table in shown for row in table.rows}
    found: dict[tuple[str, str], list[CaseRecord]] = {}
    unshown = (case for i, case in enumerate(run.cases) if i not in there)
    for case in (case for case in unshown if not was_loaded(case)):
        found.setdefault((case.status.value, case.reason or _why(case)), []).append(case)
    absent = {key for key in found if _is_absent(key[1], found[key])}
    rest = [_missing(found[key], *key) for key in found if len(absent) == 1 or key not in absent]
    if len(absent) < 2:
        return tuple(rest)
    return (_absent([case for key in absent for case in found[key]]), *rest)


def conditions(run: Run) -> tuple[Condition, ...]:
    """What was there before the run, then each kind that came during it, all its spells as one."""
    watched = run.conditions.watched
    begun = [s.origin for case in run.cases for s in case.samples]
    first = min(begun, default=watched.at[0] if watched and watched.at else 0)
    kinds: dict[str, list[Disturbance]] = {}
    for spell in run.conditions.during:
        kinds.setdefault(spell.kind, []).append(spell)
    before = [Condition(d, "before the run", "") for d in run.conditions.before]
    return (*before, *(_during(run, spells, first) for spells in kinds.values()))


def cautions(shown: Sequence[Table]) -> tuple[tuple[Caution, tuple[str, ...]], ...]:
    """Each caution with the cases that carry it, the most frequent first."""
    found: dict[Caution, list[str]] = {}
    for row in (row for table in shown for row in table.rows):
        for caution in row.cautions:
            found.setdefault(caution, []).append(row.name)
    return tuple((c, tuple(n)) for c, n in sorted(found.items(), key=lambda i: -len(i[1])))


def modes(e: Estimate) -> str:
    """`median of two modes, 118 (11%) and 121 (89%)` in the unit of the figure beside it.

    Its interval is of the median, so its digits promise less than they seem to: a single
    repetition takes one of the two values.
    """
    by = scale(e.value, e.unit)
    values = [number(m.value, by) for m in e.modes]
    if len(set(values)) < len(values):  # nearer than three digits tell
        values = [f"{m.value * by.factor:.6g}" for m in e.modes]
    said = [f"{value} ({m.weight:.0%})" for value, m in zip(values, e.modes, strict=True)]
    return f"median of two modes, {' and '.join(said)}" if said else ""


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
        constants=" · ".join(f"{n} {parameter(n, v)}" for n, v in constant.items() if v != ""),
        rows=rows,
        best=choose(_largest(rows), key=lambda row: _goodness(row.measured.estimate)),
        limits=tuple(dict.fromkeys(what for row in rows for what in row.limits)),
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
        parameters={n: parameter(n, v) for n, v in case.parameters.items() if n not in constant},
        variant=m.variant,
        shown=figure(e.value, e.unit, e.ends),
        modes=modes(e),
        within=e.interval is not None and e.interval.over == "repetitions",
        spread=between(*e.spread, e.unit),
        repetitions=f"{e.repetitions:,} × 1"
        if case.is_program
        else f"{e.processes} × {e.repetitions // e.processes:,}",
        stopped=", ".join(dict.fromkeys(s.stop.criterion for s in case.samples)),
        limits=dict(_limits(m, bounds)),
        notes=tuple(filter(None, [case.reason, cycles(m), *_notes(m)])),
        cautions=case.cautions,
    )


def _limits(m: Measured, bounds: Limits) -> Iterator[tuple[str, str]]:
    if inference.is_inference(m):
        yield from ((what, share_in_words(share)) for what, share in inference.shares(m, bounds))
        return
    for share, what in ((bounds.of_peak(m), "peak"), (bounds.of_memory(m), "theoretical")):
        if share is not None:
            yield what, share_in_words(share)


def _goodness(e: Estimate) -> float:
    """What is compared for the best: an error is good when it is near 0."""
    return abs(e.value) if e.unit == "relative" else e.value


def _notes(m: Measured) -> list[str]:
    notes, e = [], m.estimate
    shown_elsewhere = {FREQUENCY} | inference.of_layers(m)  # in `cycles`, and in a chart
    besides = {name: value for name, value in e.also.items() if name not in shown_elsewhere}
    kinds: dict[str, dict[str, float]] = {}
    for name, value in besides.items():
        kinds.setdefault(_NUMBERED.sub("", name), {})[name] = value
    if kinds:
        further = m.case.further
        notes.append(", ".join(said for kind in kinds.values() for said in _medians(kind, further)))
    if e.mean is not None:
        notes.append(f"mean of the accepted round {figure(e.mean, e.unit)}")
    return notes


def _medians(kind: Mapping[str, float], further: Mapping[str, Metric]) -> list[str]:
    """Each of a few columns; of many that differ by a number in their names where they lie."""
    if len(kind) <= _MOST_NUMBERED:
        return [_median(name, value, further.get(name)) for name, value in kind.items()]
    ordered = sorted(kind.items(), key=lambda column: column[1])
    ends = [(*name.rpartition(" ")[::2], value) for name, value in (ordered[0], ordered[-1])]
    return [" to ".join(f"{figure(value, unit)} ({what})" for what, unit, value in ends)]


def _median(name: str, value: float, metric: Metric | None) -> str:
    """`user 1.2 ms` of a column "user s", or of "user" whose metric is in seconds."""
    what, _, unit = name.rpartition(" ")
    if metric and unit != metric.unit:
        what, unit = name, metric.unit
    return f"{what} {figure(value, unit)}" if what else f"{name} {value:g}"


def _missing(cases: Sequence[CaseRecord], status: str, reason: str) -> Missing:
    names = tuple(case.name for case in cases)
    return Missing(names[0] if len(names) == 1 else _several(cases), names, status, reason)


def _several(cases: Sequence[CaseRecord]) -> str:
    """`fft.complex2d [mkl] and linpack.lu [mkl], 4 cases`."""
    kinds = dict.fromkeys(
        c.benchmark + (f" [{c.variant}]" if c.variant else "") for c in cases
    )  # fmt: skip
    return f"{enumerated(list(kinds))}, {len(cases)} cases"


def _is_absent(reason: str, cases: Sequence[CaseRecord]) -> bool:
    """Whether the reason is that the library which the variant is made of is not installed."""
    skipped = all(case.status is Status.SKIPPED and case.variant for case in cases)
    return skipped and any(
        words in reason for words in (" is not installed", " is not on this machine")
    )


def _absent(cases: Sequence[CaseRecord]) -> Missing:
    libraries = enumerated(sorted({case.variant or "" for case in cases}))
    return Missing(
        f"{libraries}, {len(cases)} cases",
        tuple(case.name for case in cases),
        Status.SKIPPED.value,
        "Not installed.",
    )


def installable(skips: Iterable[str]) -> str:
    """`For 15 more cases: sudo apt-get install …`, one line for all; "" if nothing is missing."""
    lacking = [reason for reason in skips if command_in(reason)]
    if not lacking:
        return ""
    return f"For {len(lacking)} more case{'s' * (len(lacking) != 1)}: `{together(lacking)}`"


def skips(run: Run) -> list[str]:
    """The reason of each case that was skipped."""
    return [case.reason for case in run.cases if case.status is Status.SKIPPED]


def enumerated(words: Sequence[str]) -> str:
    """`a, b and c`; of many the first three and how many more there are."""
    if len(words) > _MOST_NAMES:
        return f"{', '.join(words[: _MOST_NAMES - 1])} and {len(words) - _MOST_NAMES + 1} more"
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _why(case: CaseRecord) -> str:
    if case.status is Status.CHECKED:
        return "It ran once, untimed, and its result was right."
    return "No repetition gave a value."


def _during(run: Run, spells: Sequence[Disturbance], first: int) -> Condition:
    """The longest spell speaks for its kind; one without an end was there throughout."""
    timed = [(d.end - d.start, d) for d in spells if d.start is not None and d.end is not None]
    if len(timed) < len(spells):
        return Condition(spells[0], "throughout", "")
    longest = max(timed, key=lambda spell: spell[0])[1]
    total = sum(length for length, _ in timed) / 1e9
    start = min(d.start for _, d in timed if d.start is not None)
    when = f"from {max(0.0, (start - first) / 1e9):.1f} s for {total:.1f} s"
    if len(timed) > 1:
        lasted = (longest.end or 0) - (longest.start or 0)
        when = f"the longest of {len(timed)} times: {lasted / 1e9:.1f} s of {total:.1f} s in all"
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


_ABOUT: Mapping[str, tuple[str, str]] = {
    "peak": ("Peak", "The most operations per second that the processor can do, in registers."),
    "linpack": ("LINPACK", "How fast systems of linear equations are solved, by libraries, by our "
                "own code and by plain loops."),
    "fft": ("Fourier transform", "How fast a two-dimensional complex transform is."),
    "noise": ("Noise", "How much of a core the system and the hypervisor take, and how often."),
    "stream": ("STREAM", "How many bytes a second memory streams through simple loops."),
    "memory": ("Memory", "Latency and bandwidth, by the amount of memory in use."),
    "numa": ("Memory nodes", "The cost of memory that belongs to another node."),
    "cores": ("Cores", "How long one core takes to see what another one wrote."),
    "threads": ("Threads", "The cost of threads: creating, waking, locking and waiting."),
    "gost": ("GOST ciphers", "How many bytes a second Kuznyechik and Magma encrypt."),
    "tomo": ("Tomography", "How long the reconstruction of a slice takes, and how far it is from "
             "the truth."),
    "unet": ("U-Net", "How long a neural network takes for an image."),
    "mpi": ("Messages", "How long messages between processes take, and how many bytes a second "
            "they carry."),
    STORAGE: ("Storage", "How fast files or devices are under load, and the CPU time it costs."),
    "clock": ("Clocks", "Resolution and cost of the clocks used."),
    "time": ("Programs", "How long whole programs run."),
}  # fmt: skip
"""Family → its heading and what it measures, in the order of the page."""
_TAKEN = {
    "card",
    "limits",
    "roofline",
    "watched",
    "conditions",
    "machine",
    "again",
    "chart",
    "literature",
}
"""Ids of other parts of the page."""
_PLAIN = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One family in the page."""

    family: str
    id: str
    title: str
    says: str
    """One sentence; empty of a family that isn't ours: its benchmarks have their questions."""
    tables: tuple[Table, ...]
    charts: tuple[tuple[str, Chart], ...]
    """Each with its id in the page."""

    @property
    def count(self) -> int:
        """Its figures."""
        return sum(len(table.rows) for table in self.tables)


def parts(
    cases: Sequence[CaseRecord], tables: Sequence[Table], bounds: Limits, prefix: str
) -> tuple[Part, ...]:
    """Every family that has a figure or a chart; ids begin with `prefix`, "run-0-"."""
    of: dict[str, list[Table]] = {}
    for table in tables:
        of.setdefault(family_of(table.benchmark), []).append(table)
    bad = loads.ended_badly(cases)
    if bad:
        of.setdefault(STORAGE, [])
    numbered = _numbered(prefix)
    found: list[Part] = []
    for name in sorted(of, key=_place):
        measured = [row.measured for table in of[name] for row in table.rows]
        charts = draw(measured, bounds) + (bad if name == STORAGE else [])
        title, says = _ABOUT.get(name, (name, ""))
        id = _id(name, prefix, len(found))
        named = tuple((next(numbered), chart) for chart in charts)
        found.append(Part(name, id, title, says, tuple(of[name]), named))
    return tuple(found)


def _numbered(prefix: str) -> Iterator[str]:
    n = 0
    while True:
        yield f"{prefix}chart-{n}"
        n += 1


def _place(name: str) -> int:
    """Families that are not ours stand behind all others, in the order they were met."""
    names = list(_ABOUT)
    return names.index(name) if name in _ABOUT else len(names)


def _id(name: str, prefix: str, place: int) -> str:
    """A name of a record may be anything; an id must be one word, and no other part's."""
    plain = _PLAIN.fullmatch(name) and name not in _TAKEN
    return f"{prefix}{name}" if plain else f"{prefix}family-{place}"
