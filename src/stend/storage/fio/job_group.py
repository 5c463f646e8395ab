"""Jobs of fio that ran together, as parameters of a case, and the name of the case.

With group_reporting fio reports one job of a whole group: under the name of its first section, with
the options of its last one. What else ran shows only in the totals: more time or bytes than the
told job's processes have, another direction, another size of blocks.

An option that is not given has fio's own value; where no option is told at all (before fio 2.2.11,
terse output; by a client with group_reporting, of every group but the first) only what the results
show is said.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from stend.record import Scalar
from stend.record.loads import Direction, Flow, StorageTarget
from stend.record.text import printable
from stend.storage.fio.documents import Document
from stend.storage.fio.identity import (
    Parameters,
    directions,
    engine_of,
    goes_on,
    has_slices,
    identity,
    pattern_of,
    verifies,
)
from stend.storage.fio.jobfile import HANDED
from stend.storage.fio.options import Options, base_of, is_set, seconds, size, whole_number
from stend.storage.fio.results import Part, count, moved, operations, ran
from stend.storage.fio.verdict import ENOUGH
from stend.storage.fio.workload import OVERLAP

SEVERAL = "several"
"""Instead of a pattern, where there are several."""
UNKNOWN = "unknown"
_FIRST = ("block", "bs", "bssplit", "bsrange", "depth")
_LONGEST = 400
"""Characters of `mix`; of a longer one the rest is a digest."""
_NEAR = 0.02
"""Of a ratio that has to be a whole number: fio's times are in ms."""
_MOST_OFF = 0.25
_MOST_PROCESSES = 1 << 16
_ALONE = 1.05
"""Times its processes that a section's job_runtime may be of the time they went one way."""
_OTHER_BLOCKS = 0.01
"""By how much the mean size of requests may differ from the one told."""
_WAYS: tuple[Direction, ...] = ("read", "write", "trim")


@dataclass(frozen=True)
class JobGroup:
    """What the jobs did, as far as it is told."""

    benchmark: str
    parameters: Parameters
    left_out: frozenset[Direction]
    """Directions that are no part of the workload: reads that verify what it wrote."""
    unread: tuple[str, ...]


@dataclass(frozen=True)
class _Job:
    """One report."""

    options: Options
    report: Part
    processes: int | None
    """None: more than are told, and not known how many."""

    @property
    def pattern(self) -> str:
        return pattern_of(self.options)


def job_group(
    own: Sequence[Options], reports: Sequence[Part], targets: Sequence[StorageTarget]
) -> JobGroup:
    """Put the jobs of a group together; their options in the order of their reports."""
    jobs = _jobs(own, reports)
    patterns = sorted({job.pattern for job in jobs})
    contradicted = _contradicted(jobs)
    pattern = SEVERAL if len(patterns) > 1 or contradicted == "way" else patterns[0]
    left_out = _verified(jobs)
    return JobGroup(
        benchmark=f"storage.{pattern}",
        parameters=_unknown(jobs, targets) if contradicted else _parameters(jobs, targets),
        left_out=left_out,
        unread=(*_of_groups(jobs, contradicted), *_of_verifying(jobs, left_out)),
    )


def job_names(reports: Sequence[Part]) -> str:
    """What tells workloads apart of which nothing else is told."""
    return printable(", ".join(dict.fromkeys(str(job.get("jobname", "")) for job in reports)))


def _parameters(jobs: Sequence[_Job], targets: Sequence[StorageTarget]) -> Parameters:
    """What all jobs have in common, in the order of a workload's own; then what they differ in."""
    all_of = [identity(job.options) for job in jobs]
    common = {k: v for k, v in all_of[0].items() if all(x.get(k) == v for x in all_of)}
    first = {name: common.pop(name) for name in _FIRST if name in common}
    return {
        **first,
        **_processes(jobs),
        **_kind(targets),
        **common,
        **_region(jobs),
        **_mix(jobs, all_of, first | common),
    }


def _unknown(jobs: Sequence[_Job], targets: Sequence[StorageTarget]) -> Parameters:
    """Of a group whose one report contradicts its options nothing that they say is sure."""
    names = job_names([job.report for job in jobs])
    return {**_processes(jobs), **_kind(targets), "mix": UNKNOWN, "job": names}


