"""`stend backup`: the store → one file."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import Store, size_of


def verb(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A new file; none that exists is replaced.")
    ],
    store: Store = None,
) -> None:
    """Write all that a store holds at one moment to a file, while others go on using it.

    The file is a store itself: every verb reads it with --store. It has the runs, the removed
    ones that can be put back, tokens (of their secrets the hashes) and the audit log; only its
    owner can read it. Example: `stend backup stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.progress import Steps
    from stend.printable import printable
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs, Steps() as steps:
        done = runs.back_up(file, steps.reached)
    print(f"Wrote {done.said} to {printable(str(file))}{size_of(file)}.")
