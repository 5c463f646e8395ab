"""Result files that fio wrote anywhere, of any of its versions, in; one run as stend keeps it out.

Repeats of one workload on one target are samples of one case. What is not understood is kept as
a sentence (Load.unread).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from stend import __version__
from stend.errors import RunFileError
from stend.fio.course import course, instant
from stend.fio.described import Described, described
from stend.fio.figures import QUESTIONS
from stend.fio.gathered import Result, gathered
from stend.fio.job_group import SEVERAL
from stend.fio.leftover import leftover, shown
from stend.fio.log_course import flows_of, with_courses
from stend.fio.measured import case_of, sample_of
from stend.fio.results import count, jobs_of, printed_percentiles
from stend.fio.verdict import Ended, judge
from stend.invariants import validate
from stend.loads import FioRun, Flow, Load, State
from stend.printable import printable
from stend.record import CaseRecord, Machine, Run, Sample, to_json

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
        raise RunFileError(f"{names} can't be kept: {printable(str(error))}.") from error
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
    unread += [f"fio wrote beside its JSON: {text[:500]}" for text in result.stray]
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
    told = [log.unit for log in result.logs if log.unit]
    if result.reports:
        return (
            1000 if _version(result.reports[-1]).removeprefix("fio-").startswith(("1", "2")) else 1
        )
    return told[0] if told else 1


def _of_logs(result: Result) -> list[str]:
    said = []
    kinds = {log.kind for log in result.logs if log.ms.size}
    told = result.reports or any(log.unit for log in result.logs)
    if kinds & {"lat", "clat"} and not told:
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
            "Logs don't tell when their job began: these jobs are taken to have run together; "
            "where one waited for another, import the logs of each by themselves."
        )
    return said


def _version(document: dict[str, object]) -> str:
    return printable(str(document.get("fio version", "")))


def _versions(results: Sequence[Result]) -> dict[str, str]:
    told = dict.fromkeys(_version(r.reports[-1]) for r in results if r.reports)
    named = [version.removeprefix("fio-") for version in told if version]
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
