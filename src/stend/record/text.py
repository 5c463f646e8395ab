"""Text that is safe to print, and times in words: `12 min` of seconds, `3 h ago` of a moment.

Names (of benchmarks, parameters, hosts…) are one line; other text may have line breaks and tabs.
"""

import re
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from stend.errors import BadValue
from stend.record import Record

NAME_LIMIT = 1_000
TEXT_LIMIT = 65_536
"""Characters."""

R = TypeVar("R", bound=Record)

_ONE_LINE = """
    id label group host benchmark parameters variant name unit clock started finished stend
    criterion kind architecture cpu_vendor cpu_model cpu_family microcode isa huge_pages model
    scheduler kernel os virtualisation container clock_source governor
"""
_NAMES = frozenset(_ONE_LINE.split())

# C0 and C1 controls, the delete character, line and paragraph separators and the marks that turn
# the direction of writing (Unicode TR 36, "Bidirectional Text Spoofing"), lone surrogates.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_CONTROLS}]")
_IN_NAME = re.compile(f"[{_CONTROLS}\t\n]")


def is_name(field: str) -> bool:
    """Whether the strings of this field of a record are names, as every key of a dict is."""
    return field in _NAMES


def fault_of(text: str, name: bool) -> str:
    """Say what makes this text unsafe to show; empty when nothing does."""
    limit = NAME_LIMIT if name else TEXT_LIMIT
    if len(text) > limit:
        return f"{'a name' if name else 'a text'} has {len(text):,} characters, at most {limit:,}"
    found = (_IN_NAME if name else _IN_TEXT).search(text)
    return f"a string holds the control character U+{ord(found[0]):04X}" if found else ""


def printable(text: str, name: bool = True) -> str:
    r"""Write control characters as `\x1b` and cut what is too long, ending it with `…`."""
    limit = NAME_LIMIT if name else TEXT_LIMIT
    shown = (_IN_NAME if name else _IN_TEXT).sub(_escaped, text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def encodable(text: str) -> str:
    r"""Write what no encoding has, as names of files may hold, as `\udcff`: for JSON."""
    return text.encode(errors="backslashreplace").decode()


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def tidied(record: R) -> R:
    """Make every string of a record printable; gives the record itself when all are."""
    changed = {
        field: after
        for field in record.__struct_fields__
        if (after := _tidy(before := getattr(record, field), is_name(field))) is not before
    }
    return msgspec.structs.replace(record, **changed) if changed else record


def _tidy(value: Any, name: bool) -> Any:
    if isinstance(value, str):
        return printable(value, name) if fault_of(value, name) else value
    if isinstance(value, Record):
        return tidied(value)
    if isinstance(value, tuple):
        after: Any = tuple(_tidy(x, name) for x in value)
        return value if all(map(_same, after, value)) else after
    if isinstance(value, dict):
        after = {_tidy(k, True): _tidy(x, name) for k, x in value.items()}
        same = all(map(_same, after, value)) and all(map(_same, after.values(), value.values()))
        return value if same else after
    return value


def _same(a: object, b: object) -> bool:
    return a is b


def natural(name: str) -> list[tuple[int, str]]:
    """By which names are sorted: n2 before n10."""
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"([0-9]+)", name)]


def without_passwords(text: str) -> str:
    """Passwords in URLs become ***: a record is shown to others."""
    text = re.sub(r"(://[^:/@\s]*:)[^@\s]*@", r"\1***@", text)
    return re.sub(r"(?i)([?&]password=)[^&\s]*", r"\1***", text)


LAST = re.compile(r"last(?:~(\d{1,9}))?", re.ASCII)
"""The newest run, or the one that is so many before it."""


LONGEST = 200
"""Characters of a label that is given here; files from elsewhere may have longer ones."""


def refuse_unfit(label: str) -> str:
    """The label, where it can be one.

    Raises:
        BadValue: it means something else, or is too long.
    """
    if len(label) > LONGEST:
        raise BadValue(f"A label has at most {LONGEST} characters, not {len(label):,}.")
    if LAST.fullmatch(label):
        raise BadValue(
            f"The label {label} is reserved: `{label}` has a meaning of its own; give another name."
        )
    return label


_MINUTE, _HOUR, _DAY = 60, 3600, 86400

SET = datetime(2000, 1, 1, tzinfo=UTC)
"""A clock that tells an earlier time was never set: 1970 and 1980 are where they begin."""


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `12 min` or `3.2 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def ago(moment: str, now: datetime | None = None) -> str:
    """How long before `now` a moment was, as ISO 8601 with its zone has it; old ones by their day.

    A clock that runs ahead has moments that are still to come: they are `now`.
    """
    at = datetime.fromisoformat(moment)
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    if seconds < _MINUTE:
        return "now" if seconds < 10 else f"{seconds:.0f} s ago"
    for unit, word, until in ((_MINUTE, "min", 90), (_HOUR, "h", 36), (_DAY, "days", 14)):
        if seconds < until * unit:
            return f"{seconds / unit:.0f} {word} ago"
    return at.astimezone(UTC).date().isoformat()


def minute(moment: str) -> str:
    """`2026-03-02 08:00`, in UTC."""
    return datetime.fromisoformat(moment).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def clock(moment: str) -> str:
    """`2026-03-02 08:00 UTC`."""
    return f"{minute(moment)} UTC"


def between(begun: str, ended: str) -> str:
    """How long it took; nothing where the clock was set back meanwhile."""
    seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds()
    return duration(seconds) if seconds >= 0 else ""


def moment_of(said: str) -> datetime:
    """The moment of `2026-03-02` or `2026-03-02T08:00`, in UTC where it names no zone.

    Raises:
        BadValue: it is no date.
    """
    try:
        found = datetime.fromisoformat(said)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadValue(
            f"{printable(said[:80])!r} is not a date; write it like 2026-03-02 or 2026-03-02T08:00."
        ) from None
