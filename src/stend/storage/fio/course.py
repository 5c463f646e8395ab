"""The course of a run of fio: what happened between successive documents.

With --status-interval each document tells the sums since the beginning, so an interval is the
difference of two. A difference that can't be is a gap, and is said; no rate is ever negative.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from stend.record.columns import Integers, Numbers
from stend.record.loads import Direction, Flow
from stend.storage.fio.documents import Document
from stend.storage.fio.results import Counts, coarsened, count, flows, jobs_of, ran, subtracted

_LATEST = 1 << 42
"""ms: the year 2109. A later time is none, and as ns it would leave 64 bits."""


@dataclass(frozen=True)
class Instant:
    """What had been done at one time."""

    ms: int
    """Since the epoch, by the clock of fio's machine."""
    ran: int
    """ms that the longest job had run."""
    flows: dict[Direction, Flow]


@dataclass(frozen=True)
class Interval:
    """What went one way between two instants."""

    seconds: float
    operations: int
    bytes: int
    latency: float
    """The mean, s; NaN where nothing ended."""
    ns: Counts
    counts: Counts
    """Bins, 8 an octave; empty where fio gave none (json+ gives them)."""


@dataclass(frozen=True)
class Course:
    """The flows of the last document with their courses, and a sentence for each gap."""

    flows: tuple[Flow, ...]
    gaps: tuple[str, ...]


def instant(document: Document) -> Instant:
    """Read the sums of a document."""
    longest = max(
        (ran(way) for job in jobs_of(document) for way in job.values() if isinstance(way, dict)),
        default=0,
    )
    ms = count(document, "timestamp_ms") or count(document, "timestamp") * 1000
    return Instant(
        min(ms, _LATEST) or longest, longest, {flow.direction: flow for flow in flows(document)}
    )


def beginning(first: Instant) -> Instant:
    """The instant in which the run began, by what its first document says of how long it ran."""
    return Instant(first.ms - first.ran, 0, {})


def between(earlier: Instant, later: Instant) -> dict[Direction, Interval] | str:
    """What went each way between two instants, or a sentence why that can't be said."""
    seconds = (later.ms - earlier.ms) / 1000
    if seconds <= 0:
        return f"two documents of fio follow each other by {seconds:g} s"
    for direction, before in earlier.flows.items():
        after = later.flows.get(direction)
        if after is None or after.operations < before.operations or after.bytes < before.bytes:
            now = after.operations if after else 0
            return f"fio's count of {direction}s went from {before.operations:,} back to {now:,}"
    return {
        direction: _interval(seconds, earlier.flows.get(direction), flow)
        for direction, flow in later.flows.items()
    }


def _interval(seconds: float, before: Flow | None, after: Flow) -> Interval:
    done = after.operations - (before.operations if before else 0)
    moved = after.bytes - (before.bytes if before else 0)
    took = _latency_sum(after) - (_latency_sum(before) if before else 0.0)
    bins_before = before.histogram if before else None
    bins = subtracted(after.histogram, bins_before) if after.histogram else None
    ns, counts = coarsened(*bins) if bins else (np.zeros(0, np.int64),) * 2
    return Interval(seconds, done, moved, max(took, 0.0) / done if done else np.nan, ns, counts)


def _latency_sum(flow: Flow) -> float:
    return flow.operations * flow.mean if flow.mean is not None else np.nan


def course(documents: Iterable[Document]) -> Course:
    """Give the last document's flows with what happened between each two documents."""
    growing = Growing()
    for document in documents:
        growing.add(document)
    return growing.finished()


class Growing:
    """A course while documents come; of each only what differs from the one before is kept.

    `Flow.at` counts from when the run began, by fio's clock. The last document comes as soon as
    the run has ended: where it closes less than half of an interval, it closes the one before.
    """

    def __init__(self) -> None:
        self.start: Instant | None = None
        """When the run began; None: nothing has come."""
        self._closed: Instant | None = None
        """Up to where the intervals are final: not the last two, which the end may change."""
        self._open: list[Instant] = []
        self._count = 0
        self._intervals: _Intervals = []
        self._gaps: list[str] = []

    @property
    def last(self) -> Instant | None:
        """Of the latest document."""
        return self._open[-1] if self._open else None

    def add(self, document: Document) -> dict[Direction, Interval]:
        """Take the next document; what went each way since the one before, empty at a gap."""
        now = instant(document)
        if self._closed is None:
            self.start = self._closed = beginning(now)
        ways = between(self.last or self._closed, now)
        self._count += 1
        self._open.append(now)
        if len(self._open) > 2:
            self._close(self._open.pop(0))
        return {} if isinstance(ways, str) else ways

    def finished(self) -> Course:
        """Give the whole course; nothing more may come."""
        if self.start is None or self.last is None:
            return Course((), ())
        self._open[-1] = self._ended(self.start, self.last)
        if self._count > 2 and self._is_short():
            del self._open[0]
        for later in self._open:
            self._close(later)
        made = (_with_course(x, self._intervals, self.start.ms) for x in self.last.flows.values())
        return Course(tuple(made), tuple(self._gaps))

    def _ended(self, start: Instant, last: Instant) -> Instant:
        """When the last job ended, behind which its document is written a while later."""
        after = self._open[-2].ms + 1 if len(self._open) > 1 else start.ms
        return Instant(min(last.ms, max(start.ms + last.ran, after)), last.ran, last.flows)

    def _is_short(self) -> bool:
        before, end = self._open
        began = self._closed.ms if self._closed else 0
        return 2 * (end.ms - before.ms) < before.ms - began

    def _close(self, later: Instant) -> None:
        if self.start is None or self._closed is None:
            return
        ways = between(self._closed, later)
        if not isinstance(ways, str):
            self._intervals.append((later.ms, ways))
        else:
            at = (later.ms - self.start.ms) / 1000
            self._gaps.append(f"At {at:.1f} s {ways}: a gap is left there.")
        if later.ms > self._closed.ms:
            self._closed = later


_Intervals = list[tuple[int, dict[Direction, Interval]]]
"""When each ended, and what went each way in it."""


def _with_course(flow: Flow, intervals: _Intervals, start: int) -> Flow:
    nothing = np.zeros(0, np.int64)
    idle = Interval(1.0, 0, 0, np.nan, nothing, nothing)
    ways = [(at, ways.get(flow.direction, idle)) for at, ways in intervals]
    which = np.repeat(np.arange(len(ways)), [len(way.ns) for _, way in ways])
    bins = [
        np.concatenate([nothing, *columns])
        for columns in zip(*((w.ns, w.counts) for _, w in ways), strict=True)
    ]
    ns, counts = bins or (nothing, nothing)
    return Flow(
        direction=flow.direction,
        operations=flow.operations,
        bytes=flow.bytes,
        seconds=flow.seconds,
        mean=flow.mean,
        least=flow.least,
        most=flow.most,
        histogram=flow.histogram,
        at=Integers((at - start) * 1_000_000 for at, _ in ways),
        iops=Numbers(way.operations / way.seconds for _, way in ways),
        bandwidth=Numbers(way.bytes / way.seconds for _, way in ways),
        latency=Numbers(way.latency for _, way in ways),
        interval=Integers(which.tolist()),
        ns=Integers(ns.tolist()),
        counts=Integers(counts.tolist()),
    )
