"""What a run is searched by: a run in, one folded text out; a search in, folded words out.

Databases fold letters each in its own way, and some only A to Z: so both sides are folded here.
"""

import msgspec

from stend.errors import BadValue
from stend.printable import printable
from stend.record import Run

_LONGEST = 4_000
"""Characters: looking through ten thousand runs shall stay quick, whatever their commands hold."""
_MOST = 16
"""Words of a search."""


def words_of(run: Run) -> str:
    """Its label, its host and its command, one below the other; no word reaches over a line."""
    return folded_lines(run.label, run.machine.host, run.command)


def folded_lines(label: str, host: str | None, command: tuple[str, ...]) -> str:
    """The same of their parts."""
    return "\n".join((label, host or "", " ".join(command))).casefold()[:_LONGEST]


def words_in(search: str) -> tuple[str, ...]:
    """The words that all have to be found, each once.

    Raises:
        BadValue: they are too many.
    """
    words = tuple(dict.fromkeys(printable(search).casefold().split()))
    if len(words) > _MOST:
        raise BadValue(f"The search has {len(words)} words; give at most {_MOST}.")
    return words


class _Told(msgspec.Struct):
    """What is wanted of a run's record."""

    command: tuple[str, ...] = ()


def command_in(record: str) -> tuple[str, ...]:
    """The command that a stored record has; a damaged one has none.

    Loading the run says what is wrong with it.
    """
    try:
        return msgspec.json.decode(record, type=_Told).command
    except (TypeError, ValueError, RecursionError):
        return ()
