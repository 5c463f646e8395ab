"""`stend backup`, `stend restore` and `stend audit`: what an operator does with a store."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import Json, Store, print_json, size_of


def backup_verb(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A new file; an existing one is never replaced.")
    ],
    store: Store = None,
) -> None:
    """Write a consistent copy of a store to a file, while others use it.

    The file is a store itself: every verb reads it with --store. It has the runs, removed runs that
    can be put back, tokens (with hashes of their secrets) and the audit log; only its owner can
    read it. Example: `stend backup stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.progress import Steps
    from stend.record.text import printable
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs, Steps() as steps:
        done = runs.back_up(file, steps.reached)
    print(f"Wrote {done.said} to {printable(str(file))}{size_of(file)}.")


def restore_verb(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A backup that `stend backup` wrote, or another store's file."
        ),
    ],
    store: Store = None,
) -> None:
    """Restore a backup into an empty store, completely or not at all.

    Every row is read back and compared, and every run is loaded. Example:
    `stend restore stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.options import whoever
    from stend.cli.progress import Steps
    from stend.record.text import printable
    from stend.store import Store as Runs

    with Runs.open(store) as runs:
        with Steps() as steps:
            done = runs.restore(file, steps.reached, whoever())
        damaged = runs.damaged()
    print(f"Restored {done.said} from {printable(str(file))}.")
    if damaged:
        print(f"Damaged in the backup, and so here; they can't be shown: {', '.join(damaged)}.")
    if done.tokens:
        print(
            "Tokens are as they were when the backup was made: revoke again those revoked since "
            "(`stend token list`)."
        )


def audit_verb(
    limit: Annotated[
        int,
        typer.Option(
            "-n", "--limit", metavar="N", min=1, max=1_000_000, help="At most this many entries."
        ),
    ] = 20,
    store: Store = None,
    json: Json = False,
) -> None:
    """List what was done to the runs and tokens of a server, the newest first."""
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        found = runs.audit.read(limit)
    if json:
        print_json(found)
    else:
        from stend.report import terminal

        terminal.print_audit(found)
