"""Records of a storage load: runs of fio, their totals and courses, sampled hosts.

Here too everything is data, and raw: latencies are counts in bins, so that they can be merged by
adding; percentiles are derived from them when they are asked for.
"""

from typing import Literal

from msgspec import field

from stend.record.columns import Integers, Numbers, Record

Direction = Literal["read", "write", "trim"]
State = Literal["ok", "partial", "failed", "interrupted", "unsteady"]


class Histogram(Record, frozen=True, kw_only=True):
    """How many operations took how long: the bins of fio's json+ (64 an octave), none empty.

    The columns are equally long.
    """

    of: Literal["total", "completion", "submission"]
    """From the beginning of the submission to completion (fio's lat), from its end (clat), or the
    submission itself (slat)."""
    ns: Integers
    """The value that fio gives a bin, ascending."""
    counts: Integers


class Flow(Record, frozen=True, kw_only=True):
    """What went one way in one run of fio, in all and interval by interval."""

    direction: Direction
    operations: int
    bytes: int
    seconds: float
    """How long it ran, by fio's own clock."""
    mean: float | None = None
    """Latency, s, from submission to completion."""
    least: float | None = None
    most: float | None = None
    histogram: Histogram | None = None
    at: Integers = field(default_factory=Integers)
    """The end of each interval, ns since the run began; the next three columns are as long."""
    iops: Numbers = field(default_factory=Numbers)
    bandwidth: Numbers = field(default_factory=Numbers)
    """B/s."""
    latency: Numbers = field(default_factory=Numbers)
    """The mean in the interval, s; NaN where nothing ended in it."""
    interval: Integers = field(default_factory=Integers)
    """The intervals' histograms, one after another: which interval a bin belongs to, from 0; the
    next two columns are as long."""
    ns: Integers = field(default_factory=Integers)
    """The value of the bin; 8 bins an octave."""
    counts: Integers = field(default_factory=Integers)


class FioRun(Record, frozen=True, kw_only=True):
    """One run of fio."""

    phase: Literal["precondition", "warm-up", "round", "measure"]
    state: State
    reasons: tuple[str, ...] = ()
    """A sentence for each thing that was not as it should be."""
    began: int = 0
    """CLOCK_MONOTONIC, ns; 0 where it was imported."""
    asked: float | None = None
    """Seconds it was to run; None: until its work was done."""
    lasted: float = 0.0
    """Seconds."""
    flows: tuple[Flow, ...] = ()


class DiskCourse(Record, frozen=True, kw_only=True):
    """What a block device did meanwhile; the columns are as long as `at` of the machine."""

    name: str
    reads: Numbers
    """Requests a second."""
    writes: Numbers
    read: Numbers
    """B/s."""
    written: Numbers
    busy: Numbers
    """Share of the time in which it had requests."""


class HostSamples(Record, frozen=True, kw_only=True):
    """A machine while the load ran, sampled once a second. Columns are equally long, gaps are NaN.

    CPU columns are shares of all CPU time since the sample before.
    """

    host: str
    remote: bool
    """Over ssh, and not the machine that drove the load."""
    offset: float | None = None
    """What its clock was ahead of ours, s; of a remote one only."""
    uncertainty: float | None = None
    """Of `offset`, s: half of the way there and back."""
    cpus: int | None = None
    memory_bytes: int | None = None
    at: Integers = field(default_factory=Integers)
    """CLOCK_MONOTONIC of the machine that drove the load, ns."""
    user: Numbers = field(default_factory=Numbers)
    system: Numbers = field(default_factory=Numbers)
    interrupts: Numbers = field(default_factory=Numbers)
    """In interrupts, hard and soft."""
    waiting: Numbers = field(default_factory=Numbers)
    """Idle while a request was under way."""
    steal: Numbers = field(default_factory=Numbers)
    memory_used: Numbers = field(default_factory=Numbers)
    """B: all but what is free or can be freed (MemTotal − MemAvailable)."""
    memory_cached: Numbers = field(default_factory=Numbers)
    """B: the page cache."""
    disks: tuple[DiskCourse, ...] = ()


class StorageTarget(Record, frozen=True, kw_only=True):
    """What was read or written."""

    path: str
    kind: Literal["file", "block device", "null"]
    bytes: int | None = None
    model: str | None = None
    serial: str | None = None
    filesystem: str | None = None
    """Its type, where the target is a file."""


class Steady(Record, frozen=True, kw_only=True):
    """Whether the last five rounds were steady, as SNIA's test specification says it."""

    reached: bool
    rounds: int
    """That were made."""
    values: Numbers
    """IOPS of each."""
    spread: float | None = None
    """(max − min) / mean of the last five; at most 0.2."""
    excursion: float | None = None
    """Of the line fitted to them, over the five, relative to the mean; at most 0.1."""


class Load(Record, frozen=True, kw_only=True):
    """All that belongs to one measured run of fio."""

    fio: str = ""
    """Its version."""
    state: State
    reasons: tuple[str, ...] = ()
    targets: tuple[StorageTarget, ...] = ()
    runs: tuple[FioRun, ...] = ()
    """In the order they were made; the last is the one that was measured."""
    steady: Steady | None = None
    """None: steadiness was not asked for."""
    beside: tuple[HostSamples, ...] = ()
    unread: tuple[str, ...] = ()
    """What of an imported result is not understood, in words."""
