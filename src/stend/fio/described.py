"""The options of fio's jobs in, as its JSON repeats them; what was measured out: a case's name.

An option that is not given has fio's own value; where no option is told at all (before fio 2.2.11,
terse output; by a client with group_reporting, of every group but the first) only what the results
show is said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stend.fio.documents import Document
from stend.fio.identity import engine_of
from stend.fio.job_group import job_group, job_names
from stend.fio.jobfile import HANDED
from stend.fio.option_text import Options, base_of, seconds, size, whole
from stend.fio.results import Part, count, moved
from stend.fio.verdict import ENOUGH
from stend.loads import Direction, Flow, StorageTarget
from stend.printable import printable
from stend.record import Scalar


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
        said = (
            "The result does not tell all options of fio: whether the "
            f"{pattern} was random is not known."
        )
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
    told = [processes if len(jobs) == 1 else whole(x.get("numjobs", "1")) or 1 for x in own]
    return limit if any(map(_went_on, own, jobs, told)) else None


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
        f"The runtime was limited to {limit:g} s and it ran {ran:.1f} s: whether it was stopped or "
        "had done all it had to is not told."
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
    told = dict.fromkeys(x["ramp_time"] for x in own if "ramp_time" in x)
    return [f"The load was run with ramp_time={value}." for value in told]


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
