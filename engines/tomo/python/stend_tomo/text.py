"""Text that is safe to print: names and notes in files may hold control characters."""

import re

LIMIT = 1_000
"""Characters of a name."""
TEXT_LIMIT = 65_536
"""Characters of other text, which may have line breaks and tabs."""

# C0 and C1 controls, the delete character, line and paragraph separators and the marks that turn
# the direction of writing (Unicode TR 36, "Bidirectional Text Spoofing"), lone surrogates.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_CONTROLS}]")
_IN_NAME = re.compile(f"[{_CONTROLS}\t\n]")


def printable(text: str, name: bool = True) -> str:
    r"""Write control characters as `\x1b` and cut what is too long, ending it with `…`."""
    limit = LIMIT if name else TEXT_LIMIT
    shown = (_IN_NAME if name else _IN_TEXT).sub(_escaped, text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def encodable(text: str) -> str:
    r"""Write what no encoding has, as names of files may hold, as `\udcff`: for JSON."""
    return text.encode(errors="backslashreplace").decode()


def natural(name: str) -> list[tuple[int, str]]:
    """By which names are sorted: n2 before n10."""
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"([0-9]+)", name)]


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `12 min` or `3.2 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
