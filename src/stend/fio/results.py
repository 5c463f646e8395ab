"""A document of fio in; what went each way in all of its jobs out, as flows.

fio 3 gives latencies in ns (`lat_ns`), fio 2 in µs (`lat`); and before io_kbytes came beside it
(fio 2.99) io_bytes was in KiB. A number that is missing, negative or no number is 0.
"""

from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from stend.fio.documents import Document
from stend.fio.figures import PERCENTS
from stend.fio.histogram import added, merged, of_bins
from stend.loads import Direction, Flow, Histogram

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
