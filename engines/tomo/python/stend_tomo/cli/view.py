"""`stend-tomo view`: a page in the browser with a scan and its slices, or with a volume."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli import called, command_words
from stend_tomo.cli.arguments import Given, Option
from stend_tomo.cli.center import CenterOption, axis_of, rounded
from stend_tomo.cli.preparation import Phase, Steps, preparation
from stend_tomo.cli.reconstruct import Cutoff, DirectName, FilterName, Pixel
from stend_tomo.cli.scan_options import AsVolume, File, Source, opened, refuse_unheeded, with_pixel
from stend_tomo.errors import printable

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.preparation import Preparation


def verb(
    given: Given,
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
        Option("--port", min=0, max=65535, help="Port on 127.0.0.1; 0: any free port."),
    ] = 0,
    no_open: Annotated[
        bool, Option("--no-open", help="Only print the address, without opening a browser.")
    ] = False,
) -> None:
    """Show projections, sinograms and slices, or a volume, in the browser, until Ctrl-C.

    Slices of a scan are reconstructed when they are displayed; nothing is written. The axis, the
    method and the width of stripes can be changed on the page, which then shows the command that
    writes the slices. The page is served to this machine only, at an address that cannot be
    guessed. For a half acquisition, write the slices with `reconstruct`, and view those.

    Examples: `view scan.h5`, `view slices --no-open --port 8000`.
    """
    from stend_tomo.reading import is_volume, read_volume
    from stend_tomo.view import Method, Server, ShownScan, ShownVolume
    from stend_tomo.view.server import show

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
        refuse_unheeded(given, file, "--volume", "--port", "--no-open")
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
    from stend_tomo.view import sought_axis

    if given != "auto":
        return rounded(axis_of(given, scan, prepare, row=0)), "as given", None
    return sought_axis(scan, prepare, command_words())


def _command(file: Path, options: Mapping[str, object]) -> str:
    """What would write these slices; the page adds the axis, the method and the stripes.

    Empty where it can't be shown, so not copied either.
    """
    slices = f"{file.stem or 'scan'}-slices"
    typed = [*called.get().split(), "reconstruct", str(file), "-o", slices]
    for name, value in options.items():
        typed += [] if value is None else [name] if value is True else [name, str(value)]
    command = shlex.join(typed)
    return command if command.isprintable() else ""
