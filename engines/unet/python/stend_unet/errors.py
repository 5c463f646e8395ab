"""What stend_unet raises on purpose, as one tree, and how a sentence quotes a name.

UnetError                 anything below; `exit_code`, 2 unless said, is the command's
├── BadImages             of a wrong shape or type, or with values that are not numbers
├── BadOption             a precision, variant, number or description that can't be
├── BadBuffer             an array for the result that can't take it
├── TooLittleMemory       a network for images of this size does not fit
├── UsageError            the command was called wrongly
├── ModelFileError        a network's file can't be read, or computed: exit code 4
├── ImageFileError        an image's file can't be read: exit code 4
├── OutputError           a file can't be written: exit code 4
└── Missing               the compiled networks, a BLAS or Pillow: exit code 6 (an ImportError)

The first three are also ValueErrors.
"""

import re

__all__ = [
    "BadBuffer",
    "BadImages",
    "BadOption",
    "ImageFileError",
    "Missing",
    "ModelFileError",
    "OutputError",
    "TooLittleMemory",
    "UnetError",
    "UsageError",
]


class UnetError(Exception):
    """A network can't be run as requested."""

    exit_code = 2


class BadImages(UnetError, ValueError):
    """Images or slices of a wrong shape or type, or with values that are not numbers."""


class BadOption(UnetError, ValueError):
    """A precision, variant, number or description of a network that can't be."""


class BadBuffer(UnetError, ValueError):
    """An array for the result of a wrong shape or type, or one that the images lie in."""


class TooLittleMemory(UnetError):
    """A network for images of this size does not fit into memory."""


class UsageError(UnetError):
    """Wrong usage of the command."""


class ModelFileError(UnetError):
    """A network's file can't be read, or computed."""

    exit_code = 4


class ImageFileError(UnetError):
    """An image's file can't be read."""

    exit_code = 4


class OutputError(UnetError):
    """A file can't be written."""

    exit_code = 4


class Missing(UnetError, ImportError):
    """Something that is needed is not installed."""

    exit_code = 6


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
