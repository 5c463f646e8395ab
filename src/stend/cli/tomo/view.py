"""`stend tomo view`: a page in the browser with a scan and its slices, or with a volume."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.browser import show
from stend.cli.tomo.axis import CenterOption, axis_of, rounded
from stend.cli.tomo.method import Cutoff, DirectName, FilterName, Pixel
from stend.cli.tomo.opening import (
    AsVolume,
    File,
    Source,
    opened,
    refuse_unheeded,
    with_pixel,
)
from stend.cli.tomo.preparing import Phase, Steps, preparation
from stend.cli.tomo.said import named
from stend.printable import printable

if TYPE_CHECKING:
    from stend.tomo import Scan
    from stend.tomo.preparation import Preparation


def verb(
    call: typer.Context,
    file: File,
    *,
    source: Source,
    center: CenterOption = "auto",
    pixel: Pixel = None,
    algorithm: DirectName = "dfr",
    filter: FilterName = "ram-lak",
    cutoff: Cutoff = 1.0,
    steps: Steps,
    phase: Phase = None,
    volume: AsVolume = False,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="Of 127.0.0.1; 0: any that is free."),
    ] = 0,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address, open no browser.")
    ] = False,
) -> None:
    """Show projections, sinograms and slices, or a volume, in the browser, until Ctrl-C.

    Slices of a scan are reconstructed when they are looked at; nothing is written. The axis, the
    method and the width of stripes can be changed on the page, which then tells the command that
    writes the slices. It is served to this machine only, at an address that nobody can guess.
    Slices of a half acquisition are shown when `reconstruct` has written them.

    Examples: `stend tomo view scan.h5`, `stend tomo view slices --no-open --port 8000`.
    """
    from stend.tomo.reading import is_volume, read_volume
    from stend.tomo_view import Method, Server, ShownScan, ShownVolume

    options: dict[str, object] = {
        "--angles": source.angles,
        "--pixel": pixel,
        "--zingers": steps.zingers,
        "--large-stripes": steps.large_stripes,
        "--dead-stripes": steps.dead_stripes,
        "--phase": phase,
        "--flats": source.flats,
        "--darks": source.darks,
        "--white": source.white,
        "--entry": source.entry,
        "--line-integrals": source.integrals or None,
        "--external": source.external or None,
    }
    shown: ShownScan | ShownVolume
    if volume or (source.angles is None and is_volume(file, limit=source.limit)):
        refuse_unheeded(call, file, "volume", "port", "no_open")
        shown = ShownVolume(read_volume(file, limit=source.limit), printable(file.name))
    else:
        scan = with_pixel(opened(file, source), pixel)
        prepare = preparation(scan, steps, phase)
        column, said, warning = _axis(center, scan, prepare)
        shown = ShownScan(
            scan,
            printable(file.name),
            Method(column, algorithm, filter, cutoff, steps.stripes),
            prepare,
            center_said=said,
            warning=warning,
            command=_command(file, options | {"--limit": source.limit}),
        )
    server = Server(shown, port, file)
    show(server.address, server.run, browser=not no_open)


def _axis(given: str, scan: "Scan", prepare: "Preparation") -> tuple[float, str, str | None]:
    """Give the axis, how it is known, and a sentence where it is to be looked for by eye."""
    from stend.tomo_view import sought_axis

    if given != "auto":
        return rounded(axis_of(given, scan, prepare, row=0)), "as given", None
    column, said, warning = sought_axis(scan, prepare)
    return column, said, warning and named(warning)


def _command(file: Path, options: Mapping[str, object]) -> str:
    """What would write these slices; the page adds the axis, the method and the stripes.

    Empty where it can't be shown, so not copied either.
    """
    words = ["stend", "tomo", "reconstruct", str(file), "-o", f"{file.stem or 'scan'}-slices"]
    for name, value in options.items():
        words += [] if value is None else [name] if value is True else [name, str(value)]
    command = shlex.join(words)
    return command if command.isprintable() else ""