def _processes(jobs: Sequence[_Job]) -> Parameters:
    counts = [job.processes for job in jobs]
    known = [n for n in counts if n is not None]
    return {"jobs": sum(known)} if len(known) == len(counts) else {}


def _kind(targets: Sequence[StorageTarget]) -> Parameters:
    kinds = {target.kind for target in targets}
    return {"target": kinds.pop()} if len(kinds) == 1 else {}


def _region(jobs: Sequence[_Job]) -> dict[str, Scalar]:
    """How processes share what they go over, where it is not as usual.

    Without a file's name each process has files of its own. Sequential ones of one file overlap
    unless each has an offset of its own.
    """
    if any(engine_of(job.options) == "null" for job in jobs):
        return {}
    several = sum(job.processes or 2 for job in jobs) > 1
    if several and not any("filename" in job.options for job in jobs):
        return {"files": "own"}
    places = Counter[tuple[str | None, ...]]()
    for job in jobs:
        if goes_on(job.pattern) and not has_slices(job.options) and "filename" in job.options:
            server = str(job.report.get("hostname")), str(job.report.get("port"))
            place = job.options["filename"], job.options.get("offset")
            places[*server, *place] += (
                1 if len(jobs) > 1 else whole_number(job.options.get("numjobs", "1")) or 1
            )
    return {"clones": OVERLAP} if any(n > 1 for n in places.values()) else {}


def _mix(
    jobs: Sequence[_Job], all_of: Sequence[Parameters], common: Parameters
) -> dict[str, Scalar]:
    """How many processes do what, where they don't all do the same."""
    patterns = {job.pattern for job in jobs}
    counts = Counter[str]()
    for job, parameters in zip(jobs, all_of, strict=True):
        words = [job.pattern] if len(patterns) > 1 else []
        words += [f"{k}={v}" for k, v in parameters.items() if k not in common]
        counts[" ".join(words)] += job.processes or 1
    if len(counts) == 1:
        return {}
    words_of_all = printable(
        " + ".join(f"{n} × {words}".rstrip() for words, n in sorted(counts.items()))
    )
    if len(words_of_all) > _LONGEST:
        words_of_all = (
            f"{words_of_all[:_LONGEST]}… ({sha256(words_of_all.encode()).hexdigest()[:12]})"
        )
    return {"mix": words_of_all}


def _jobs(own: Sequence[Options], reports: Sequence[Part]) -> list[_Job]:
    """Each process has a report; with group_reporting there is one of all, as it is of a server."""
    servers = Counter(_server(report) for report in reports)
    return [
        _Job(options, report, 1 if servers[_server(report)] > 1 else _grouped(options, report))
        for options, report in zip(own, reports, strict=True)
    ]


def _server(report: Part) -> tuple[str, str]:
    return str(report.get("hostname")), str(report.get("port"))


def _grouped(options: Options, report: Part) -> int | None:
    """How many processes one report stands for: those of its section, unless it shows more.

    What each of them ran is summed up in job_runtime (fio 3), and what all moved in io_bytes: a
    process that ends by itself moves its size once.
    """
    processes = whole_number(options.get("numjobs", "1")) or 1
    if verifies(options) or is_set(options, "end_fsync"):  # which job_runtime has in it, too
        return processes
    longest = max((ran(way) for way in _ways(report)), default=0)
    together = count(report, "job_runtime") / longest if longest else 0.0
    limit = seconds(options.get("runtime", ""))
    if limit and together <= _ALONE * processes:
        return processes
    ended = not limit or longest < 1000 * ENOUGH * limit
    found = _times_its_size(options, report) if ended else together
    if _is_whole(found) and round(found) >= processes:
        return round(found)
    return processes if max(found, together) < processes + 1 else None


def _times_its_size(options: Options, report: Part) -> float:
    """How often what one process has to move was moved; 0: it has no end of its own."""
    each = size(options.get("size", options.get("filesize", "")), base_of(options))
    if not each or {"loops", "io_size", "time_based"} & options.keys():
        return 0.0
    return sum(map(moved, _ways(report))) / each


def _is_whole(ratio: float) -> bool:
    return 1 <= ratio <= _MOST_PROCESSES and abs(ratio - round(ratio)) <= min(
        _NEAR * ratio, _MOST_OFF
    )


def _ways(report: Part) -> Iterator[Part]:
    found = (report.get(way) for way in (*_WAYS, "mixed"))
    return (way for way in found if isinstance(way, dict))


