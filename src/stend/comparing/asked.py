"""The words of a metric, as people type them → the benchmarks and figures that are meant.

`stream.triad`, `stream.*`, `stream.triad threads=2`, `storage.randread p99`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from stend.comparing.several import FIGURE, figure_of
from stend.errors import UnknownName, UsageError
from stend.printable import printable
from stend.record import CaseRecord, Scalar
from stend.store import Kind

_TOLD = 12
"""Names in one sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A benchmark's name or glob, and the words that its cases must have."""

    benchmark: str
    words: tuple[str, ...]

    def of(self, known: Collection[str]) -> list[str]:
        """The benchmarks that are meant.

        Raises:
            UnknownName: there is none of these that are known; near names are told.
        """
        found = [name for name in known if fnmatchcase(name, self.benchmark)]
        if not found:
            raise UnknownName(
                f"No stored run has the benchmark {printable(self.benchmark)}. "
                + _near(self.benchmark, known)
            )
        return found

    def takes(self, case: CaseRecord) -> bool:
        """Whether it has all the words; its main figure is meant unless a word names another."""
        figure = str(case.parameters.get(FIGURE, ""))
        return self._takes(case.parameters, case.variant, figure)

    def takes_any_of(self, kind: Kind) -> bool:
        """Whether a case of that kind has a figure that is taken."""
        figures = ["", *map(figure_of, kind.further)]
        return any(self._takes(kind.parameters, kind.variant, figure) for figure in figures)

    def _takes(self, parameters: Mapping[str, Scalar], variant: str | None, figure: str) -> bool:
        return (not figure or figure in self.words) and all(
            _has(parameters, {variant, figure}, word) for word in self.words
        )


def asked(words: Sequence[str]) -> Asked:
    """Read the words, however the shell split them.

    Raises:
        UsageError: there is none.
    """
    parts = " ".join(words).split()
    if not parts:
        raise UsageError("a trend needs a metric; `stend trend 'stream.*'` is one.")
    return Asked(parts[0], tuple(parts[1:]))


def none_of(words: Asked, kinds: Collection[Kind]) -> UnknownName:
    """Say that no case has all the words, and which words there are."""
    told: dict[str, None] = {}
    for kind in kinds:
        told |= dict.fromkeys(f"{name}={value}" for name, value in kind.parameters.items())
        told |= dict.fromkeys(filter(None, [kind.variant, *map(figure_of, kind.further)]))
    known = list(told)
    return UnknownName(
        f"No case of {printable(words.benchmark)} has {printable(' '.join(words.words))}. There "
        f"{'are' if len(known) > 1 else 'is'} {', '.join(known[:_TOLD])}"
        + (f" and {len(known) - _TOLD} more." if len(known) > _TOLD else ".")
    )


def _has(parameters: Mapping[str, Scalar], names: Collection[str | None], word: str) -> bool:
    name, equals, value = word.partition("=")
    if equals and name in parameters:
        return fnmatchcase(str(parameters[name]), value)
    return word in names


def _near(name: str, known: Collection[str]) -> str:
    """The names that it may have meant; of few, all."""
    if not known:
        return "The store is empty; `stend run` begins one."
    words = [word for word in name.replace("*", "").split(".") if word]
    near = [other for other in known if any(word in other for word in words)]
    near = near or get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)
    return f"There is {', '.join(near[:_TOLD])}" + (", …" if len(near) > _TOLD else ".")
