"""What a run is made of: immutable, versioned records, and the JSON they travel in (columns.py).

Everything here is data. Whatever can be derived (medians, intervals, verdicts) is not
stored: it is computed from the raw repetitions when it is asked for.

Times of day are ISO 8601 strings in UTC. Instants within a run are nanoseconds of the
machine's CLOCK_MONOTONIC. A fact that could not be read is None, never a guess.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal

from msgspec import field

from stend.record.cautions import Caution
from stend.record.columns import Integers, Numbers, Record
from stend.record.loads import Load

SCHEMA = 1
"""The version of the records; docs/formats.md has the history. Old versions are read forever."""

Scalar = bool | int | float | str
"""What a parameter's value can be."""


class Metric(Record, frozen=True, kw_only=True):
    """What a benchmark reports.

    `unit` decides how a repetition's time becomes a value: "s" is the time of one
    execution; "B/s", "FLOP/s", "op/s" and "block/s" divide the work done by it, "s/slice"
    is the time by the slices made, its operations; any other unit is reported by the kernel or
    the program itself, as `Sample.values`: "relative" is a signed ratio to something else, "share"
    a part of a whole, from 0 to 1.
    """

    name: str
    unit: str
    better: Literal["higher", "lower"]


class Work(Record, frozen=True, kw_only=True):
    """What one execution does; only what the benchmark declares is not None."""

    bytes: float | None = None
    flops: float | None = None
    precision: Literal["float64", "float32"] = "float64"
    """Of the flops: it decides which peak they are set beside."""
    operations: float | None = None
    blocks: float | None = None


class Proof(Record, frozen=True, kw_only=True):
    """What shows that the work was really done and right."""

    right: bool
    said: str


class Stop(Record, frozen=True, kw_only=True):
    """Why measuring stopped.

    `criterion` is what fired: for the rule "precision": "precision", "time limit" or
    "repetition limit"; for "rounds": "normal", "tight", "interval", "not reproducible" or
    "time limit"; for "once": "once", or "imported" where another tool decided; for any of them
    "wrong result". `half_width` is the relative half-width of the 95% interval of the median that
    was reached, None where it can't be computed. `effective` is the effective sample size.
    """

    rule: Literal["precision", "rounds", "once"]
    criterion: str
    half_width: float | None = None
    effective: float | None = None
    rounds: int = 0
    restarts: int = 0
    mean: float | None = None
    """With "rounds": the accepted round's mean, in seconds an execution or in the unit."""
    accepted_from: int = 0
    """With "rounds": index of the first repetition of the round that `mean` is of."""


class Sample(Record, frozen=True, kw_only=True):
    """Every repetition of one case in one process, raw.

    The columns are equally long. A repetition that was timed has its duration in `ticks`
    of a clock that runs at `hz`; one that reports its own value has it in `values`
    (`ticks` then tells how long the observation took).
    """

    process: int
    """Order of this process within its case, from 0; with --versus, pairs share it."""
    clock: str
    hz: float
    origin: int
    """CLOCK_MONOTONIC when `started` was 0, ns."""
    batch: int
    """Executions of the work in one repetition."""
    started: Integers
    """Ticks since `origin`, int64."""
    ticks: Integers
    """Duration of the repetition, int64."""
    core: Integers
    """The core it ended on, int64; -1 where the clock doesn't tell."""
    preempted: Integers
    """1 where the thread was interrupted by the scheduler or a signal, int64."""
    values: Numbers | None = None
    also: dict[str, Numbers] = {}
    """Further values of each repetition by name ("user s", "peak memory B")."""
    warm_up: int = 0
    """Repetitions that were made and discarded before the first."""
    core_hz: tuple[float, float] | None = None
    """The core's true frequency before and after, where it was measured."""
    stop: Stop
    proof: Proof
    cautions: tuple[Caution, ...] = ()
    load: Load | None = None
    """With `storage`: the runs of fio that its one repetition is of, and what was sampled."""


def in_all(further: Mapping[str, Metric], samples: Sequence[Sample]) -> dict[str, Metric]:
    """Those of the metrics whose column every sample has.

    Where some lack one, as a percentile for which they made too few operations, what the others
    have is not the figure of the case.
    """
    return {k: v for k, v in further.items() if samples and all(k in s.also for s in samples)}


class Status(StrEnum):
    """How a case ended."""

    MEASURED = "measured"
    SKIPPED = "skipped"
    FAILED = "failed"
    """It could not be measured: the reason says why."""
    WRONG = "wrong"
    """The work was done wrongly: the proof failed."""
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    INTERRUPTED = "interrupted"
    CHECKED = "checked"
    """Run once, untimed, and proved right (--check)."""
    PUBLISHED = "published"
    """The literature gives its figure; there are no samples."""


