"""The runs, benchmarks and figures that a typed side or metric means.

`stream.triad`, `stream.*`, `stream.triad threads=2`, `storage.randread p99`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from stend.comparing.metrics import FIGURE, figure_of
from stend.errors import BadValue, UnknownName, UsageError
from stend.record import CaseRecord, Run, Scalar
from stend.record.text import printable
from stend.store import Kind

LABEL = "label:"
"""What the name of all runs of a label begins with."""

Runs = tuple[Run, ...]


def named(name: str, one: Callable[[str], Run], labelled: Callable[[str], Runs]) -> Runs:
    """The runs that `name` means: all of a label, else the one that is called so.

    Raises:
        UnknownName: there is none.
        BadValue: it ends after `label:`.
    """
    if not name.startswith(LABEL):
        return (one(name),)
    label = name.removeprefix(LABEL)
    if not label:
        raise BadValue("label: names no label; give label:NAME, see `stend runs`.")
    found = labelled(label)
    if not found:
        raise UnknownName(
            f"No stored run has the label {printable(label)!r}; `stend runs` lists them."
        )
    return found


def refuse_twice(sides: Mapping[str, Runs]) -> None:
    """Refuse a run that is on two sides, or twice on one: it would be compared with itself.

    Raises:
        UsageError: there is such a run.
    """
    seen: dict[str, str] = {}
    for letter, runs in sides.items():
        for run in runs:
            if (other := seen.setdefault(run.id, letter)) != letter:
                raise UsageError(
                    f"{other} and {letter} are the same run, {run.id[:8]}; name two."
                    if len(runs) == len(sides[other]) == 1
                    else f"The run {run.id[:8]} is in {other} and in {letter}; leave it out of one."
                )
        twice = [run.id for run in runs if sum(run.id == other.id for other in runs) > 1]
        if twice:
            raise UsageError(f"The run {twice[0][:8]} is in {letter} twice; name it once.")


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
    seen: dict[str, None] = {}
    for kind in kinds:
        seen |= dict.fromkeys(f"{name}={value}" for name, value in kind.parameters.items())
        seen |= dict.fromkeys(filter(None, [kind.variant, *map(figure_of, kind.further)]))
    known = list(seen)
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
        return "The store is empty; run `stend run` first."
    words = [word for word in name.replace("*", "").split(".") if word]
    near = [other for other in known if any(word in other for word in words)]
    near = near or get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)
    return f"There is {', '.join(near[:_TOLD])}" + (", …" if len(near) > _TOLD else ".")
