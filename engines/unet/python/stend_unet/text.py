"""Text that is safe to print: names of files may hold control characters."""

import re

LIMIT = 1_000
"""Characters of a name; of a sentence with names in it ten times as many."""

# C0 and C1 controls, the delete character, line and paragraph separators and the marks that turn
# the direction of writing (Unicode TR 36, "Bidirectional Text Spoofing"), lone surrogates.
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str, limit: int = LIMIT) -> str:
    r"""Write control characters as `\x1b`, and cut what is longer than the limit."""
    shown = _CONTROLS.sub(_escaped, text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
