"""A document of fio as flows: what went each way in all jobs, with latency histograms.

A percentile of several histograms is one of their sum, never the mean of theirs.

fio 3 gives latencies in ns (`lat_ns`), fio 2 in µs (`lat`); and before io_kbytes came beside it
(fio 2.99) io_bytes was in KiB. A number that is missing, negative or no number is 0.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stend.record import Metric
from stend.record.columns import Integers
from stend.record.loads import Direction, Flow, Histogram
from stend.storage.fio.documents import Document

QUESTIONS = {
    "read": "How many blocks a second can be read one after another?",
    "write": "How many blocks a second can be written one after another?",
    "randread": "How many blocks a second can be read anywhere?",
    "randwrite": "How many blocks a second can be written anywhere?",
    "rw": "How many blocks a second can be read and written one after another?",
    "randrw": "How many blocks a second can be read and written anywhere?",
}
"""By fio's rw."""

METRIC = Metric(name="IOPS", unit="IOPS", better="higher")

PERCENTS = {"p50 s": 50.0, "p99 s": 99.0, "p99.9 s": 99.9, "p99.99 s": 99.99}

FURTHER = {
    "bandwidth B/s": Metric(name="bandwidth", unit="B/s", better="higher"),
    "latency s": Metric(name="mean latency", unit="s", better="lower"),
    **{
        name: Metric(name=f"{name.removesuffix(' s')} latency", unit="s", better="lower")
        for name in PERCENTS
    },
    "cpu share": Metric(name="CPU", unit="share", better="lower"),
}
"""What a sample's `also` can hold beside IOPS. All latencies are from submission to completion
where fio kept that histogram (lat_percentiles=1), else percentiles are from its end (clat)."""


Counts = npt.NDArray[np.int64]

COARSE_BITS = 3
"""8 bins an octave: what a bin is given is at most 1/16 beside the truth."""


def merged(histograms: Iterable[Histogram]) -> Histogram | None:
    """Add histograms of one kind; None if there are none, or of different kinds."""
    parts = list(histograms)
    if len({part.of for part in parts}) != 1:
        return None
    ns = np.concatenate([np.asarray(part.ns) for part in parts])
    counts = np.concatenate([np.asarray(part.counts) for part in parts])
    return of_bins(parts[0].of, *added(ns, counts))


def of_bins(of: str, ns: Counts, counts: Counts) -> Histogram:
    """Make a record of ascending bins."""
    columns = (Integers(np.ascontiguousarray(x, np.int64).tobytes()) for x in (ns, counts))
    return Histogram(of=of, ns=next(columns), counts=next(columns))  # type: ignore[arg-type]


def added(ns: Counts, counts: Counts) -> tuple[Counts, Counts]:
    """Sort bins, put those of one value together, and leave the empty ones out."""
    values, which = np.unique(ns, return_inverse=True)
    sums = np.zeros(len(values), np.int64)
    np.add.at(sums, which, counts)
    return values[sums != 0], sums[sums != 0]


def subtracted(later: Histogram, earlier: Histogram | None) -> tuple[Counts, Counts] | None:
    """Give the bins that came between two cumulative histograms.

    None if they can't be of one course: of two kinds, or a bin that became less.
    """
    ns, counts = np.asarray(later.ns), np.asarray(later.counts)
    if earlier is None:
        return ns, counts
    if earlier.of != later.of:
        return None
    both = np.concatenate([ns, np.asarray(earlier.ns)])
    ns, counts = added(both, np.concatenate([counts, -np.asarray(earlier.counts)]))
    return None if (counts < 0).any() else (ns, counts)


def coarsened(ns: Counts, counts: Counts) -> tuple[Counts, Counts]:
    """Put bins of fio's 64 an octave together to 8 an octave, each named by its middle."""
    return added(bin_value(ns, COARSE_BITS), counts)


def bin_value(ns: Counts, bits: int) -> Counts:
    """Give the value by which fio names the bin of 2^bits an octave that holds each value.

    stat.c, plat_val_to_idx and plat_idx_to_val: one bin a value up to two octaves, then the middle.
    """
    values = np.asarray(ns, np.int64)
    octave = np.frexp(np.maximum(values, 1).astype(np.float64))[1] - 1
    # Above 2^53 a float64 can round up to the next power of two.
    octave -= (np.int64(1) << np.minimum(octave, 62)) > np.maximum(values, 1)
    dropped = np.maximum(octave - bits, 0).astype(np.int64)
    return np.where(dropped > 0, (values >> dropped << dropped) + (1 << dropped >> 1), values)


def percentiles(histogram: Histogram, percents: Sequence[float]) -> list[float]:
    """Give percentiles in seconds, as fio does from the same bins (stat.c, calc_clat_percentiles).

    It is the first bin with which the sum reaches `percent / 100 · operations`, compared in
    C's long double as fio does. NaN where there are no operations.
    """
    sums = np.cumsum(np.asarray(histogram.counts))
    if not len(sums) or sums[-1] <= 0:
        return [float("nan")] * len(percents)
    wanted = np.array(percents, np.longdouble) / np.longdouble(100) * np.longdouble(int(sums[-1]))
    which = np.searchsorted(sums.astype(np.longdouble), wanted, side="left")
    ns = np.asarray(histogram.ns)[np.minimum(which, len(sums) - 1)]
    return [float(x) / 1e9 for x in ns]


def operations_of(histogram: Histogram) -> int:
    """How many operations it holds."""
    return int(np.sum(np.asarray(histogram.counts)))


Part = dict[str, Any]
"""An object within a document."""

