"""Opens the user's browser; no command line shows the address.

What a program is started with can be read by every user of the machine (`ps`). So the browser is
started with the name of a file that only its owner can read, and the file leads to the address.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.browser import has_display, open_browser
from stend.cli.options import Store
from stend.errors import BadValue
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.store import Store as Runs
    from stend.web import Settings


PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<title>stend</title>
<p><a href="{address}">To the page</a></p>
"""


def show(address: str, run: Callable[[], None], browser: bool) -> None:
    """Print the address, lead a browser there, and answer until Ctrl-C."""
    print(f"{address}\nPress Ctrl-C to stop.", flush=True)
    try:
        with redirect_to(address) if browser and has_display() else nullcontext() as page:
            if page:
                open_browser(page)
            run()
    except KeyboardInterrupt:
        print("\nEnded.")


@contextmanager
def redirect_to(address: str) -> Iterator[str]:
    """Give the address of such a file, mode 0600, which is removed at the end."""
    # mkstemp's mode, whatever the umask; its name can't be one that others laid ready.
    number, name = tempfile.mkstemp(prefix="stend-page-", suffix=".html")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(PAGE.format(address=escape(address)))
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)


def verb(
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0: any free port.")
    ] = 8000,
    address: Annotated[
        str,
        typer.Option(
            "--address",
            metavar="IP",
            help="Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all "
            "its networks.",
        ),
    ] = "127.0.0.1",
    origin: Annotated[
        str,
        typer.Option(
            "--origin",
            metavar="URL",
            help="Public address of the server behind a proxy, such as "
            "https://perf.example.org. Tokens are then needed on this machine, too.",
        ),
    ] = "",
    public_read: Annotated[
        bool, typer.Option("--public-read", help="Let anybody read without a token.")
    ] = False,
    scans: Annotated[
        Path | None,
        typer.Option(
            "--scans", metavar="FOLDER", help="Also show the scans and volumes in this folder."
        ),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address without opening a browser.")
    ] = False,
    store: Store = None,
) -> None:
    """Show the stored runs in the browser, until Ctrl-C.

    Anybody on this machine may look; the printed address also allows changes. A server that others
    can reach, by --address or through a proxy by --origin, asks for tokens: `stend token add` makes
    them.

    Examples: `stend serve`, `stend serve --scans data`.
    """
    from stend.store import Store as Runs
    from stend.web import Server, Settings

    if scans is not None and not scans.is_dir():
        raise BadValue(f"--scans {printable(str(scans))} is not a readable folder.")
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
        yield f"The proxy reaches it at {listening}."
    if not settings.secure:
        yield (
            "Tokens are sent unencrypted: anybody on the network can read them. Put a proxy "
            "with TLS in front of the server, and give its address: --origin https://…"
        )
    if not any(token.live for token in store.access.tokens()):
        yield (
            "No token exists yet: run `stend token add NAME --rights admin` on this machine, "
            "with the same store, to make the first one."
        )
