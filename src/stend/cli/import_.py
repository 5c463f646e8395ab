"""`stend import`: run files → the store."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import Store, refuse_published


def verb(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Run files.")],
    store: Store = None,
) -> None:
    """Add run files to the store; one that is there already changes nothing.

    Every file is read and checked before any is stored. Example: `stend import theirs.json`.
    """
    from stend.exchange import read_run_file
    from stend.store import Store as Runs

    refuse_published([str(path) for path in files], "imported")
    read = [read_run_file(path) for path in files]
    with Runs.open(store) as runs:
        for path, run in zip(files, read, strict=True):
            new = runs.add(run)
            print(f"{path}: run {run.id[:8]} {'added' if new else 'was there already'}.")
