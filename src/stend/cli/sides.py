"""What was typed for a side of a comparison → its runs."""

from typing import TYPE_CHECKING

from stend.cli.options import find_run
from stend.errors import BadValue, UnknownName
from stend.record.text import printable

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


def _whole(name: str, store: str | None) -> "tuple[Run, ...]":
    """Nothing where the name has commas and does not exist as it is."""
    from stend.comparing.selection import LABEL

    if "," not in name:
        return _part(name, store)
    try:
        return (find_run(name, store),)
    except UnknownName:
        return _labelled(name.removeprefix(LABEL), store) if name.startswith(LABEL) else ()


def _part(name: str, store: str | None) -> "tuple[Run, ...]":
    from stend.comparing.selection import named

    return named(name, lambda one: find_run(one, store), lambda label: _labelled(label, store))


def _labelled(label: str, store: str | None) -> "tuple[Run, ...]":
    """All stored runs of the label, the oldest first."""
    from stend.store import Store

    with Store.open(store, create=False) as runs:
        ids = [summary.id for summary in runs.find(label=label)]
        return tuple(runs.load(id) for id in reversed(ids))
