"""Files of results in, told apart by their content; out comes what belongs to one run of fio each.

A file can hold several runs one after another, a run several reports that were made while it
went on, a report several groups of jobs; and logs lie in files of their own.
"""

import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from stend.errors import RunFileError
from stend.fio import terse
from stend.fio.course import instant
from stend.fio.described import group_of, log_names
from stend.fio.documents import Document, scan
from stend.fio.logs import Log, looks_like_a_log, names_a_log, read_log
from stend.fio.results import jobs_of
from stend.printable import printable

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
    logs = [read_log(path) for path in paths if _is_log(path)]
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


def _is_log(path: Path) -> bool:
    return names_a_log(path) or looks_like_a_log(_text(path, 200))


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
        if not terse.looks_terse(written):
            raise RunFileError(
                f"{printable(str(path))} is no result of fio: neither JSON, nor terse output, nor "
                "a log. Run fio with `--output-format=json+`."
            )
        documents, stray = terse.documents_of(written), []
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
    if _told(before) != _told(after) or later.ran < earlier.ran:
        return False
    if not (before.get("timestamp") and after.get("timestamp")):
        return all(
            way in later.flows and flow.operations <= later.flows[way].operations
            for way, flow in earlier.flows.items()
        )
    return abs((later.ms - later.ran) - (earlier.ms - earlier.ran)) <= _SAME_START


def _told(document: Document) -> list[object]:
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
    alone: dict[tuple[Path, str], Result] = {}
    for log in logs:
        near = [result for result in results if result.path.parent == log.path.parent]
        named = [r for r in near if any(log.name == name for name in _log_names(r))]
        chosen = near if len(near) == 1 else named
        if len(chosen) == 1:
            chosen[0].logs.append(log)
            continue
        key = (log.path.parent, log.name)
        alone.setdefault(key, Result(log.path, [])).logs.append(log)
    return list(alone.values())


def _log_names(result: Result) -> set[str]:
    return log_names(result.reports[-1], jobs_of(result.reports[-1])) if result.reports else set()
