"""The words of a metric, as people type them → the benchmarks and figures that are meant.

`stream.triad`, `stream.*`, `stream.triad threads=2`, `storage.randread p99`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from stend.comparing.several import FIGURE
from stend.errors import UnknownName, UsageError
from stend.printable import printable
from stend.record import CaseRecord

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
        return (not figure or figure in self.words) and all(
            _has(case, figure, word) for word in self.words
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


def none_of(words: Asked, cases: Collection[CaseRecord]) -> UnknownName:
    """Say that no case has all the words, and which words there are."""
    told: dict[str, None] = {}
    for case in cases:
        named = {k: v for k, v in case.parameters.items() if k != FIGURE}
        told |= dict.fromkeys(f"{name}={value}" for name, value in named.items())
        told |= dict.fromkeys(filter(None, [case.variant, str(case.parameters.get(FIGURE, ""))]))
    known = list(told)
    return UnknownName(
        f"No case of {printable(words.benchmark)} has {printable(' '.join(words.words))}. There "
        f"{'are' if len(known) > 1 else 'is'} {', '.join(known[:_TOLD])}"
        + (f" and {len(known) - _TOLD} more." if len(known) > _TOLD else ".")
    )


def _has(case: CaseRecord, figure: str, word: str) -> bool:
    name, equals, value = word.partition("=")
    if equals and name in case.parameters:
        return fnmatchcase(str(case.parameters[name]), value)
    return word in {case.variant, figure}


def _near(name: str, known: Collection[str]) -> str:
    """The names that it may have meant; of few, all."""
    if not known:
        return "The store is empty; `stend run` begins one."
    words = [word for word in name.replace("*", "").split(".") if word]
    near = [other for other in known if any(word in other for word in words)]
    near = near or get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)
    return f"There is {', '.join(near[:_TOLD])}" + (", …" if len(near) > _TOLD else ".")