def _contradicted(jobs: Sequence[_Job]) -> str:
    """Say what a report of a group shows that its options don't tell: "way", "block", or ""."""
    for job in jobs:
        ways = directions(job.pattern)
        if ways is None or "mixed" in job.report:
            continue
        busy = {way: x for way in _WAYS if operations(x := _part(job.report, way))}
        if busy.keys() - ways - ({"read"} if verifies(job.options) else set()):
            return "way"
        block = identity(job.options).get("block")
        if type(block) is int and not all(_fits(part, block) for part in busy.values()):
            return "block"
    return ""


def _part(report: Part, way: str) -> Part:
    found = report.get(way)
    return found if isinstance(found, dict) else {}


def _fits(part: Part, block: int) -> bool:
    """Bytes are rounded to KiB by old versions, so a few requests tell nothing."""
    n = operations(part)
    mean = moved(part) / n
    return n < 100 or not moved(part) or math.isclose(mean, block, rel_tol=_OTHER_BLOCKS)


def _verified(jobs: Sequence[_Job]) -> frozenset[Direction]:
    """What was only read to be compared with what had been written."""
    reads = any("read" in (directions(job.pattern) or {"read"}) for job in jobs)
    if reads or not any(verifies(job.options) for job in jobs):
        return frozenset()
    return frozenset({"read"})


def _of_groups(jobs: Sequence[_Job], contradicted: str) -> Iterator[str]:
    for job in jobs:
        count = whole_number(job.options.get("numjobs", "1")) or 1
        if job.processes is None or (len(jobs) == 1 and job.processes > count):
            several = f"{job.processes}" if job.processes else f"more than {count}"
            yield (
                f"One report is of {several} processes (group_reporting); fio reports the "
                "options of the last section only, and the others are assumed to be the same."
            )
    if contradicted:
        yield (
            "The report counts requests that its options don't describe: it is of jobs of "
            "several workloads (group_reporting), and fio reports the options of the last "
            "section only. Run fio without group_reporting to get a report of each."
        )


def _of_verifying(jobs: Sequence[_Job], left_out: frozenset[Direction]) -> Iterator[str]:
    reads = sum(operations(_part(job.report, "read")) for job in jobs)
    if left_out and reads:
        yield f"{reads:,} reads that verified what had been written are not counted."
    elif any(verifies(job.options) and job.pattern in ("rw", "randrw") for job in jobs):
        yield "Reads that verify are counted with the workload's own: fio adds them up."


@dataclass(frozen=True)
class Described:
    """What a group of jobs was told to do."""

    benchmark: str
    parameters: dict[str, Scalar]
    targets: tuple[StorageTarget, ...]
    asked: float | None
    """Seconds; None: until the work was done, or not told."""
    job_file: str
    """The options as a job file; empty where none is told."""
    unread: tuple[str, ...]
    left_out: frozenset[Direction] = frozenset()
    """Directions that are no part of the workload, and count in no figure."""


def described(document: Document, jobs: Sequence[Part], flows: Sequence[Flow]) -> Described:
    """Say what jobs of a document that ran together did."""
    shared = _options(document.get("global options"))
    own = [shared | _options(job.get("job options")) for job in jobs]
    if not any(own) or any(map(_is_untold, jobs)):
        pattern = _seen(flows)
        said = f"The result lacks some options of fio: whether the {pattern} was random is unknown."
        named = {"job": job_names(jobs)} if jobs else {}
        return Described(f"storage.{pattern}", {**named}, (), None, "", (said,))
    targets = _targets(own)
    group = job_group(own, jobs, targets)
    asked = _asked(own, jobs, group.parameters.get("jobs"))
    return Described(
        benchmark=group.benchmark,
        parameters=group.parameters,
        targets=targets,
        asked=asked,
        job_file=_job_file(shared, jobs),
        unread=(*_ramps(own), *group.unread, *_cut_short(own, asked, flows)),
        left_out=group.left_out,
    )


def _is_untold(job: Part) -> bool:
    """Whether a client left out the job's own options; without a client there are none then."""
    return "job options" not in job and "hostname" in job


def _options(found: object) -> dict[str, str]:
    """The options of a job; a client's global ones are a list, of an object for each server."""
    if isinstance(found, list):
        found = found[0] if found else None
    if not isinstance(found, dict):
        return {}
    given = {key: value for key, value in found.items() if key not in ("hostname", "port")}
    return {printable(key): printable(str(value)) for key, value in given.items()}


