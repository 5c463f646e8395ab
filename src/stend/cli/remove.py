"""`stend remove`: stored runs, put aside, put back or for good."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Store, refuse_published
from stend.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from stend.store import Store as Runs


def verb(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="Stored runs, named as in `stend show`; with --undo, removed ones."
        ),
    ],
    undo: Annotated[
        bool, typer.Option("--undo", help="Put removed runs back; `last` is the one removed last.")
    ] = False,
    for_good: Annotated[
        bool,
        typer.Option(
            "--for-good",
            help="Neither --undo nor anything else brings them back; removed runs, too.",
        ),
    ] = False,
    store: Store = None,
) -> None:
    """Remove runs from the store; they can be put back until they are removed for good.

    `stend runs --removed` lists them. Example: `stend remove 8881308d`.
    """
    from stend.cli.whoever import whoever
    from stend.store import Store as Runs

    if undo and for_good:
        raise UsageError("--undo and --for-good can't be one; give either.")
    refuse_published(names, "removed")
    by = whoever()
    with Runs.open(store, create=False) as runs:
        if undo:
            for run_id in _distinct(names, runs.trash.id_of):
                print(f"Put run {runs.trash.restore(run_id, by)[:8]} back.")
        elif for_good:
            for run_id in _distinct(names, partial(_id_of_any, runs)):
                _forget(runs, run_id, by)
                print(f"Removed run {run_id[:8]} for good.")
        else:
            for run_id in _distinct(names, runs.id_of):
                print(f"Removed run {runs.trash.put(run_id, by)[:8]}.")


def _distinct(names: Sequence[str], id_of: Callable[[str], str]) -> list[str]:
    """Each run once; all are found before anything is done to the first."""
    return list(dict.fromkeys(map(id_of, names)))


def _id_of_any(runs: "Runs", name: str) -> str:
    try:
        return runs.id_of(name)
    except UnknownName as error:
        with suppress(UnknownName):
            return runs.trash.id_of(name)
        raise error


def _forget(runs: "Runs", run_id: str, by: str) -> None:
    try:
        runs.remove(run_id, by)
    except UnknownName:
        runs.trash.empty([run_id], by)
