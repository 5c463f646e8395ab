"""What stend_tomo raises on purpose, as one tree, and what its sentences are made of.

TomoError                 anything below; `exit_code`, 2 unless said, is the command's
├── BadProjections        of a wrong shape or type, or with values that are not numbers
├── BadSlices             the same of slices that are to be projected or to be begun at
├── BadAngles             missing, too many or few, in degrees, or no numbers
├── BadOption             a name, number, place or other value that can't be
├── BadBuffer             an array for the result that can't take it
├── AxisNotFound          the axis of rotation can't be looked for in so few angles or bytes
├── TooLittleMemory       not even one slice can be made under the cap
├── UsageError            the command, or the viewer's address, was used wrongly
├── ScanFileError         a scan's or a volume's file can't be read: exit code 4
├── OutputError           a file can't be written: exit code 4
└── Missing               the compiled part or a library is not installed: exit code 6

The first five are also ValueErrors, the last one is an ImportError. Each has the name of the
parameter that it is about, if there is one: `error.parameter`. A command calls parameters by its
own options: `error.sentence({"pitch": "--pitch"})`.

Sentences have terms, parameters and advice, in Python's words or in those of a command:

    BadOption(PITCH, " is 0; it must be above 0.")

reads "The pitch of detector pixels is 0; …" in Python, and "--pitch is 0; …" in a command that has
`{"pitch": "--pitch"}` for it. Names and notes in files may hold control characters: `printable`.
"""

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

__all__ = [
    "AxisNotFound",
    "BadAngles",
    "BadBuffer",
    "BadOption",
    "BadProjections",
    "BadSlices",
    "Missing",
    "OutputError",
    "ScanFileError",
    "TomoError",
    "TooLittleMemory",
    "UsageError",
]


@dataclass(frozen=True)
class Term:
    """What a sentence names; `str` gives Python's words."""

    name: str

    def in_command(self, words: str) -> str:
        """Give what stands in a command's sentence, whose words for the name these are."""
        return words


@dataclass(frozen=True)
class Parameter(Term):
    """A parameter as the subject of a sentence, or mentioned in it by its name."""

    words: str = ""
    """Python's; by default the name."""

    def __str__(self) -> str:
        return self.words or self.name

    def in_command(self, words: str) -> str:
        """Give the option, without what stands for its value."""
        return words.split()[0]


@dataclass(frozen=True)
class Keyword(Term):
    """An argument that can be passed: `pixel=`, or with a value, `limit=1000`."""

    value: int | str | None = None

    def __str__(self) -> str:
        return f"{self.name}={'' if self.value is None else self.value}"

    def in_command(self, words: str) -> str:
        """Give the option with this value; a flag has none."""
        if self.value is None or isinstance(self.value, bool):
            return words
        return f"{words.split()[0]} {self.value}"


@dataclass(frozen=True)
class Advice(Term):
    """What to do next, where that is another thing in Python than in a command."""

    words: str

    def __str__(self) -> str:
        return self.words


Part: TypeAlias = str | Term

CENTER = Parameter("center", "The center")
COLUMNS = Parameter("columns", "The number of detector columns")
CUTOFF = Parameter("cutoff", "The filter's cutoff")
PIXEL = Parameter("pixel", "The size of a pixel")
PITCH = Parameter("pitch", "The pitch of detector pixels")
SIZE = Parameter("size", "The size of a slice")
ZOOM = Parameter("zoom", "The zoom")


class TomoError(Exception):
    """Projections can't be reconstructed, read or written as asked.

    `str` gives the sentence in Python's words.
    """

    exit_code = 2
    about: ClassVar[str | None] = None
    """The parameter that errors of this class are about, where they name no other."""

    def __init__(self, *sentence: Part, parameter: str | None = None) -> None:
        """Put a sentence together from texts and the terms that they name.

        Args:
            sentence: its parts, `args` of the exception.
            parameter: what it is about; by default the first parameter that it names.
        """
        super().__init__(*sentence)
        named = (part.name for part in sentence if isinstance(part, Parameter | Keyword))
        self.parameter = parameter or next(named, self.about)
        """The name of the parameter that this is about, or of a beam's or a scan's field; None if
        it is about none."""

    def __str__(self) -> str:
        return self.sentence({})

    def sentence(self, words: Mapping[str, str]) -> str:
        """Give the sentence as a command has it, by its words for terms; others are Python's."""
        return "".join(
            part.in_command(words[part.name])
            if isinstance(part, Term) and part.name in words
            else str(part)
            for part in self.args
        )


class BadProjections(TomoError, ValueError):
    """Projections of a wrong shape or type, or with values that are not numbers."""

    about = "projections"


class BadSlices(TomoError, ValueError):
    """Slices of a wrong shape or type, or with values that are not numbers."""

    about = "slices"


class BadAngles(TomoError, ValueError):
    """Angles are missing, of another number than projections, in degrees, or no numbers."""

    about = "angles"


class BadOption(TomoError, ValueError):
    """An algorithm, filter, geometry, number, place or other value that can't be."""


class BadBuffer(TomoError, ValueError):
    """An array for the result of a wrong shape or type, or one that the projections lie in."""

    about = "out"


class AxisNotFound(TomoError):
    """The axis of rotation can't be looked for in so few angles, or in so little memory."""


class TooLittleMemory(TomoError):
    """Not even one slice can be made under the cap."""


class UsageError(TomoError):
    """The command, or the viewer's address, was used wrongly."""


class ScanFileError(TomoError):
    """A file of projections or slices is malformed, cut short, too large, or none that is known."""

    exit_code = 4


class OutputError(TomoError):
    """A file can't be written; what was there before is intact."""

    exit_code = 4


class Missing(TomoError, ImportError):
    """Something that is needed is not installed."""

    exit_code = 6


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


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def library(module: str) -> Any:
    """Import a module of the extra `files`.

    Raises:
        Missing: it is not installed; the sentence has the command.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = {"PIL": "pillow"}.get(module.partition(".")[0], module.partition(".")[0])
        raise Missing(
            f"Files of this format need {name}; install it with `pip install 'stend-tomo[files]'`."
        ) from error
