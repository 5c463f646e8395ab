"""Terse output of fio in (semicolons, versions 2 to 5); out comes the document that it stands for.

HOWTO, Terse output. Latencies are in µs in every version. There is no count of operations: it is
reckoned from the rate, which terse output cuts to whole IOPS.
"""

import re
from typing import Any

from stend.fio.documents import Document

_LINE = re.compile(r"^[2-5];[^\n]*", re.MULTILINE)

_BEFORE = {2: 4, 3: 5, 4: 5, 5: 5}
"""Fields before the first direction: version 2 does not tell fio's version."""
_WAYS = {2: 3, 3: 2, 4: 3, 5: 3}
"""Directions: only version 3 leaves trims out."""
_EACH = {2: 41, 3: 41, 4: 41, 5: 47}
"""Fields of each: version 5 counts samples, and tells of IOPS as it does of bandwidth."""
_TOTAL = 32
"""Where in them the total latency stands, behind 20 percentiles."""
_BEHIND = 34
"""Fields after the last direction: CPU, depths, latencies. Disks and a description may follow."""


def looks_terse(text: str) -> bool:
    """Whether there is a line of terse output."""
    return any(_job(found[0]) for found in _LINE.finditer(text))


def documents_of(text: str) -> list[Document]:
    """Give a document for each report: a job that comes again begins the next one.

    With --status-interval the same jobs are reported again and again; several processes of one
    job have one name, too, so what begins a report is the first name.
    """
    reports: list[list[dict[str, Any]]] = []
    versions: list[str] = []
    for found in _LINE.finditer(text):
        job = _job(found[0])
        if job is None:
            continue
        if not reports or _begins(job, reports[-1]):
            reports.append([])
            versions.append(job.pop("fio version"))
        job.pop("fio version", None)
        reports[-1].append(job)
    return [
        {"fio version": version, "jobs": jobs}
        for version, jobs in zip(versions, reports, strict=True)
    ]


def _begins(job: dict[str, Any], before: list[dict[str, Any]]) -> bool:
    """Whether a job is the first of another report: it is back after others, or ran on."""
    first = before[0]
    if job["jobname"] != first["jobname"]:
        return False
    return before[-1]["jobname"] != job["jobname"] or _ran(job) > 1.2 * _ran(first) + 200


def _ran(job: dict[str, Any]) -> int:
    return max(int(job[way]["runtime"]) for way in ("read", "write", "trim") if way in job)


def _job(line: str) -> dict[str, Any] | None:
    """Read a line; None if it is none of terse output."""
    fields = line.rstrip("\r").split(";")
    version = int(fields[0])
    ways, each = _WAYS[version], _EACH[version]
    named = _BEFORE[version]
    if len(fields) < named + ways * each + _BEHIND:
        return None
    job: dict[str, Any] = {
        "fio version": fields[1] if version > 2 else "",
        "jobname": fields[named - 3],
        "groupid": _whole(fields[named - 2]),
        "error": _whole(fields[named - 1]),
    }
    for i, name in enumerate(("read", "write", "trim")[:ways]):
        job[name] = _way(fields[named + i * each : named + (i + 1) * each])
    return job


def _way(fields: list[str]) -> dict[str, Any]:
    """One direction, under the names of fio 2's JSON."""
    kib, _, iops, runtime = map(_whole, fields[:4])
    least, most, mean = map(_real, fields[_TOTAL : _TOTAL + 3])
    return {
        "io_bytes": kib << 10,
        "io_kbytes": kib,
        "iops": iops,
        "runtime": runtime,
        "clat": {"percentile": dict(map(_percentile, fields[12:_TOTAL]))},
        "lat": {"min": least, "max": most, "mean": mean},
    }


def _percentile(field: str) -> tuple[str, int]:
    name, _, value = field.partition("%=")
    return name, _whole(value)


def _whole(field: str) -> int:
    return int(field) if field.isascii() and field.isdigit() and len(field) < 19 else 0


def _real(field: str) -> float:
    try:
        return float(field)
    except ValueError:
        return 0.0
