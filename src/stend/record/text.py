"""Texts that people and files give: what is safe to print, and what a label can be.

Names (of benchmarks, parameters, hosts…) are one line; other text may have line breaks and tabs.
"""

import re
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
