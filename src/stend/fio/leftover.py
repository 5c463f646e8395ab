"""A document of fio in; a sentence out for each part of it that no record has room for."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from stend.fio.documents import Document
from stend.fio.results import Part, count, jobs_of, operations
from stend.printable import printable

_OF_DOCUMENT = frozenset(
    {"fio version", "timestamp", "timestamp_ms", "time", "global options", "jobs", "client_stats"}
    | {"disk_util"}  # kept with the case, as it is
)

_OF_JOB = frozenset(
    {"jobname", "groupid", "error", "eta", "elapsed", "job_start", "job_runtime", "job options"}
    | {"hostname", "port", "desc", "read", "write", "trim", "mixed", "sync"}
    | {"usr_cpu", "sys_cpu", "ctx", "majf", "minf"}
    | {"iodepth_level", "iodepth_submit", "iodepth_complete"}
    | {"latency_ns", "latency_us", "latency_ms"}
    | {"latency_depth", "latency_target", "latency_target_ns", "latency_percentile"}
    | {"latency_window", "latency_window_us"}
)
"""What is read, and what the rest of the job says again in another way (stat.c,
show_thread_status_json)."""

_MOST = 2_000
"""Characters that are kept of each part."""


def leftover(document: Document) -> list[str]:
    """Say what of a document is not read, with what it holds."""
    return list(_parts(document, jobs_of(document)))


def _parts(document: Document, jobs: Sequence[Part]) -> Iterator[str]:
    for key in document.keys() - _OF_DOCUMENT:
        if document[key]:
            yield f"Not read of the result: {printable(key)} = {shown(document[key])}"
    for job in jobs:
        name = printable(str(job.get("jobname", "")))
        for key in sorted(job.keys() - _OF_JOB):
            yield f"Not read of the job {name}: {printable(key)} = {shown(job[key])}"
        sync = job.get("sync")
        if isinstance(sync, dict) and count(sync, "total_ios"):
            yield f"Not read of the job {name}: {count(sync, 'total_ios'):,} syncs and their times."
    if any("mixed" in job and "read" not in job for job in jobs):
        yield "Reads and writes were reported together; they stand here as reads."
    ways = [way for job in jobs for name in ("read", "write", "trim") if (way := job.get(name))]
    if any(isinstance(way, dict) and "total_ios" not in way and operations(way) for way in ways):
        yield "Operations are reckoned from the rate, as this format of fio's does not count them."


def shown(value: Any) -> str:
    """A part of a document as JSON, in ASCII; its beginning where it is long."""
    try:
        return json.dumps(value, separators=(",", ":"))[:_MOST]
    except RecursionError:
        return "(nested too deeply)"
