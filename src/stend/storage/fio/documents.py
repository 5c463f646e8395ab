"""The documents that fio prints, JSON or terse (versions 2 to 5), and the text between them.

fio mixes notes and errors into its JSON and, with --status-interval, prints one document after
another, so a file of it is never parsed as one. Each byte is looked at a bounded number of times.

HOWTO, Terse output. Latencies are in µs in every version. There is no count of operations: it is
reckoned from the rate, which terse output cuts to whole IOPS.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

Document = dict[str, Any]

_TOKEN = re.compile(
    rb"""
    (?m: ^\{ (?= \n[ \t] ) )                  # a document of fio's own layout begins
    | (?P<string> "[^"\\\n]*+ (?: \\[^\n] [^"\\\n]*+ )*+ "? )
    | (?P<brace> [{}] )
    """,
    re.VERBOSE,
)
"""What counts in JSON of any layout. A string without an end goes to the end of its line: so
nothing is ever searched twice."""

_BEGINNING = re.compile(rb'\{(?=\s*+["}])')
"""A brace that begins an object: text between documents has others."""

_OWN_LAYOUT = re.compile(rb"\{\n[ \t]")

_NO_NUMBER = re.compile(r"(:\s*)[-+]?(?:nan|inf(?:inity)?)\b", re.IGNORECASE)
"""What printf makes of a mean of nothing: no JSON, and found only after a colon."""


@dataclass(frozen=True)
class Scan:
    """What a text holds."""

    documents: list[Document]
    """Those of fio: whole, in order."""
    stray: list[str]
    """Each text that stood before, between or behind them."""
    truncated: bool
    """A document of fio has no end, or is no JSON."""
    end: int
    """Bytes up to the end of the last whole document."""


def scan(text: bytes) -> Scan:
    """Find the documents of fio in a text; linear in its length, whatever it is."""
    documents: list[Document] = []
    stray: list[str] = []
    end = seen = 0
    truncated = False
    for begins, ends, following in _objects(text):
        document = None if ends is None else _decoded(text[begins:ends])
        whole = document is not None and _is_of_fio(document)
        if not whole and b'"fio version"' not in text[begins : begins + 1024]:
            continue
        _keep(stray, text[seen:begins])
        seen = following
        if whole and document and ends:
            documents.append(document)
            end = ends
        else:
            truncated = True
    _keep(stray, text[seen:])
    return Scan(documents, stray, truncated, end)


class Scanner:
    """Finds documents in a text that grows: what fio writes while it runs."""

    def __init__(self) -> None:
        self._kept = b""
        self._stray: list[str] = []
        self._cut = False

    @property
    def stray(self) -> tuple[str, ...]:
        """Each text so far that stands before, between or behind documents."""
        return (*self._stray, *scan(self._kept).stray)

    @property
    def truncated(self) -> bool:
        """A document begins and has not ended."""
        return self._cut or scan(self._kept).truncated

    def feed(self, more: bytes) -> list[Document]:
        """Take the next bytes, and give the documents that are whole with them."""
        self._kept += more
        if b"}" not in more:
            return []
        found = scan(self._kept)
        self._kept = self._kept[found.end :]
        rest = scan(self._kept)
        self._stray += found.stray[: len(found.stray) - len(rest.stray)]
        self._cut |= found.truncated and not rest.truncated
        return found.documents


def _objects(text: bytes) -> Iterator[tuple[int, int | None, int]]:
    """Where each outermost object begins and ends, None if nowhere; and where to go on."""
    at = 0
    while begins := _BEGINNING.search(text, at):
        start = begins.start()
        own = _OWN_LAYOUT.match(text, start) and (start == 0 or text[start - 1] == 0x0A)
        ends, at = _end_of_own(text, start) if own else _end_of_any(text, start)
        yield start, ends, at


def _end_of_own(text: bytes, start: int) -> tuple[int | None, int]:
    """Follow fio's own layout: the brace that ends a document, and only that, begins a line.

    So a text inside the document can hold any braces. Gives the end, and where to go on.
    """
    closing = text.find(b"\n}", start)
    limit = len(text) if closing < 0 else closing
    following = text.find(b"\n{\n", start + 1, limit)
    if following >= 0:  # the next one begins before this one has ended
        return None, following + 1
    return (None, len(text)) if closing < 0 else (closing + 2, closing + 2)


def _end_of_any(text: bytes, start: int) -> tuple[int | None, int]:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token.lastgroup is None and token.start() > start:
            return None, token.start()
        if token.lastgroup == "string":
            continue
        depth += -1 if token[0] == b"}" else 1
        if depth == 0:
            return token.end(), token.end()
    return None, len(text)


def _decoded(text: bytes) -> Document | None:
    """The object that a text is, None if it is none."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        value = _leniently(text)
    except RecursionError:
        return None
    return value if isinstance(value, dict) else None


def _leniently(text: bytes) -> Any:
    """Read what fio writes and JSON does not allow: nan, control characters, names in any code."""
    try:
        said = _NO_NUMBER.sub(r"\1null", text.decode("utf-8", "replace"))
        return json.loads(said, strict=False)
    except (ValueError, RecursionError):
        return None


def _is_of_fio(document: Document) -> bool:
    return isinstance(document.get("jobs", document.get("client_stats")), list)


def _keep(stray: list[str], text: bytes) -> None:
    """Keep what says something: not the brackets and commas of a list of documents."""
    said = text.strip(b" \t\r\n,[]")
    if said:
        stray.append(said.decode("utf-8", "replace"))


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
