"""The course of a run of fio by the logs of all its jobs.

Rates of jobs add up, latencies are means weighted by operations where these are logged too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from stend.record.columns import Integers, Numbers
from stend.record.loads import Flow, Histogram
from stend.storage.fio.logs import Log, Table, bin_values
from stend.storage.fio.results import DIRECTIONS, Counts, added, bin_value, coarsened, of_bins

Values = npt.NDArray[np.float64]

SECOND = 1000
"""ms: the interval to which entries of single operations are put together."""

_RATED = {"iops", "bw", "hist"}
"""Kinds of logs that tell of a rate in every window."""

_FILLED = 1_000_000
"""Intervals: eleven days of seconds. In a longer course the empty ones are left out."""

_FINE_BITS = 6
_RATES = ("iops", "lat", "clat", "slat", "bw", "hist")
"""Which logs tell how many operations there were, best first."""
_MOVED = ("bw", "lat", "clat", "slat", "iops", "hist")


@dataclass(frozen=True)
class _Entries:
    """What one job logged of one kind, one way, put to the intervals of a grid."""

    log: Log
    cells: Table
    """Ascending; interval i ends at i times the grid's step."""
    mean: Values
    n: Values
    """Entries in the cell."""
    moved: Values
    """Bytes of the operations in the cell, where each is an entry."""


def flows_of(logs: Sequence[Log], unit: int) -> tuple[Flow, ...]:
    """Make flows with a course of what was logged; totals are summed over it.

    Args:
        logs: of any kinds and jobs of one run.
        unit: ns that the value of a latency log has: 1, or 1000 (fio 2).
    """
    made = (_flow(logs, way, unit) for way in range(len(DIRECTIONS)))
    return tuple(flow for flow in made if flow)


def with_courses(flows: Sequence[Flow], logged: Sequence[Flow]) -> tuple[Flow, ...]:
    """Give flows of a document the courses that were logged."""
    courses = {flow.direction: flow for flow in logged}
    columns = ("at", "iops", "bandwidth", "latency", "interval", "ns", "counts")
    return tuple(
        msgspec.structs.replace(flow, **{c: getattr(courses[flow.direction], c) for c in columns})
        if flow.direction in courses
        else flow
        for flow in flows
    )


def _flow(logs: Sequence[Log], way: int, unit: int) -> Flow | None:
    mine = [log for log in logs if (log.directions == way).any()]
    if not mine:
        return None
    step = _step(mine, way)
    last = max(int(log.ms.max()) for log in mine)
    entries = [_put(log, way, step, last) for log in mine]
    cells = _cells(entries)
    at = cells * step
    if all(log.single for log in mine):
        at[-1] = max(last, (cells[-1] - 1) * step + 1)
    seconds = (at - (cells - 1) * step) / 1000
    iops = _rates(entries, cells, seconds)
    bandwidth = _bandwidth(entries, cells, seconds)
    latency, of = _latency(entries, cells, unit)
    histogram, bins = _histograms(mine, way, at, unit, of)
    operations = iops * seconds
    known = ~np.isnan(latency) & (operations > 0)
    done = float(operations[known].sum())
    return Flow(
        direction=DIRECTIONS[way],
        operations=round(float(np.nansum(operations))),
        bytes=round(float(np.nansum(bandwidth * seconds))),
        seconds=float(seconds.sum()),
        mean=float((latency * operations)[known].sum()) / done if done else None,
        histogram=histogram,
        at=Integers((at * 1_000_000).tolist()),
        iops=Numbers(iops.tolist()),
        bandwidth=Numbers(bandwidth.tolist()),
        latency=Numbers(latency.tolist()),
        interval=Integers(bins[0].tolist()),
        ns=Integers(bins[1].tolist()),
        counts=Integers(bins[2].tolist()),
    )


def _step(logs: Sequence[Log], way: int) -> int:
    """The intervals of the logs, ms: the longest window, or a second where none has windows.

    Histograms have windows of their own (log_hist_msec), which count where there is nothing else.
    """
    windows = [log for log in logs if not log.single and log.kind != "hist"]
    if not windows and any(log.single for log in logs):
        return SECOND
    spacings = [_spacings(log.ms[log.directions == way]) for log in windows or logs]
    longest = max(float(np.median(found)) for found in spacings)
    return max(1, round(float(np.mean(_about(longest, np.concatenate(spacings))))))


def _spacings(ms: Table) -> Table:
    """How far from each other windows ended, the first from the beginning."""
    spacings: Table = np.diff(np.concatenate([[0], np.unique(ms)]))
    return spacings[spacings > 0] if spacings.any() else np.array([SECOND])


def _about(window: float, spacings: Table) -> Table:
    """Those near it. Their mean is the window, as each is a few ms off but no sum of them is."""
    near = spacings[abs(spacings - window) <= 0.2 * window]
    return near if near.size else np.array([int(window)])


