"""Terms of a sentence: parameters and advice, in Python's words or in those of a command.

    BadOption(PITCH, " is 0; it must be above 0.")

reads "The pitch of detector pixels is 0; …" in Python, and "--pitch is 0; …" in a command that has
`{"pitch": "--pitch"}` for it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


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


def rendered(parts: Iterable[object], words: Mapping[str, str]) -> str:
    """Give a sentence; a term that `words` has no entry for is in Python's."""
    return "".join(
        part.in_command(words[part.name])
        if isinstance(part, Term) and part.name in words
        else str(part)
        for part in parts
    )


def parameter_of(parts: Iterable[object]) -> str | None:
    """Give the name of the first parameter in a sentence."""
    return next((part.name for part in parts if isinstance(part, Parameter | Keyword)), None)


def listed(names: Iterable[str]) -> list[Part]:
    """Give parameters' names with "and" between them."""
    parts: list[Part] = []
    for name in names:
        parts += [" and ", Parameter(name)] if parts else [Parameter(name)]
    return parts
