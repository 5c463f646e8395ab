"""`stend remove`: stored runs, for good."""

from typing import Annotated

import typer

from stend.cli.options import Store, refuse_published


def verb(
    names: Annotated[
        list[str],
        typer.Argument(metavar="RUN…", help="Stored runs, named as in `stend show`."),
    ],
    store: Store = None,
) -> None:
    """Remove runs from the store, with all their samples; `stend export` keeps a copy.

    Example: `stend remove 8881308d`.
    """
    from stend.store import Store as Runs

    refuse_published(names, "removed")
    with Runs.open(store, create=False) as runs:
        found = list(dict.fromkeys(runs.load(name).id for name in names))
        for run_id in found:
            print(f"Removed run {runs.remove(run_id)[:8]}.")