def _put(log: Log, way: int, step: int, last: int) -> _Entries:
    """Windows end a few ms beside where they should: each goes to the nearest interval.

    Single operations behind the last whole interval are added to it if they fill less than half.
    """
    mine = log.directions == way
    ms = log.ms[mine]
    ends = (ms + step // 2) // step
    most = max(1, (last + step // 2) // step)
    cells = np.minimum(ms // step + 1, most) if log.single else np.maximum(ends, 1)
    values = log.values[:, mine].sum(axis=0) if log.kind == "hist" else log.values[mine]
    found, which = np.unique(cells, return_inverse=True)
    n = np.bincount(which).astype(np.float64)
    sums = np.bincount(which, values.astype(np.float64)).astype(np.float64)
    moved = np.bincount(which, log.blocks[mine].astype(np.float64)).astype(np.float64)
    return _Entries(log, found, sums if log.kind == "hist" else sums / n, n, moved)


def _cells(entries: Sequence[_Entries]) -> Table:
    """All intervals up to the last that has a rate; one without an entry is one of no operation.

    fio ends before it has logged the last window's rates, but not its latencies.
    """
    rated = [e for e in entries if e.log.single or e.log.kind in _RATED] or entries
    last = max(int(entry.cells[-1]) for entry in rated)
    if last <= _FILLED:
        return np.arange(1, last + 1)
    cells = np.unique(np.concatenate([entry.cells for entry in entries]))
    return cells[cells <= last]


def _of_kinds(entries: Sequence[_Entries], kinds: Sequence[str]) -> Iterator[_Entries]:
    """Those of the first kind that tells anything of rates."""
    for kind in kinds:
        found = [e for e in entries if e.log.kind == kind and (e.log.single or kind in _RATED)]
        if found:
            yield from found
            return


def _within(entry: _Entries, cells: Table) -> tuple[Table, _Entries]:
    """Which cells the entries are of; what lies behind the last is left out."""
    n = int(np.searchsorted(entry.cells, cells[-1], side="right"))
    cut = _Entries(entry.log, entry.cells[:n], entry.mean[:n], entry.n[:n], entry.moved[:n])
    return np.searchsorted(cells, cut.cells), cut


def _rates(entries: Sequence[_Entries], cells: Table, seconds: Values) -> Values:
    total = np.zeros(len(cells))
    none = True
    for whole in _of_kinds(entries, [k for k in _RATES if k != "bw" or _single(entries, "bw")]):
        none = False
        where, entry = _within(whole, cells)
        if entry.log.single:
            total[where] += entry.n / seconds[where]
        else:
            total[where] += entry.mean / (seconds[where] if entry.log.kind == "hist" else 1)
    return np.full(len(cells), np.nan) if none else total


def _single(entries: Sequence[_Entries], kind: str) -> bool:
    return any(e.log.kind == kind and e.log.single for e in entries)


def _bandwidth(entries: Sequence[_Entries], cells: Table, seconds: Values) -> Values:
    total = np.zeros(len(cells))
    none = True
    kinds = [k for k in _MOVED if k == "bw" or _single(entries, k)]
    for whole in _of_kinds(entries, kinds):
        none = False
        where, entry = _within(whole, cells)
        total[where] += entry.moved / seconds[where] if entry.log.single else entry.mean * 1024
    return np.full(len(cells), np.nan) if none else total


def _latency(entries: Sequence[_Entries], cells: Table, unit: int) -> tuple[Values, str]:
    """The mean in each interval, s, and whether it is of the total or of the completion."""
    kind = "lat" if any(e.log.kind == "lat" for e in entries) else "clat"
    done = {e.log.job: e for e in entries if e.log.kind == "iops"}
    sums, weights = np.zeros(len(cells)), np.zeros(len(cells))
    for whole in (entry for entry in entries if entry.log.kind == kind):
        where, entry = _within(whole, cells)
        weight = entry.n if entry.log.single else _weight(entry, done.get(entry.log.job))
        sums[where] += entry.mean * weight
        weights[where] += weight
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums / weights * unit / 1e9, "total" if kind == "lat" else "completion"


def _weight(entry: _Entries, done: _Entries | None) -> Values:
    weight = np.ones(len(entry.cells))
    if done is not None:
        _, mine, theirs = np.intersect1d(entry.cells, done.cells, return_indices=True)
        weight[mine] = done.mean[theirs]
    return weight


_Bins = tuple[Counts, Counts, Counts]


def _histograms(
    logs: Sequence[Log], way: int, at: Table, unit: int, of: str
) -> tuple[Histogram | None, _Bins]:
    """The total, and the bins of each interval, of histogram logs or of single operations."""
    found = [_bins_of(log, way, unit, of) for log in logs]
    parts = [bins for bins in found if bins]
    nothing = np.zeros(0, np.int64)
    if not parts:
        return None, (nothing, nothing, nothing)
    exact = any(log.kind == "hist" for log in logs)
    ms, ns, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    total = of_bins("completion" if exact else of, *added(ns, counts))
    which = np.minimum(np.searchsorted(at, ms, side="right"), len(at) - 1)
    return total, _by_interval(which, ns, counts)


def _by_interval(which: Table, ns: Counts, counts: Counts) -> _Bins:
    columns: list[_Bins] = []
    order = np.argsort(which, kind="stable")
    which, ns, counts = which[order], ns[order], counts[order]
    edges = np.flatnonzero(np.diff(which)) + 1
    for i, values, n in zip(
        np.unique(which), np.split(ns, edges), np.split(counts, edges), strict=True
    ):
        values, n = coarsened(values, n)
        columns.append((np.full(len(values), i), values, n))
    return tuple(np.concatenate(column) for column in zip(*columns, strict=True))  # type: ignore[return-value]


def _bins_of(log: Log, way: int, unit: int, of: str) -> _Bins | None:
    """When, which bin, how many. A window's time is its middle."""
    mine = log.directions == way
    if log.kind == "hist":
        bins, entry = np.nonzero(log.values[:, mine])
        ms = log.ms[mine] - int(np.median(_spacings(log.ms[mine]))) // 2
        counts = log.values[:, mine][bins, entry]
        return ms[entry], bin_values(log)[bins], counts
    if log.single and log.kind == ("lat" if of == "total" else "clat"):
        values = log.values[mine] * unit
        return log.ms[mine], bin_value(values, _FINE_BITS), np.ones(len(values), np.int64)
    return None