def _seen(flows: Sequence[Flow]) -> str:
    """What went which way, where nothing tells of the order."""
    ways = {flow.direction for flow in flows}
    return "rw" if {"read", "write"} <= ways else next(iter(sorted(ways)), "read")


def _asked(own: Sequence[Options], jobs: Sequence[Part], processes: object) -> float | None:
    """How long a time-based run had to last: its `runtime`, which else is a limit.

    fio's JSON leaves `time_based` out where it was given without a value. A job that moved more
    than its size was time-based, too, or it would have ended there.
    """
    limit = _limit(own)
    based = any("time_based" in options for options in own)
    if based or limit is None:
        return limit
    counts = [
        processes if len(jobs) == 1 else whole_number(x.get("numjobs", "1")) or 1 for x in own
    ]
    return limit if any(map(_went_on, own, jobs, counts)) else None


def _limit(own: Sequence[Options]) -> float | None:
    limits = {seconds(options.get("runtime", "")) for options in own}
    return limits.pop() if len(limits) == 1 else None


def _went_on(options: Options, job: Part, processes: object) -> bool:
    each = size(options.get("size", options.get("filesize", "")), base_of(options))
    if not each or "loops" in options or "io_size" in options or type(processes) is not int:
        return False
    ways = (job.get(name) for name in ("read", "write", "trim"))
    return sum(moved(way) for way in ways if isinstance(way, dict)) > 1.01 * each * processes


def _cut_short(own: Sequence[Options], asked: float | None, flows: Sequence[Flow]) -> list[str]:
    """Say where it can't be told whether a job was stopped or had done all it had to."""
    limit, ran = _limit(own), max((flow.seconds for flow in flows), default=0.0)
    if asked is not None or limit is None or ran >= ENOUGH * limit:
        return []
    return [
        f"The runtime was limited to {limit:g} s and it ran {ran:.1f} s: whether it was stopped "
        "or had finished its work is unknown."
    ]


def _targets(own: Sequence[Options]) -> tuple[StorageTarget, ...]:
    found: dict[str, StorageTarget] = {}
    for options in own:
        if engine_of(options) == "null":
            found.setdefault("null", StorageTarget(path="null", kind="null"))
            continue
        named = options.get("filename", options.get("directory", ""))
        if named.startswith(HANDED):
            named = options.get("description", named)
        for path in filter(None, re.split(r"(?<!\\):", named)):
            kind = "block device" if path.startswith("/dev/") else "file"
            found.setdefault(path, StorageTarget(path=path, kind=kind))  # type: ignore[arg-type]
    return tuple(found.values()) or (StorageTarget(path="", kind="file"),)


def _job_file(shared: Options, jobs: Sequence[Part]) -> str:
    """Each job once, of however many processes and on however many servers."""
    sections = ["\n".join(["[global]", *_lines(shared)])] if shared else []
    for job in jobs:
        name = printable(str(job.get("jobname", "")))
        sections.append("\n".join([f"[{name}]", *_lines(_options(job.get("job options")))]))
    return printable("\n".join([*dict.fromkeys(sections), ""]), name=False)


def _lines(options: Options) -> list[str]:
    given = ((key, value) for key, value in options.items() if key != "name")
    return [f"{key}={value}" if value else key for key, value in given]


def _ramps(own: Sequence[Options]) -> list[str]:
    """Say what was not looked at of the run: it is no part of what identifies the load."""
    ramps = dict.fromkeys(x["ramp_time"] for x in own if "ramp_time" in x)
    return [f"The load was run with ramp_time={value}." for value in ramps]


def log_names(document: Document, jobs: Sequence[Part]) -> set[str]:
    """How the names of the logs begin that these jobs wrote."""
    shared = _options(document.get("global options"))
    found: set[str] = set()
    for job in jobs:
        options: dict[str, Any] = shared | _options(job.get("job options"))
        found |= {v for k, v in options.items() if k.startswith("write_") and k.endswith("_log")}
        found.add(printable(str(job.get("jobname", ""))))
    return {name.rpartition("/")[2] for name in found} - {""}


def group_of(job: Part) -> int:
    """Jobs of one group ran together."""
    return count(job, "groupid")
