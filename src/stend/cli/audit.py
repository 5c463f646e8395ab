"""`stend audit`: who changed what, when and from where."""

from typing import Annotated

import typer

from stend.cli.options import Json, Store, print_json


def verb(
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=1_000_000, help="At most so many.")
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
