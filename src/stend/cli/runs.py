"""`stend runs`: what is stored."""

from typing import Annotated

import typer

from stend.cli.options import Json, Store, print_json


def verb(
    label: Annotated[str | None, typer.Option(help="Only runs with this label.")] = None,
    host: Annotated[str | None, typer.Option(help="Only runs of this machine.")] = None,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=1_000_000, help="At most so many.")
    ] = 20,
    removed: Annotated[
        bool, typer.Option("--removed", help="Those that `stend remove --undo` puts back.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """List the stored runs, newest first; with --removed, what was removed last first."""
    from stend.report import terminal
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        every = runs.trash.list() if removed else ()
        found = [] if removed else runs.find(label=label, host=host, limit=limit)
    gone = [run for run in every if label in (None, run.label) and host in (None, run.host)][:limit]
    if json:
        print_json(gone if removed else found)
    elif removed:
        terminal.print_removed(gone)
    else:
        terminal.print_runs(found)
