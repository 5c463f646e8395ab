"""The options of fio's jobs in, as its JSON repeats them; what was measured out: a case's name.

An option that is not given has fio's own value; where no option is told at all (before fio 2.2.11,
terse output; by a client with group_reporting, of every group but the first) only what the results
show is said.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stend.fio.documents import Document
from stend.fio.results import Part, count, moved
from stend.fio.verdict import ENOUGH
from stend.loads import Flow, StorageTarget
from stend.printable import printable
from stend.record import Scalar

Options = Mapping[str, str]

_SIZE = re.compile(r"(\d+)\s*(?:([kmgtp])(i?)b?)?", re.IGNORECASE)
_POWERS = {None: 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}

_TIME = re.compile(r"(\d+)\s*(d|h|m|s|ms|us)?", re.IGNORECASE)
_SECONDS = {"d": 86400, "h": 3600, "m": 60, None: 1, "s": 1, "ms": 1e-3, "us": 1e-6}

_PATTERNS = {"readwrite": "rw", "rw,": "rw"}
_MIXED = {"rw", "randrw"}


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


def described(document: Document, jobs: Sequence[Part], flows: Sequence[Flow]) -> Described:
    """Say what jobs of a document that ran together did."""
    shared = _options(document.get("global options"))
    own = [shared | _options(job.get("job options")) for job in jobs]
    if not any(own) or not all("job options" in job for job in jobs):
        pattern = _seen(flows)
        said = (
            "The result does not tell all options of fio: whether the "
            f"{pattern} was random is not known."
        )
        return Described(f"storage.{pattern}", {}, (), None, "", (said,))
    patterns = {_pattern(options) for options in own}
    pattern = patterns.pop() if len(patterns) == 1 else _seen(flows)
    targets = _targets(own)
    asked = _asked(own, jobs)
    return Described(
        benchmark=f"storage.{pattern}",
        parameters=_parameters(pattern, own, jobs, targets),
        targets=targets,
        asked=asked,
        job_file=_job_file(shared, jobs),
        unread=(*_unlike(own), *_cut_short(own, asked, flows)),
    )


def _options(found: object) -> dict[str, str]:
    """The options of a job; a client's global ones are a list, of an object for each server."""
    if isinstance(found, list):
        found = found[0] if found else None
    if not isinstance(found, dict):
        return {}
    given = {key: value for key, value in found.items() if key not in ("hostname", "port")}
    return {printable(key): printable(str(value)) for key, value in given.items()}


def _pattern(options: Options) -> str:
    told = options.get("rw", options.get("readwrite", "read")).partition(":")[0].lower()
    return _PATTERNS.get(told, told)


def _seen(flows: Sequence[Flow]) -> str:
    """What went which way, where nothing tells of the order."""
    ways = {flow.direction for flow in flows}
    return "rw" if {"read", "write"} <= ways else next(iter(sorted(ways)), "read")


def _parameters(
    pattern: str, own: Sequence[Options], jobs: Sequence[Part], targets: Sequence[StorageTarget]
) -> dict[str, Scalar]:
    """As a workload names them; what the jobs differ in, or give as a range, is left out."""
    same: dict[str, set[Scalar | None]] = {
        "block": {_block(options) for options in own},
        "depth": {_whole(options.get("iodepth", "1")) for options in own},
        "jobs": {_processes(own, jobs)},
        "target": {target.kind for target in targets},
        "read_percent": {_read_percent(pattern, options) for options in own},
        "engine": {_engine(options) for options in own},
        "direct": {None if _is_set(options, "direct") else 0 for options in own},
        "size": {None if (x := options.get("size")) == "100%" else x for options in own},
    }
    found = {name: values.pop() for name, values in same.items() if len(values) == 1}
    return {name: value for name, value in found.items() if value is not None}


def _block(options: Options) -> int | None:
    if any(name in options for name in ("bsrange", "blocksize_range", "bssplit", "kb_base")):
        return None
    sizes = {
        size(text) for text in options.get("bs", options.get("blocksize", "4k")).split(",") if text
    }
    return sizes.pop() if len(sizes) == 1 else None


