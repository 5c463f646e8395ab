"""What was typed for a side of a comparison → its runs."""

from typing import TYPE_CHECKING

from stend.cli.options import LABEL, find_run
from stend.errors import BadValue, UnknownName, UsageError
from stend.printable import printable

if TYPE_CHECKING:
    from stend.record import Run

SIDE_HELP = (
    "A run: its id or the beginning of it, its label, last, last~1, a run file, or published:NAME. "
    "Several, joined with commas, are one side; label:NAME means all runs of that label."
)


def find_side(name: str, store: str | None) -> "tuple[Run, ...]":
    """The runs that `name` means; a name that exists whole is not split at its commas.

    Raises:
        UnknownName: no run has one of the names.
        BadValue: a name is missing between two commas, or after `label:`.
        RunFileError: a file is not a run file.
    """
    found = _whole(name, store)
    if found:
        return found
    parts = [part.strip() for part in name.split(",")]
    if not all(parts):
        raise BadValue(
            f"{printable(name)!r} lacks a name beside a comma; join names like this: "
            "first,second,third."
        )
    return tuple(run for part in parts for run in _part(part, store))


def refuse_twice(sides: "dict[str, tuple[Run, ...]]") -> None:
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


def _whole(name: str, store: str | None) -> "tuple[Run, ...]":
    """Nothing where the name has commas and does not exist as it is."""
    if "," not in name:
        return _part(name, store)
    try:
        return (find_run(name, store),)
    except UnknownName:
        return _labelled(name.removeprefix(LABEL), store) if name.startswith(LABEL) else ()


def _part(name: str, store: str | None) -> "tuple[Run, ...]":
    if not name.startswith(LABEL):
        return (find_run(name, store),)
    label = name.removeprefix(LABEL)
    if not label:
        raise BadValue("label: names no label; give label:NAME, see `stend runs`.")
    found = _labelled(label, store)
    if not found:
        raise UnknownName(
            f"No stored run has the label {printable(label)!r}; `stend runs` lists them."
        )
    return found


def _labelled(label: str, store: str | None) -> "tuple[Run, ...]":
    """All stored runs of the label, the oldest first."""
    from stend.store import Store

    with Store.open(store, create=False) as runs:
        ids = [summary.id for summary in runs.find(label=label)]
        return tuple(runs.load(id) for id in reversed(ids))
