"""Runs that were removed over the API: the list, put back, gone for good."""

import msgspec

from stend.store import Removed, Right
from stend.web.api.operation import Asked, Operation


class Trash(msgspec.Struct):
    """What can be put back, what was removed last first."""

    runs: tuple[Removed, ...]


def _listed(asked: Asked) -> Trash:
    return Trash(asked.site.store.trash.list())


def _restored(asked: Asked) -> None:
    run = asked.site.store.trash.restore(asked.path["run"])
    asked.note("run restore", run)


def _forgotten(asked: Asked) -> None:
    trash = asked.site.store.trash
    run = trash.id_of(asked.path["run"])
    trash.empty([run])
    asked.note("run forget", run)


OPERATIONS = (
    Operation(
        "list_trash", "GET", "/trash", "The runs that were removed and can be put back",
        Right.READ, _listed, Trash,
    ),
    Operation(
        "restore_run", "POST", "/trash/{run}/restore", "Put a removed run back",
        Right.WRITE, _restored,
    ),
    Operation(
        "forget_run", "DELETE", "/trash/{run}", "Remove a removed run for good",
        Right.ADMIN, _forgotten,
    ),
)  # fmt: skip