def size(text: str) -> int | None:
    """Bytes of `4k` or `4096`.

    HOWTO, kb_base: unless told otherwise fio takes `4k` for 4096, and `4KiB` for 4000.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found or len(found[1]) > 15:
        return None
    prefix = found[2].lower() if found[2] else None
    factor: int = (1000 if found[3] else 1024) ** _POWERS[prefix]
    return int(found[1]) * factor


def _processes(own: Sequence[Options], jobs: Sequence[Part]) -> int:
    """Each process has a report; with group_reporting there is one of all, as it is of a server."""
    servers: dict[tuple[str, str], list[int]] = {}
    for options, job in zip(own, jobs, strict=True):
        server = (str(job.get("hostname")), str(job.get("port")))
        servers.setdefault(server, []).append(_whole(options.get("numjobs", "1")) or 1)
    return sum(len(told) if len(told) > 1 else told[0] for told in servers.values())


def _engine(options: Options) -> str | None:
    told = options.get("ioengine", "psync")  # HOWTO, ioengine: what Linux has by default
    return None if told == "libaio" else told


def _read_percent(pattern: str, options: Options) -> int | None:
    if pattern not in _MIXED:
        return None
    writes = _whole(options.get("rwmixwrite", "")) if "rwmixread" not in options else None
    return 100 - writes if writes is not None else _whole(options.get("rwmixread", "50"))


def _is_set(options: Options, name: str) -> bool:
    return options.get(name, "0") not in ("0", "false")


def _asked(own: Sequence[Options], jobs: Sequence[Part]) -> float | None:
    """How long a time-based run had to last: its `runtime`, which else is a limit.

    fio's JSON leaves `time_based` out where it was given without a value. A job that moved more
    than its size was time-based, too, or it would have ended there.
    """
    limit = _limit(own)
    based = any("time_based" in options for options in own)
    return limit if based or any(map(_went_on, own, jobs)) else None


def _limit(own: Sequence[Options]) -> float | None:
    limits = {_seconds(options.get("runtime", "")) for options in own}
    return limits.pop() if len(limits) == 1 else None


def _went_on(options: Options, job: Part) -> bool:
    whole = size(options.get("size", options.get("filesize", "")))
    if not whole or "loops" in options or "io_size" in options:
        return False
    processes = _whole(options.get("numjobs", "1")) or 1
    ways = (job.get(name) for name in ("read", "write", "trim"))
    return sum(moved(way) for way in ways if isinstance(way, dict)) > 1.01 * whole * processes


def _cut_short(own: Sequence[Options], asked: float | None, flows: Sequence[Flow]) -> list[str]:
    """Say where it can't be told whether a job was stopped or had done all it had to."""
    limit, ran = _limit(own), max((flow.seconds for flow in flows), default=0.0)
    if asked is not None or limit is None or ran >= ENOUGH * limit:
        return []
    return [
        f"The runtime was limited to {limit:g} s and it ran {ran:.1f} s: whether it was stopped or "
        "had done all it had to is not told."
    ]


def _seconds(text: str) -> float | None:
    found = _TIME.fullmatch(text.strip())
    if not found or len(found[1]) > 9:
        return None
    return int(found[1]) * _SECONDS[found[2].lower() if found[2] else None]


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _targets(own: Sequence[Options]) -> tuple[StorageTarget, ...]:
    found: dict[str, StorageTarget] = {}
    for options in own:
        if _engine(options) == "null":
            found.setdefault("null", StorageTarget(path="null", kind="null"))
            continue
        named = options.get("filename", options.get("directory", ""))
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


def _unlike(own: Sequence[Options]) -> list[str]:
    """Say which limits of the load a case's name does not tell."""
    limits = ("rate", "rate_iops", "thinktime", "ramp_time", "fsync", "fdatasync", "sync")
    told = {name: x[name] for x in own for name in limits if name in x}
    return [f"The load was run with {name}={value}." for name, value in told.items()]


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