DIRECTIONS: tuple[Direction, ...] = ("read", "write", "trim")
ALL_CLIENTS = "All clients"
"""The job that a client adds: the sum of those of all servers."""

_MOST = 1 << 62
_LONGEST = 1 << 42
"""ms: longer would leave 64 bits as ns."""
_MOST_IN_BIN = 1 << 40
_KINDS = (("lat", "total"), ("clat", "completion"))


def jobs_of(document: Document) -> list[Part]:
    """The jobs that a document reports, each once: a client's without the sum over its servers."""
    named = document.get("jobs")
    if not isinstance(named, list):
        named = document.get("client_stats")
    jobs = [job for job in named if isinstance(job, dict)] if isinstance(named, list) else []
    single = [job for job in jobs if job.get("jobname") != ALL_CLIENTS]
    return single or jobs


def flows(document: Document) -> tuple[Flow, ...]:
    """What went each way, summed over the jobs: what ran together counts as long as the longest.

    The mean latency is weighted by operations, bins are added. A direction in which nothing was
    done has no flow.
    """
    jobs = jobs_of(document)
    made = (_flow(direction, parts) for direction in DIRECTIONS if (parts := _way(jobs, direction)))
    return tuple(flow for flow in made if flow.operations or flow.bytes)


def printed_percentiles(
    document: Document, left_out: Container[Direction] = ()
) -> dict[float, float]:
    """Give the percentiles, s, that fio printed of all latencies: of one job that went one way.

    There are none of several: they can't be put together but by their bins. Directions that are
    `left_out` are as if they weren't there.
    """
    ways = [
        way
        for job in jobs_of(document)
        for name in DIRECTIONS
        if name not in left_out and (way := job.get(name))
    ]
    busy = [way for way in ways if isinstance(way, dict) and operations(way)]
    if len(busy) != 1:
        return {}
    for key, unit in (("lat_ns", 1e-9), ("lat", 1e-6), ("clat_ns", 1e-9), ("clat", 1e-6)):
        found = busy[0].get(key)
        printed = found.get("percentile") if isinstance(found, dict) else None
        if isinstance(printed, dict) and printed:
            named = {p: f"{p:f}" for p in PERCENTS.values()}
            return {p: number(printed, k) * unit for p, k in named.items() if k in printed}
    return {}


def _way(jobs: list[Part], direction: Direction) -> list[Part]:
    parts = [part for job in jobs if (part := job.get(direction))]
    if direction == "read":
        parts += [job["mixed"] for job in jobs if "mixed" in job and "read" not in job]
    return [part for part in parts if isinstance(part, dict)]


def _flow(direction: Direction, parts: list[Part]) -> Flow:
    busy = [part for part in parts if operations(part)]
    latencies = [found for part in busy if (found := latency(part))]
    weight = sum(found[0] for found in latencies)
    mean = sum(n * mean for n, mean, _, _ in latencies) / weight if weight else None
    return Flow(
        direction=direction,
        operations=min(_MOST, sum(map(operations, parts))),
        bytes=min(_MOST, sum(map(moved, parts))),
        seconds=max(map(ran, parts), default=0) / 1000,
        mean=mean,
        least=min(found[2] for found in latencies) if latencies else None,
        most=max(found[3] for found in latencies) if latencies else None,
        histogram=_histogram(busy),
    )


def operations(part: Part) -> int:
    """How many a job did one way; early fio 2 tells only their rate."""
    if "total_ios" in part:
        return count(part, "total_ios")
    return round(number(part, "iops") * count(part, "runtime") / 1000)


def ran(part: Part) -> int:
    """How many ms a job went one way."""
    return min(count(part, "runtime"), _LONGEST)


def moved(part: Part) -> int:
    """How many bytes a job moved one way."""
    return count(part, "io_bytes") * (1 if "io_kbytes" in part else 1024)


def latency(part: Part) -> tuple[int, float, float, float] | None:
    """Operations, mean, least and most, s, of the latency from submission to completion."""
    for key, unit in (("lat_ns", 1e-9), ("lat", 1e-6)):
        found = part.get(key)
        if isinstance(found, dict) and number(found, "mean"):
            n = count(found, "N") if "N" in found else operations(part)
            bounds = (number(found, key) * unit for key in ("mean", "min", "max"))
            return n, *bounds  # type: ignore[return-value]
    return None


def _histogram(busy: list[Part]) -> Histogram | None:
    """The sum over all parts, of the first kind that every one of them has."""
    for key, of in _KINDS:
        parts = [_bins(part, key, of) for part in busy]
        whole = [part for part in parts if part is not None]
        if whole and len(whole) == len(parts):
            return merged(whole)
    return None


def _bins(part: Part, key: str, of: str) -> Histogram | None:
    for name, unit in ((f"{key}_ns", 1), (key, 1000)):
        found = part.get(name)
        bins = found.get("bins") if isinstance(found, dict) else None
        if isinstance(bins, dict) and (pairs := list(_pairs(bins))):
            columns = np.array(pairs, np.int64)
            return of_bins(of, *added(columns[:, 0] * unit, columns[:, 1]))
    return None


def _pairs(bins: Part) -> Iterator[tuple[int, int]]:
    for key, n in bins.items():
        if key.isascii() and key.isdigit() and len(key) < 16 and type(n) is int:
            yield int(key), min(max(n, 0), _MOST_IN_BIN)


def count(part: Part, key: str) -> int:
    """A whole number of a document, 0 if there is none."""
    value = part.get(key)
    return min(value, _MOST) if type(value) is int and value > 0 else 0


def number(part: Part, key: str) -> float:
    """A number of a document, 0 if there is none."""
    value = part.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return float(value) if 1e-9 < value < 1e15 else 0.0
