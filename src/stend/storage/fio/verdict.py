"""Whether the figures of a run of fio can be trusted, and what no record has room for.

No single sign will do: fio exits with 0 and reports error 0 when it did nothing, and when one of
its workers was killed.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from stend.record.loads import State
from stend.record.text import printable
from stend.storage.fio.documents import Document
from stend.storage.fio.results import Part, count, jobs_of, operations

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
        yield "Reads and writes were reported together; they are shown as reads."
    ways = [way for job in jobs for name in ("read", "write", "trim") if (way := job.get(name))]
    if any(isinstance(way, dict) and "total_ios" not in way and operations(way) for way in ways):
        yield (
            "Operations are computed from the rate, because this format of fio does not count them."
        )


def shown(value: Any) -> str:
    """A part of a document as JSON, in ASCII; its beginning where it is long."""
    try:
        return json.dumps(value, separators=(",", ":"))[:_MOST]
    except RecursionError:
        return "(nested too deeply)"


ENOUGH = 0.95
"""Of the time that was asked for, a job must have run."""

_Grade = Literal["failed", "partial"]
_Fault = tuple[_Grade, str]

_BY_SIGNAL = 128
"""What fio exits with when INT or TERM ended it (backend.c, sig_int)."""

_WORKER = re.compile(r"fio: pid=\d+, got signal=(\d+)")
"""backend.c, reap_threads: the one sign of a killed worker besides its missing runtime."""

_TERMINATED = re.compile(r"fio: terminating on signal (\d+)")

_HARMLESS = re.compile(
    "|".join(
        [
            r"fio: file hash not empty on exit",  # filehash.c: behind a killed worker, told above
            r"fio: terminating on signal \d+",  # backend.c: told by the exit code
            r"fio: terminating on timeout",  # stat.c and backend.c: --timeout, as asked
            r".*\bis deprecated\b.*",  # init.c, options.c: an option that still works
            r"(?:fio: )?note: .*",  # init.c: such as a queue depth that is capped at 1
            r"fio: .*posix_fadvise.*|fio: .*fallocate.*not supported.*",  # filesetup.c: goes on
        ]
    ),
    re.IGNORECASE,
)
"""What fio writes to stderr when nothing is wrong with the figures."""

_MOST_SAID = 12

_SHOWN = 3
"""Lines of stderr that are quoted; a full disk brings one a worker."""


@dataclass(frozen=True)
class Ended:
    """What is known when a run of fio is over."""

    code: int | None
    """fio's exit code; None: a signal ended it, or it is not known (an imported result)."""
    signal: int | None = None
    stderr: str = ""
    documents: Sequence[Document] = ()
    truncated: bool = False
    interrupted: bool = False
    """We were asked to stop, and stopped it."""
    stray: Sequence[str] = field(default=())
    """Text between the documents: fio writes some of its errors there."""


def judge(
    ended: Ended, expected: Sequence[str] = (), asked: float | None = None
) -> tuple[State, tuple[str, ...]]:
    """Give the state of a run, and a sentence for each thing that was not as it should be.

    Args:
        ended: how it ended.
        expected: the names of the jobs that have to be reported, one for each report; with
            group_reporting a group is one.
        asked: seconds that each had to run; None: until its work was done.

    Failed: no figure can be trusted. Partial: there are figures, of less than was asked for.
    Interrupted: likewise, because the user said so. (Unsteady is not for one run to tell.)
    """
    faults = list(_faults(ended, expected, asked))
    reasons = _few(list(dict.fromkeys(said for _, said in faults)))
    grades = {grade for grade, _ in faults}
    if ended.interrupted and _only_nothing(ended, grades):
        return "interrupted", ("It was interrupted.", *reasons)
    return ("failed" if "failed" in grades else "partial" if "partial" in grades else "ok"), reasons


def _few(reasons: list[str]) -> tuple[str, ...]:
    """Keep the first: a hundred jobs that were stopped say the same a hundred times."""
    more = len(reasons) - _MOST_SAID
    return (*reasons[:_MOST_SAID], *([f"({more} more of this kind.)"] if more > 0 else []))


