"""`stend restore`: a backup → an empty store."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import Store


def verb(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="What `stend backup` wrote, or another store's file."),
    ],
    store: Store = None,
) -> None:
    """Put all that a backup holds into a store that is empty, all of it or nothing.

    Every row is read again and compared, and every run is loaded. Example:
    `stend restore stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.progress import Steps
    from stend.cli.whoever import whoever
    from stend.printable import printable
    from stend.store import Store as Runs

    with Runs.open(store) as runs:
        with Steps() as steps:
            done = runs.restore(file, steps.reached, whoever())
        damaged = runs.damaged()
    print(f"Restored {done.said} from {printable(str(file))}.")
    if damaged:
        print(f"Damaged there and here, so nothing can show them: {', '.join(damaged)}.")
    if done.tokens:
        print(
            "The tokens are as they were then: what was revoked since is to be revoked again "
            "(`stend token list`)."
        )