HARMLESS = frozenset({Status.MEASURED, Status.SKIPPED, Status.CHECKED, Status.PUBLISHED})
"""In which nothing went wrong."""
NO_ATTEMPT = frozenset({Status.SKIPPED, Status.INTERRUPTED})
"""Of which the run can't tell whether they would have been measured."""


class Published(Record, frozen=True, kw_only=True):
    """A figure that the literature gives, in the unit of the case's metric."""

    value: float
    low: float | None = None
    """Where its source gives what several runs spread over: the ends. No confidence interval."""
    high: float | None = None
    source: str
    """As people cite it."""
    date: str
    """Of its source: `2021-06-17`, or `2015`."""
    note: str = ""
    """What else the source says of the figure: "AVX tables"."""


PROGRAM = "time"
"""The benchmark of the records that `stend time` makes."""


def family_of(benchmark: str) -> str:
    """The family of a benchmark, the first word of its name: `stream` of stream.triad."""
    return benchmark.partition(".")[0]


class CaseRecord(Record, frozen=True, kw_only=True):
    """One benchmark with its parameters and variant, and what came of it."""

    benchmark: str
    question: str
    parameters: dict[str, Scalar]
    variant: str | None
    metric: Metric
    further: dict[str, Metric] = {}
    """What else is to be compared: the name of a column of `also` → the metric it holds."""
    work: Work
    status: Status
    reason: str = ""
    """A sentence for every status but measured, checked and published."""
    samples: tuple[Sample, ...] = ()
    side: Literal["", "A", "B"] = ""
    """With --versus: which side of the interleaved pairs this is."""
    detail: dict[str, str] = {}
    """What else is worth keeping: a command line, the end of stderr."""
    published: Published | None = None
    """Of a published case its figure; its parameters are only those that the source tells."""

    @property
    def name(self) -> str:
        """The case in one line: `stream.triad threads=2 elements=1000 [plain]`."""
        words = [self.benchmark, *(f"{k}={v}" for k, v in self.parameters.items() if v != "")]
        return " ".join(words) + (f" [{self.variant}]" if self.variant else "")

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Those of at least half of its processes: what fewer saw hardly moves the figure.

        Of several processes few repetitions are none: the interval is over the processes.
        """
        counts = Counter(caution for sample in self.samples for caution in sample.cautions)
        if not counts:
            return ()
        if len(self.samples) > 1:
            del counts[Caution.FEW_REPETITIONS]
        return tuple(c for c in Caution if 2 * counts[c] >= max(1, len(self.samples)))

    @property
    def family(self) -> str:
        """The family of its benchmark."""
        return family_of(self.benchmark)

    @property
    def is_program(self) -> bool:
        """Whether each repetition executed a program: a process of its own (`stend time`)."""
        return self.benchmark == PROGRAM

    @property
    def has_figure(self) -> bool:
        """Whether it was measured, whole or until Ctrl-C."""
        if self.status is Status.INTERRUPTED:
            return bool(self.samples)
        return self.status is Status.MEASURED

    @property
    def key(self) -> str:
        """What two runs have in common when they measured the same thing with the same variant."""
        return self.name


class Cache(Record, frozen=True, kw_only=True):
    """One cache as a core sees it."""

    level: int
    kind: Literal["data", "instruction", "unified"]
    bytes: int
    line_bytes: int | None = None
    ways: int | None = None
    shared_by: int | None = None
    """Hardware threads that share it."""
    count: int | None = None
    """How many of this shape the machine has."""


class NumaNode(Record, frozen=True, kw_only=True):
    """One memory node."""

    index: int
    bytes: int | None
    cpus: tuple[int, ...]
    distances: tuple[int, ...] = ()
    available: int | None = None
    """What may be used of its memory now."""


class Disk(Record, frozen=True, kw_only=True):
    """One block device."""

    name: str
    bytes: int | None = None
    model: str | None = None
    rotational: bool | None = None
    scheduler: str | None = None


class ClockFacts(Record, frozen=True, kw_only=True):
    """One clock of this machine."""

    name: str
    available: bool
    reason: str = ""
    """Why it can't be used."""
    hz: float | None = None
    hz_uncertainty: float | None = None
    """Half-width of the 95% interval of `hz`."""
    resolution: float | None = None
    """Seconds."""
    overhead: float | None = None
    """Seconds one timing of nothing takes."""


