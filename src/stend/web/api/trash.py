"""Runs that were removed over the API: the list, put back, gone for good."""

import msgspec

from stend.errors import UnknownName
from stend.store import Removals, Right
from stend.web.api.operation import Asked, Most, Operation, Page


class Which(msgspec.Struct):
    """Which of them."""

    limit: Most = 50
    after: Page | None = None


def _listed(asked: Asked) -> Removals:
    return asked.site.store.trash.listing(asked.query.limit, asked.query.after)


def _restored(asked: Asked) -> None:
    asked.site.store.trash.restore(_id(asked), asked.visitor.name, asked.visitor.address)


def _forgotten(asked: Asked) -> None:
    asked.site.store.trash.empty([_id(asked)], asked.visitor.name, asked.visitor.address)


def _id(asked: Asked) -> str:
    """The whole id of the removed run of the path.

    Raises:
        UnknownName: no id begins so, or several do. A label that looks so is none.
    """
    name = asked.path["run"]
    found = asked.site.store.trash.id_of(name)
    if not found.startswith(name):
        raise UnknownName(f"No removed run's id begins with {name}.")
    return found


OPERATIONS = (
    Operation(
        "list_trash", "GET", "/trash",
        "The removed runs that can be put back, last removed first",
        Right.READ, _listed, Removals, Which,
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
