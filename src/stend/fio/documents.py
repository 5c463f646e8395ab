"""What fio prints in; the JSON documents in it out, with the text that stood between them.

fio mixes notes and errors into its JSON and, with --status-interval, prints one document after
another, so a file of it is never parsed as one. Each byte is looked at a bounded number of times.
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
        if not whole and not _looks_like_fio(text, begins):
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


def _looks_like_fio(text: bytes, begins: int) -> bool:
    return b'"fio version"' in text[begins : begins + 1024]


def _keep(stray: list[str], text: bytes) -> None:
    """Keep what says something: not the brackets and commas of a list of documents."""
    said = text.strip(b" \t\r\n,[]")
    if said:
        stray.append(said.decode("utf-8", "replace"))
