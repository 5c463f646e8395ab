"""Result files written by any version of fio, anywhere, as one run.

A file can hold several runs one after another, a run several reports that were made while it
went on, a report several groups of jobs; and logs lie in files of their own.

Repeats of one workload on one target are samples of one case. What is not understood is kept as
a sentence (Load.unread).
"""

import hashlib
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import msgspec

from stend import __version__
from stend.errors import RunFileError
from stend.record import CaseRecord, Machine, Run, Sample, to_json
from stend.record.invariants import validate
from stend.record.loads import FioRun, Flow, Load, State
from stend.record.text import printable
from stend.storage.fio.course import course, instant
from stend.storage.fio.documents import Document, documents_of, looks_terse, scan
from stend.storage.fio.job_group import SEVERAL, Described, described, group_of, log_names
from stend.storage.fio.load_case import case_of, sample_of
from stend.storage.fio.log_course import flows_of, with_courses
from stend.storage.fio.logs import Log, looks_like_a_log, names_a_log, read_log
from stend.storage.fio.results import QUESTIONS, count, jobs_of, printed_percentiles
from stend.storage.fio.verdict import Ended, judge, leftover, shown

LIMIT = 1 << 30
"""Bytes of a result that are read: eight hours of reports, one a second, with their bins."""

_SAME_START = 5_000
"""ms within which two reports of one run say that it began."""


@dataclass
class Result:
    """One run of fio: what it reported of one group of its jobs, and what it logged."""

    path: Path
    reports: list[Document]
    """Of this group only, in order; none where there are only logs."""
    stray: list[str] = field(default_factory=list)
    truncated: bool = False
    logs: list[Log] = field(default_factory=list)


def gathered(paths: Sequence[Path]) -> list[Result]:
    """Read files of any kind, and put together what belongs together; one named twice counts once.

    Raises:
        RunFileError: a file can't be read, or is no result of fio.
    """
    paths = _each_once(paths)
    logs = [
        read_log(path) for path in paths if names_a_log(path) or looks_like_a_log(_text(path, 200))
    ]
    read = {log.path for log in logs}
    results = [
        result for path in paths if path not in read for result in _results(path, _text(path))
    ]
    return results + _give(logs, results)


def _each_once(paths: Sequence[Path]) -> list[Path]:
    """Refuse a pipe: it might be waited for, and can't be read twice."""
    files: dict[object, Path] = {}
    for path in paths:
        try:
            found = path.stat()
        except (OSError, ValueError):  # why, is told when it is read
            files[path] = path
            continue
        if stat.S_ISFIFO(found.st_mode):
            raise RunFileError(f"{printable(str(path))} is a pipe; name a file with its content.")
        files.setdefault((found.st_dev, found.st_ino), path)
    return list(files.values())