class Machine(Record, frozen=True, kw_only=True):
    """What was measured: facts that stay from run to run. None is unknown; `unknown` says why."""

    host: str | None = None
    architecture: str | None = None
    cpu_vendor: str | None = None
    cpu_model: str | None = None
    cpu_family: str | None = None
    microcode: str | None = None
    isa: tuple[str, ...] = ()
    """Instruction-set extensions that kernels can ask for, as the processor and OS allow."""
    packages: int | None = None
    cores: int | None = None
    threads: int | None = None
    """Hardware threads online."""
    usable: tuple[int, ...] = ()
    """CPUs this process may run on."""
    smt: bool | None = None
    caches: tuple[Cache, ...] = ()
    numa: tuple[NumaNode, ...] = ()
    sockets: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """The CPUs of each core of each socket: hardware threads of one core stand together."""
    memory_bytes: int | None = None
    memory_available: int | None = None
    """What may be used now: free memory, or what a container's limit leaves."""
    memory_limit: int | None = None
    """A container's limit; None, too, where there is none."""
    memory_modules: str | None = None
    """What is plugged in: "8 × 16 GiB DDR4-3200"."""
    memory_bandwidth: float | None = None
    """What all memory channels together could move at most, B/s: channels × width × speed."""
    cpu_limit: float | None = None
    """Cores a container's quota allows; None, too, where there is none."""
    process_limit: int | None = None
    """Processes and threads a container may have; None, too, where there is no limit."""
    threads_free: int | None = None
    """Threads that one process could make more now, within every limit of the system."""
    threads_limit: str | None = None
    """Which limit leaves so few: its name, its value, what raises it."""
    page_bytes: int | None = None
    huge_pages: str | None = None
    disks: tuple[Disk, ...] = ()
    kernel: str | None = None
    os: str | None = None
    virtualisation: str | None = None
    """The hypervisor, or "none"."""
    container: str | None = None
    """The container manager, or "none"."""
    clock_source: str | None = None
    clocks: tuple[ClockFacts, ...] = ()
    governor: str | None = None
    turbo: bool | None = None
    mitigations: dict[str, str] = {}
    versions: dict[str, str] = {}
    """Compilers, libraries, Python, stend, by name."""
    unknown: dict[str, str] = {}
    """Fact → why it could not be read."""

    @property
    def last_cache(self) -> int | None:
        """Bytes of all last-level caches of the machine together."""
        data = [c for c in self.caches if c.kind != "instruction"]
        if not data:
            return None
        last = max(c.level for c in data)
        return sum(c.bytes * self._copies(c) for c in data if c.level == last)

    def _copies(self, cache: Cache) -> int:
        if cache.count is None and self.threads and cache.shared_by:
            return max(1, self.threads // cache.shared_by)
        return cache.count or 1


class Disturbance(Record, frozen=True, kw_only=True):
    """Something that disturbs, or disturbed, a measurement."""

    kind: str
    """"load", "steal", "governor", "swap", "processes", "throttling", "frequency", …"""
    said: str
    """A sentence with the value seen."""
    advice: str = ""
    """One line: what to do about it."""
    start: int | None = None
    """From, CLOCK_MONOTONIC ns; None: throughout."""
    end: int | None = None


class Watched(Record, frozen=True, kw_only=True):
    """What the background watch saw during the run; the columns are equally long."""

    at: Integers
    """CLOCK_MONOTONIC ns."""
    steal: Numbers
    """Share of all CPU time since the previous look that the hypervisor took."""
    others: Numbers
    """Cores kept busy by what is not this run."""
    mhz: Numbers
    """Mean frequency the OS reports; NaN where it reports none."""
    throttles: Numbers = field(default_factory=Numbers)
    """Times that heat slowed the processor down since the previous look; NaN if not counted."""
    stops: Numbers = field(default_factory=Numbers)
    """Times that a container's CPU quota stopped it since the previous look; NaN likewise."""
    cost: float | None = None
    """Share of one core that watching itself took."""


LOST = "node lost"
"""The kind of disturbance that a node which told only a part, or nothing, has in its run."""


class Conditions(Record, frozen=True, kw_only=True):
    """Was it quiet enough to measure?"""

    before: tuple[Disturbance, ...] = ()
    during: tuple[Disturbance, ...] = ()
    watched: Watched | None = None


class Run(Record, frozen=True, kw_only=True):
    """All records of one session on one machine."""

    schema: int = SCHEMA
    id: str
    """32 hexadecimal digits, unique everywhere."""
    label: str = ""
    group: str = ""
    """The same 32 hexadecimal digits in all runs of one session on several machines, else empty."""
    started: str
    finished: str | None = None
    """None while it is under way or when it was killed."""
    stend: str
    """The version that measured."""
    command: tuple[str, ...] = ()
    size: Literal["quick", "full", "check"] = "quick"
    machine: Machine
    conditions: Conditions = Conditions()
    cases: tuple[CaseRecord, ...] = ()
