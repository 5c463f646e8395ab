"""`stend serve`: the stored runs in the browser, for oneself or for a team."""

from typing import Annotated

import typer

from stend.cli.browser import show
from stend.cli.options import Store


def verb(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")
    ] = 8000,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address, open no browser.")
    ] = False,
    store: Store = None,
) -> None:
    """Show the stored runs in the browser, until Ctrl-C.

    Example: `stend serve`.
    """
    from stend.store import Store as Runs
    from stend.web import Server, Settings

    with Runs.open(store) as runs:
        server = Server(runs, Settings(port=port))
        show(server.address, server.run, browser=not no_open)