def _text(path: Path, most: int | None = None) -> bytes:
    try:
        with path.open("rb") as file:
            text = file.read(most or LIMIT + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        said = error.strerror if isinstance(error, OSError) else error
        raise RunFileError(f"The result {printable(str(path))} can't be read: {said}.") from error
    if len(text) > LIMIT:
        raise RunFileError(
            f"The result {printable(str(path))} is too large: at most {LIMIT:,} bytes are read."
        )
    return text


def _results(path: Path, text: bytes) -> list[Result]:
    """Split a file into runs of fio, and each into the groups of jobs that ran together."""
    found = scan(text)
    documents, stray = found.documents, found.stray
    if not documents and not found.truncated:
        written = text.decode("utf-8", "replace")
        if not looks_terse(written):
            raise RunFileError(
                f"{printable(str(path))} is not a result of fio: neither JSON, nor terse output, "
                "nor a log. Run fio with `--output-format=json+`."
            )
        documents, stray = documents_of(written), []
    elif not documents:
        raise RunFileError(
            f"The JSON of {printable(str(path))} is cut off or broken before its first report ends."
        )
    runs = _runs(documents)
    results = [result for run in runs for result in _groups(path, run)]
    results[0].stray += stray
    results[-1].truncated = found.truncated
    return results


def _runs(documents: Sequence[Document]) -> list[list[Document]]:
    runs: list[list[Document]] = []
    for document in documents:
        if runs and _continues(runs[-1][-1], document):
            runs[-1].append(document)
        else:
            runs.append([document])
    return runs


def _continues(before: Document, after: Document) -> bool:
    """Whether two documents are reports of one run: the same jobs, begun when those began."""
    earlier, later = instant(before), instant(after)
    if _options_of(before) != _options_of(after) or later.ran < earlier.ran:
        return False
    if not (before.get("timestamp") and after.get("timestamp")):
        return all(
            way in later.flows and flow.operations <= later.flows[way].operations
            for way, flow in earlier.flows.items()
        )
    return abs((later.ms - later.ran) - (earlier.ms - earlier.ran)) <= _SAME_START


def _options_of(document: Document) -> list[object]:
    jobs = [(job.get("jobname"), job.get("job options")) for job in jobs_of(document)]
    return [document.get("global options"), jobs]


def _groups(path: Path, reports: Sequence[Document]) -> list[Result]:
    """Jobs behind a `stonewall` or in a `new_group` are another measurement."""
    groups = dict.fromkeys(group_of(job) for document in reports for job in jobs_of(document))
    parts = [[_only(document, group) for document in reports] for group in groups or (0,)]
    return [Result(path, _while_running(part) if len(parts) > 1 else part) for part in parts]


def _while_running(reports: list[Document]) -> list[Document]:
    """Leave out the reports that were made before the group began, or after it had ended."""
    grown = [later for before, later in pairwise(reports) if _ran(later) > _ran(before)]
    first = [reports[0]] if _ran(reports[0]) else []
    return [*first, *grown] or reports[-1:]


def _ran(report: Document) -> int:
    return instant(report).ran


def _only(document: Document, group: int) -> Document:
    whole = {key: value for key, value in document.items() if key != "client_stats"}
    return whole | {"jobs": [job for job in jobs_of(document) if group_of(job) == group]}


def _give(logs: Sequence[Log], results: Sequence[Result]) -> list[Result]:
    """Give each log to the result it belongs to; those of none are results of their own.

    They belong to the only result of their directory, else to that which names them.
    """
    single: dict[tuple[Path, str], Result] = {}
    for log in logs:
        near = [result for result in results if result.path.parent == log.path.parent]
        named = [r for r in near if any(log.name == name for name in _log_names(r))]
        chosen = near if len(near) == 1 else named
        if len(chosen) == 1:
            chosen[0].logs.append(log)
            continue
        key = (log.path.parent, log.name)
        single.setdefault(key, Result(log.path, [])).logs.append(log)
    return list(single.values())


def _log_names(result: Result) -> set[str]:
    return log_names(result.reports[-1], jobs_of(result.reports[-1])) if result.reports else set()


_OF_TRIMS = "How many blocks a second can be trimmed?"
_QUESTIONS = QUESTIONS | {
    SEVERAL: "How many operations a second do several workloads reach together?"
}


def run_of(paths: Sequence[Path], label: str = "") -> Run:
    """Read results of fio and make one run of them, the same for the same files.

    Args:
        paths: JSON of any kind, terse output, and logs; told apart by their content.
        label: of the run.

    Raises:
        RunFileError: a file can't be read, or is no result of fio, or holds no job.
    """
    results = gathered(paths)
    began, ended = _times(results)
    run = Run(
        id="0" * 32,
        label=label,
        started=began,
        finished=ended,
        stend=__version__,
        command=("stend", "storage", "import", *(printable(path.name) for path in paths)),
        machine=Machine(host=_host(results), versions=_versions(results)),
        cases=_cases(results),
    )
    run = msgspec.structs.replace(run, id=hashlib.sha256(to_json(run)).hexdigest()[:32])
    try:
        validate(run)
    except msgspec.ValidationError as error:
        names = printable(", ".join(map(str, paths)))
        raise RunFileError(f"{names} can't be stored: {printable(str(error))}.") from error
    return run


def _cases(results: Sequence[Result]) -> tuple[CaseRecord, ...]:
    """Make the cases: results of one workload on one target are repeats of it."""
    together: dict[tuple[object, ...], list[tuple[Described, Sample, Result]]] = {}
    for result in results:
        what, load = _load(result)
        key = (what.benchmark, tuple(what.parameters.items()), what.targets)
        repeats = together.setdefault(key, [])
        last = result.reports[-1:]
        printed = printed_percentiles(last[0], what.left_out) if last else {}
        repeats.append((what, sample_of(load, len(repeats), printed=printed), result))
    named = [(key[0], key[1]) for key in together]
    return tuple(
        _case(repeats, told_apart=named.count((key[0], key[1])) > 1)
        for key, repeats in together.items()
    )


def _case(repeats: Sequence[tuple[Described, Sample, Result]], told_apart: bool) -> CaseRecord:
    what, _, result = repeats[0]
    last = (result.reports or [{}])[-1]
    paths = printable(",".join(target.path for target in what.targets) or result.path.name)
    detail = {
        "job file": what.job_file,
        "disk_util": shown(last["disk_util"]) if last.get("disk_util") else "",
        "imported from": printable(", ".join(dict.fromkeys(str(r.path) for *_, r in repeats))),
    }
    return case_of(
        what.benchmark,
        _QUESTIONS.get(what.benchmark.removeprefix("storage."), _OF_TRIMS),
        what.parameters | ({"path": paths} if told_apart else {}),
        [sample for _, sample, _ in repeats],
        {name: text for name, text in detail.items() if text},
    )


def _load(result: Result) -> tuple[Described, Load]:
    """Put reports and logs of a run together; where there are no reports, the logs are all."""
    logged = flows_of(result.logs, _unit(result)) if result.logs else ()
    unread = _of_logs(result)
    if not result.reports:
        what = replace(described({}, [], logged), parameters={"job": result.logs[0].name})
        state: State = "ok" if logged else "failed"
        reasons: tuple[str, ...] = () if logged else ("Nothing is logged.",)
        return what, _made("", state, reasons, what, logged, [*what.unread, *unread])
    last = result.reports[-1]
    run = course(result.reports)
    what = described(last, jobs_of(last), run.flows)
    own = tuple(flow for flow in run.flows if flow.direction not in what.left_out)
    unread = [*what.unread, *unread, *leftover(last), *run.gaps]
    unread += [f"fio wrote outside its JSON: {text[:500]}" for text in result.stray]
    ended = Ended(None, None, "", result.reports, result.truncated, False, result.stray)
    state, reasons = judge(ended, asked=what.asked)
    flows = with_courses(own, logged)
    return what, _made(_version(last), state, reasons, what, flows, unread)


def _made(
    fio: str,
    state: State,
    reasons: tuple[str, ...],
    what: Described,
    flows: tuple[Flow, ...],
    unread: Sequence[str],
) -> Load:
    run = FioRun(
        phase="measure",
        state=state,
        reasons=reasons,
        asked=what.asked,
        lasted=max((flow.seconds for flow in flows), default=0.0),
        flows=flows,
    )
    return Load(
        fio=fio,
        state=state,
        reasons=reasons,
        targets=what.targets,
        runs=(run,),
        unread=tuple(dict.fromkeys(printable(said, name=False) for said in unread)),
    )


def _unit(result: Result) -> int:
    """How many ns a logged latency's unit has: 1000 where fio 2 wrote it."""
    units = [log.unit for log in result.logs if log.unit]
    if result.reports:
        return (
            1000 if _version(result.reports[-1]).removeprefix("fio-").startswith(("1", "2")) else 1
        )
    return units[0] if units else 1


def _of_logs(result: Result) -> list[str]:
    said = []
    kinds = {log.kind for log in result.logs if log.ms.size}
    has_unit = result.reports or any(log.unit for log in result.logs)
    if kinds & {"lat", "clat"} and not has_unit:
        said.append(
            "Logged latencies are taken to be in ns, as fio 3 writes them; import the run's JSON "
            "with its logs to have the version looked up."
        )
    if kinds == {"slat"}:
        said.append("Logs of submission latencies are not used.")
    if kinds and not result.reports and not any(log.single for log in result.logs):
        said.append("Totals are summed up from what was logged of each interval.")
    if not result.reports and len({log.job for log in result.logs}) > 1:
        said.append(
            "Logs don't record when their job began: these jobs are assumed to have run "
            "together; if one waited for another, import the logs of each separately."
        )
    return said


def _version(document: dict[str, object]) -> str:
    return printable(str(document.get("fio version", "")))


def _versions(results: Sequence[Result]) -> dict[str, str]:
    versions = dict.fromkeys(_version(r.reports[-1]) for r in results if r.reports)
    named = [version.removeprefix("fio-") for version in versions if version]
    return {"fio": ", ".join(named)} if named else {}


def _host(results: Sequence[Result]) -> str | None:
    """The host that was driven, where fio's client names one only."""
    jobs = [job for result in results for report in result.reports[-1:] for job in jobs_of(report)]
    hosts = {str(job.get("hostname", "")) for job in jobs}
    return printable(hosts.pop()) or None if len(hosts) == 1 else None


def _times(results: Sequence[Result]) -> tuple[str, str]:
    """When it began and ended, by fio; by the file's date where fio does not tell."""
    began, ended = [], []
    for result in results:
        first, last = (result.reports or [{}])[0], (result.reports or [{}])[-1]
        if count(first, "timestamp") or count(first, "timestamp_ms"):
            began.append(instant(first).ms - instant(first).ran)
            ended.append(instant(last).ms)
        else:
            began.append(int(result.path.stat().st_mtime * 1000))
            ended.append(began[-1])
    return _iso(min(began)), _iso(max(ended))


def _iso(ms: int) -> str:
    """A time of day; fio's can be any number, so those of no year are the first of all."""
    last = 4_000_000_000_000
    when = datetime.fromtimestamp(ms / 1000 if 0 <= ms <= last else 0, UTC)
    return when.isoformat(timespec="seconds").replace("+00:00", "Z")
