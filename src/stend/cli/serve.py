"""`stend serve`: the stored runs in the browser, for oneself or for a team."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.browser import show
from stend.cli.options import Store
from stend.errors import BadValue
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.store import Store as Runs
    from stend.web import Settings


def verb(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")
    ] = 8000,
    address: Annotated[
        str,
        typer.Option(
            "--address",
            metavar="IP",
            help="Where to listen: 127.0.0.1 is for this machine only, 0.0.0.0 for every network "
            "it is in.",
        ),
    ] = "127.0.0.1",
    origin: Annotated[
        str,
        typer.Option(
            "--origin",
            metavar="URL",
            help="The address under which a proxy shows the server: https://perf.example.org. "
            "With it tokens count on this machine, too.",
        ),
    ] = "",
    public_read: Annotated[
        bool, typer.Option("--public-read", help="Let everybody read, without a token.")
    ] = False,
    scans: Annotated[
        Path | None,
        typer.Option(
            "--scans", metavar="FOLDER", help="Show the scans and volumes in this folder, too."
        ),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address, open no browser.")
    ] = False,
    store: Store = None,
) -> None:
    """Show the stored runs in the browser, until Ctrl-C.

    Whoever uses this machine may look; who opens the printed address may change things as well.
    A server that others reach, by --address or through a proxy by --origin, asks for tokens:
    `stend token add` makes them.

    Examples: `stend serve`, `stend serve --scans data`.
    """
    from stend.store import Store as Runs
    from stend.web import Server, Settings

    if scans is not None and not scans.is_dir():
        raise BadValue(f"--scans {printable(str(scans))} is no folder that can be looked into.")
    settings = Settings(
        address=address, port=port, origin=origin, public_read=public_read, scans=scans
    )
    with Runs.open(store) as runs:
        server = Server(runs, settings)
        for note in _notes(settings, runs, server.listening):
            print(f"stend: {note}", file=sys.stderr)
        show(server.address, server.run, browser=settings.own_machine and not no_open)


def _notes(settings: "Settings", store: "Runs", listening: str) -> Iterator[str]:
    """What who starts a server for others may have overlooked."""
    if settings.own_machine:
        return
    if settings.origin:
        yield f"For the proxy it is at {listening}."
    if not settings.secure:
        yield (
            "Tokens travel in the clear: everybody on the way can read them. Put a proxy with TLS "
            "before the server, and name its address: --origin https://…"
        )
    if not any(token.live for token in store.access.tokens()):
        yield (
            "Nobody has a token yet: `stend token add NAME --rights admin` on this machine, with "
            "the same store, makes the first one."
        )
