"""`stend token revoke`: nobody is let in by it from now on."""

from typing import Annotated

import typer

from stend.cli.options import Store


def verb(
    which: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Its name or its id, as `stend token list` shows it."),
    ],
    store: Store = None,
) -> None:
    """End a token, and the visits of all browsers that showed it.

    It stays in the list. Example: `stend token revoke bench7`.
    """
    from stend.cli.whoever import whoever
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        token = runs.access.revoke(which, whoever())
    print(f"The token {token.id} of {token.name} is revoked since {token.revoked}.")
