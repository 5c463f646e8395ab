"""`stend tomo view`: a page in the browser with a scan and its slices, or with a volume."""

import threading
from typing import Annotated

import typer

from stend.cli.tomo.opening import Angles, Entry, External, File, Integrals, opened


def verb(
    file: File,
    angles: Angles = None,
    integrals: Integrals = False,
    center: Annotated[
        float | None,
        typer.Option(
            "--center",
            metavar="COLUMN",
            help="The detector column of the axis of rotation; found unless given.",
        ),
    ] = None,
    entry: Entry = None,
    external: External = False,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="Of 127.0.0.1; 0: any that is free."),
    ] = 0,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address, open no browser.")
    ] = False,
) -> None:
    """Show projections, sinograms and slices, or a volume, in the browser, until Ctrl-C.

    Slices of a scan are reconstructed when they are looked at; nothing is written. The page is
    served to this machine only, at an address that nobody can guess.

    Examples: `stend tomo view scan.h5`, `stend tomo view slices --no-open --port 8000`.
    """
    from stend.tomo.reading import is_volume, read_volume
    from stend.tomo_view import Server, ShownScan, ShownVolume

    shown: ShownScan | ShownVolume
    if angles is None and is_volume(file):
        shown = ShownVolume(read_volume(file), file.name)
    else:
        scan = opened(file, angles, integrals, entry, external)
        shown = ShownScan(scan, file.name, center)
    server = Server(shown, port)
    print(f"{server.address}\nCtrl-C ends it.", flush=True)
    if not no_open:
        threading.Thread(target=_open, args=(server.address,), daemon=True).start()
    try:
        server.run()
    except KeyboardInterrupt:
        print("\nEnded.")


def _open(address: str) -> None:
    """A browser of the terminal would hold the server up, hence a thread."""
    import webbrowser

    webbrowser.open(address)
