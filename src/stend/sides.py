"""What was said for a side of a comparison → its runs; and that no run is on both."""

from collections.abc import Callable, Mapping

from stend.errors import BadValue, UnknownName, UsageError
from stend.printable import printable
from stend.record import Run

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