def _only_nothing(ended: Ended, grades: set[_Grade]) -> bool:
    """Whether there is no fault but that it was stopped; so soon, perhaps, that it did nothing."""
    return "failed" not in grades or not any(_done(job) for job in _last(ended))


def _faults(ended: Ended, expected: Sequence[str], asked: float | None) -> Iterator[_Fault]:
    jobs = _last(ended)
    yield from _of_exit(ended, bool(jobs))
    yield from _of_text(ended)
    if not jobs:
        yield "failed", "fio reported no job."
        return
    if ended.truncated:
        yield "partial", "fio's JSON is cut off: the last whole report before that is used."
    missing = Counter(expected) - Counter(str(job.get("jobname", "")) for job in jobs)
    for name, n in missing.items():
        yield "partial", f"{n} report{'s' * (n > 1)} of the job {printable(name)} missing."
    if not any(map(_done, jobs)):
        yield "failed", "fio did nothing: it counts 0 operations."
    for job in jobs:
        if not ended.interrupted or _done(job):
            yield from _of_job(job, None if ended.interrupted else asked, any(map(_done, jobs)))


def _last(ended: Ended) -> list[dict[str, Any]]:
    return jobs_of(ended.documents[-1]) if ended.documents else []


def _done(job: dict[str, Any]) -> int:
    return sum(operations(way) for way in _ways(job))


def _ways(job: dict[str, Any]) -> Iterable[dict[str, Any]]:
    found = (job.get(way) for way in ("read", "write", "trim", "mixed"))
    return [way for way in found if isinstance(way, dict)]


def _of_exit(ended: Ended, reported: bool) -> Iterator[_Fault]:
    if ended.interrupted:
        return
    if ended.signal is not None:
        left = "; what it had reported before is kept" if reported else ""
        yield "partial", f"Signal {ended.signal} ended fio{left}."
    elif ended.code == _BY_SIGNAL and not _TERMINATED.search(_text(ended)):
        yield "partial", "A signal ended fio early (exit code 128)."
    elif ended.code and ended.code != _BY_SIGNAL:
        yield "failed", f"fio exited with code {ended.code}."


def _of_text(ended: Ended) -> Iterator[_Fault]:
    text = _text(ended)
    for signal in dict.fromkeys(_WORKER.findall(text)):
        yield "failed", f"A worker of fio was killed by signal {signal}, so its part is missing."
    if not ended.interrupted:
        for signal in dict.fromkeys(_TERMINATED.findall(text)):
            yield "partial", f"Signal {signal} ended fio early."
    lines = [line.strip() for line in ended.stderr.splitlines()]
    said = [x for x in lines if x and not _HARMLESS.fullmatch(x) and not _WORKER.match(x)]
    said = list(dict.fromkeys(said))
    for line in said[:_SHOWN]:
        yield "partial", f"fio wrote to stderr: {printable(line)[:300]}"
    if len(said) > _SHOWN:
        yield "partial", f"It wrote {len(said) - _SHOWN} more lines there."


def _text(ended: Ended) -> str:
    return "\n".join([ended.stderr, *ended.stray])


def _of_job(job: dict[str, Any], asked: float | None, others: bool) -> Iterator[_Fault]:
    name = printable(str(job.get("jobname", "")))
    error = job.get("error", 0)
    if error:
        yield "failed", f"The job {name} ended with error {printable(str(error))}{_named(error)}."
    done = _done(job)
    ran = max((count(way, "runtime") for way in _ways(job)), default=0)
    if not done and others:
        yield "partial", f"The job {name} did nothing."
    if done and not ran and count(job, "job_runtime") >= 100:
        yield "failed", f"The job {name} has no runtime: its worker was lost."
    elif done and asked and ran / 1000 < ENOUGH * asked:
        yield (
            "partial",
            f"The job {name} ran {ran / 1000:.1f} s of the {asked:g} s that were asked for.",
        )


def _named(error: object) -> str:
    return f" ({os.strerror(error)})" if type(error) is int and 0 < error < 200 else ""
