"""Successive documents of one run of fio in; what happened between each two out.

With --status-interval each document tells the sums since the beginning, so an interval is the
difference of two. A difference that can't be is a gap, and is said; no rate is ever negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stend.columns import Integers, Numbers
from stend.fio.documents import Document
from stend.fio.histogram import Counts, coarsened, subtracted
from stend.fio.results import count, flows, jobs_of
from stend.loads import Direction, Flow

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
    ran = max(
        (
            min(count(way, "runtime"), _LATEST)
            for job in jobs_of(document)
            for way in job.values()
            if isinstance(way, dict)
        ),
        default=0,
    )
    ms = count(document, "timestamp_ms") or count(document, "timestamp") * 1000
    return Instant(min(ms, _LATEST) or ran, ran, {flow.direction: flow for flow in flows(document)})


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


def course(documents: Sequence[Document]) -> Course:
    """Give the last document's flows with what happened between each two documents.

    `Flow.at` counts from when the run began, by fio's clock. The last document comes as soon as
    the run has ended: where it closes less than half of an interval, it closes the one before.
    """
    instants = [instant(document) for document in documents]
    if not instants:
        return Course((), ())
    start = beginning(instants[0])
    instants[-1] = _ended(start, instants)
    if len(instants) > 2 and _is_short(instants):
        del instants[-2]
    intervals, gaps = _intervals(start, instants)
    last = instants[-1].flows.values()
    return Course(tuple(_with_course(flow, intervals, start.ms) for flow in last), tuple(gaps))


def _ended(start: Instant, instants: list[Instant]) -> Instant:
    """The last instant, when the last job ended: its document is written a while later."""
    last = instants[-1]
    after = instants[-2].ms + 1 if len(instants) > 1 else start.ms
    return Instant(min(last.ms, max(start.ms + last.ran, after)), last.ran, last.flows)


def _is_short(instants: list[Instant]) -> bool:
    before, last = instants[-2].ms - instants[-3].ms, instants[-1].ms - instants[-2].ms
    return 2 * last < before


_Intervals = list[tuple[int, dict[Direction, Interval]]]
"""When each ended, and what went each way in it."""


def _intervals(start: Instant, instants: list[Instant]) -> tuple[_Intervals, list[str]]:
    found: _Intervals = []
    gaps = []
    earlier = start
    for later in instants:
        ways = between(earlier, later)
        if not isinstance(ways, str):
            found.append((later.ms, ways))
        else:
            gaps.append(f"At {(later.ms - start.ms) / 1000:.1f} s {ways}: a gap is left there.")
        if later.ms > earlier.ms:
            earlier = later
    return found, gaps


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
