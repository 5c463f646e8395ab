"""Text that an encoding lacks characters for → the nearest that it has; never a lost sign."""

import codecs

REPLACING = "stend.nearest"
"""The name of the error handler, for `reconfigure(errors=…)`."""

_NEAREST = str.maketrans({
    "−": "-", "–": "-", "—": "-", "…": "..", "±": "+-", "×": "x", "÷": "/", "·": ".", "→": "->",
    "▲": "^", "▼": "v", "●": "o", "≤": "<=", "≥": ">=", "≈": "~", "µ": "u", "μ": "u",
    "²": "^2", "³": "^3", "⁰": "0", "⁶": "^6", "⁹": "^9",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "‘": "'", "’": "'", "“": '"', "”": '"',
})  # fmt: skip
"""Of what stend itself prints: a minus that became a question mark would tell another number."""


def register() -> None:
    """Make the error handler known to Python."""
    codecs.register_error(REPLACING, _nearest)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_NEAREST)
    return lacking.encode("ascii", "replace").decode(), error.end
