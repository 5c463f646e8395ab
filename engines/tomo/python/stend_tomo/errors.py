"""What stend_tomo raises on purpose, as one tree.

TomoError                 anything below; `exit_code`, 2 unless said, is the command's
├── BadProjections        of a wrong shape or type, or with values that are no numbers
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
"""

from collections.abc import Mapping
from typing import ClassVar

from stend_tomo.terms import Part, parameter_of, rendered

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
        self.parameter = parameter or parameter_of(sentence) or self.about
        """The name of the parameter that this is about, or of a beam's or a scan's field; None if
        it is about none."""

    def __str__(self) -> str:
        return self.sentence({})

    def sentence(self, words: Mapping[str, str]) -> str:
        """Give the sentence as a command has it, by its words for the terms in it."""
        return rendered(self.args, words)


class BadProjections(TomoError, ValueError):
    """Projections of a wrong shape or type, or with values that are no numbers."""

    about = "projections"


class BadSlices(TomoError, ValueError):
    """Slices of a wrong shape or type, or with values that are no numbers."""

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
