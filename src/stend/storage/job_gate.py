"""The last gate: the very text that fio is given, against what was claimed.

It trusts nothing that made the text: whatever a job names has to be a target, and one that is only
read has to be only read there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from stend.errors import BadValue

READING = {"read", "randread"}


def only_what_is_claimed(job: str, written: Mapping[str, bool]) -> None:
    """BadValue where a job leads to something else than a claimed path, or writes what it may not.

    `written`: whether a path may be.
    """
    for options in _sections(job):
        names = [name for key, name in options if key == "filename"]
        paths = [part.replace("\\:", ":") for n in names for part in re.split(r"(?<!\\):", n)]
        pattern = _pattern(options)
        if not paths:
            raise BadValue("a job names no file, and fio would make one of its own")
        for path in paths:
            if path not in written:
                raise BadValue(f"a job leads to {path}, which is no target")
            if not written[path] and pattern not in READING:
                raise BadValue(f"a job writes {path}, which is only read ({pattern})")


def only_reads(job: str) -> bool:
    """Whether no job of it writes, so that fio itself can be forbidden to (--readonly)."""
    return all(_pattern(options) in READING for options in _sections(job))


def _pattern(options: Sequence[tuple[str, str]]) -> str:
    """The last that is given holds; where there is none, fio reads."""
    told = [value for key, value in options if key in {"rw", "readwrite"}]
    return told[-1] if told else "read"


def _sections(job: str) -> Iterator[list[tuple[str, str]]]:
    """The options of each job, those of [global] before its own."""
    shared: list[tuple[str, str]] = []
    own: list[tuple[str, str]] | None = None
    for line in map(str.strip, job.splitlines()):
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if own is not None and own is not shared:
                yield own
            own = shared if line == "[global]" else list(shared)
            continue
        name, _, value = line.partition("=")
        if own is not None:
            own.append((name.strip(), value.strip()))
    if own is not None and own is not shared:
        yield own
