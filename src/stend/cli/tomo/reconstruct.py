"""`stend tomo reconstruct`: a scan → slices in files, under a cap on memory."""

import math
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json
from stend.cli.tomo.axis import CenterOption, Half, axis_of, relied_on, said, told
from stend.cli.tomo.format import FormatName, format_of
from stend.cli.tomo.method import (
    AlgorithmName,
    FilterName,
    Iterations,
    NonNegative,
    Pixel,
    decisive,
)
from stend.cli.tomo.opening import (
    File,
    Source,
    opened,
    range_of,
    require_reconstructible,
    rows_of,
    with_pixel,
)
from stend.cli.tomo.pictures import window_of
from stend.cli.tomo.preparing import OfWhole, Phase, Steps, preparation
from stend.errors import BadValue
from stend.printable import encodable, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend.tomo import Scan, WrittenVolume
    from stend.tomo.preparation import Center, Preparation
    from stend.tomo.reconstructor import Options
    from stend.tomo.scan_reconstruction import ScanReconstruction

BITS = 16
"""Of a PNG's pixel, unless given."""
WIDEST_TAPER = 360.0
"""Degrees: what fades over more than a turn is no end."""


def verb(
    file: File,
    *,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="A folder, or a file that ends in .h5 or .tif."),
    ],
    format: Annotated[
        FormatName | None,
        typer.Option(
            "--format", help="Default: as OUTPUT ends; tiff, a file a slice, of a folder."
        ),
    ] = None,
    algorithm: AlgorithmName = "dfr",
    filter: FilterName = "ram-lak",
    cutoff: Annotated[
        float, typer.Option("--cutoff", help="The part of the filter's band that is kept.")
    ] = 1.0,
    iterations: Iterations = None,
    non_negative: NonNegative = False,
    center: CenterOption = "auto",
    half_acquisition: Half = False,
    pixel: Pixel = None,
    size: Annotated[
        int | None,
        typer.Option(
            "--size",
            help="A slice's side; default: the columns, of a half acquisition both sides'.",
        ),
    ] = None,
    taper: Annotated[
        float,
        typer.Option("--taper", help="Degrees over which the ends of more than half a turn fade."),
    ] = 0.0,
    rows: Annotated[
        str | None,
        typer.Option("--rows", metavar="FIRST:END", help="Only these detector rows, END not."),
    ] = None,
    source: Source,
    steps: Steps,
    phase: Phase = None,
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="LOW:HIGH",
            help="What is black and white; by default told by the middle slice.",
        ),
    ] = None,
    bits: Annotated[
        int | None, typer.Option("--bits", help="Of a PNG's pixel, 8 or 16; default: 16.")
    ] = None,
    water: Annotated[
        float | None,
        typer.Option("--water", help="Attenuation of water in 1/mm; DICOM is in HU then."),
    ] = None,
    memory: Annotated[
        str, typer.Option("--memory", help="What this may take at most, as 500MB or 8GB.")
    ] = "4GB",
    scratch: Annotated[
        Path | None,
        typer.Option(
            "--scratch",
            help="A folder to unpack projections into once, where each slab would unpack them all.",
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", help="Default: one for each CPU.")
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin anew where an earlier call was cut short.")
    ] = False,
    json: Json = False,
) -> None:
    """Reconstruct a scan into slices, a slab of rows at a time, however large it is.

    Intensities are normalised by flat and dark fields and their logarithm is taken; zingers and
    stripes are removed only when asked for. What is cut short stays in OUTPUT.unfinished, and the
    same command goes on with it. How slices were made stands in their files.

    Examples: `stend tomo reconstruct scan.h5 -o slices`,
    `stend tomo reconstruct scan.h5 -o slices.h5`,
    `stend tomo reconstruct scan.h5 -o series --format dicom --stripes 21 --memory 8GB`.
    """
    from stend.tomo.chosen_rows import chosen_rows
    from stend.tomo.memory import bytes_of
    from stend.tomo.preparation import HalfAcquisition
    from stend.tomo.scan_reconstruction import Prepare, ScanReconstruction
    from stend.tomo.writing import open_volume

    shown = range_of(window, "window") if window is not None else None
    bytes_of(memory)  # so that what can't be is told before anything is read
    form = format_of(output, format)
    _refuse_unheeded(form, bits, water)
    scan = opened(file, source)
    require_reconstructible(scan)
    fading = _radians(taper, scan)
    _refuse_among_images(file, output)
    first, end = rows_of(rows, scan.projections.shape[1])
    scan = with_pixel(scan, pixel)
    _refuse_unfit(scan, output, form)
    origin = _origin(file, source.entry, scan)
    scan = _unpacked(scan, scratch) if scratch else scan
    prepare = preparation(scan, steps, phase, threads)
    middle = scan.projections.shape[1] // 2  # of any --rows the same
    axis = axis_of(center, scan, prepare, middle, half_acquisition, memory)
    about, whole = relied_on(axis, half_acquisition), scan
    slab: Prepare = prepare
    if half_acquisition:
        slab = wide = HalfAcquisition(scan, prepare, about)
        about, whole = wide.center, wide.scan
    part = chosen_rows(whole, first, end)
    options: Options = {
        "algorithm": algorithm,
        "filter": filter,
        "cutoff": cutoff,
        "iterations": iterations,
        "non_negative": non_negative,
        "center": about,
        "size": size,
        "taper": fading,
        "pixel": scan.pixel,
        "threads": threads,
    }
    work = ScanReconstruction(part, prepare=OfWhole(whole, first, slab), memory=memory, **options)
    shown = shown or window_of(_middle(work, (end - first) // 2))
    volume = open_volume(
        output,
        form,
        work.shape,
        pixel=scan.pixel,
        spacing=scan.pixel,
        window=shown,
        bits=bits or BITS,
        water=water,
        about=_about(scan, file, f"{first}:{end}", source.angles, prepare, phase, options)
        | ({"half acquisition": "stitched"} if half_acquisition else {}),
        origin=origin,
        first=first,
        resume=not restart,
    )
    before, began = volume.written, time.perf_counter()
    _run(work, volume, output)
    made = Made(output, form, volume.shape, before, time.perf_counter() - began, axis, scan.pixel)
    print(made.as_json() if json else f"{made}\naxis of rotation: {said(axis)}")


@dataclass(frozen=True)
class Made:
    """What was done, for the last lines."""

    output: Path
    format: FormatName
    shape: tuple[int, int, int]
    before: int
    """Slices that were there from an earlier call."""
    seconds: float
    axis: "float | Center"
    pixel: float | None

    def __str__(self) -> str:
        slices, side, _ = self.shape
        done = slices - self.before
        earlier = f" (and {self.before:,} before)" if self.before else ""
        return (
            f"{done:,} slices of {side} × {side}{earlier} in {self.seconds:.1f} s, "
            f"{done / self.seconds:.3g} slices/s: {printable(str(self.output))} ({self.format})"
        )

    def as_json(self) -> str:
        """The same figures for programs."""
        import msgspec

        figures = {
            "output": encodable(str(self.output)),
            "format": self.format,
            "shape": self.shape,
            "slices": self.shape[0] - self.before,
            "before": self.before,
            "seconds": self.seconds,
            "axis": told(self.axis),
            "unit": "1/mm" if self.pixel else "1/pixel",
            "pixel_mm": self.pixel,
        }
        return msgspec.json.encode(figures).decode()


def _unpacked(scan: "Scan", folder: Path) -> "Scan":
    from stend.cli.tomo.shown import SlicesShown
    from stend.tomo.reading import unpacked

    began = time.perf_counter()
    with SlicesShown("unpacking", scan.projections.shape[0], "projections") as bar:
        return unpacked(
            scan,
            folder,
            progress=lambda n, of: bar.reached(n, of, n / (time.perf_counter() - began)),
        )


def _about(
    scan: "Scan",
    file: Path,
    rows: str,
    angles: str | None,
    prepare: "Preparation",
    phase: str | None,
    options: "Options",
) -> dict[str, str]:
    """How the slices are made: kept beside them, and what a later call must agree with."""
    steps = {
        "zingers": prepare.zingers,
        "phase": phase,
        "angles": angles,
        "dead stripes": prepare.dead_stripes,
        "large stripes": prepare.large_stripes,
        "stripes": prepare.stripes,
    }
    made = decisive(options) | steps
    texts = {key: str(value) for key, value in made.items() if value is not None}
    return {**scan.about, "scan": file.name, "rows": rows, **texts}


def _origin(file: Path, entry: str | None, scan: "Scan") -> dict[str, str]:
    """What the slices come from: half of them from another scan would not be seen."""
    from hashlib import sha256

    from stend.tomo.reading.hdf5 import other_files
    from stend.tomo.reading.stack import files_of

    assert scan.angles is not None
    parts = {str(part.relative_to(file)): part for part in files_of(file)}
    for frames in (scan.projections, scan.flats, scan.darks):
        parts |= {str(other): other for other in other_files(frames)}
    states = []
    for name, part in parts.items():
        told = part.stat()
        states.append(f"{name} {told.st_size} {told.st_mtime_ns}")
    return {
        "file": str(file.resolve()),
        "sizes and dates": sha256(os.fsencode("\n".join(states))).hexdigest(),
        "entry": entry or "",
        "projections": f"{scan.projections.shape} {scan.normalized}",
        "angles": sha256(scan.angles.tobytes()).hexdigest(),
    }


def _refuse_among_images(file: Path, output: Path) -> None:
    """Refuse a place where the next call would take the slices for a part of the scan."""
    from stend.tomo.reading.stack import is_read

    if Path(os.path.realpath(file)) in Path(os.path.realpath(output)).parents and is_read(
        output.name
    ):
        raise BadValue(
            f"{printable(str(output))} would be read as a part of the scan by the next call; "
            f"give a place outside {printable(str(file))}."
        )


def _middle(work: "ScanReconstruction", row: int) -> "NDArray[np.float32]":
    from stend.cli.tomo.shown import SlicesShown

    with SlicesShown("looking at the middle slice:", 1) as bar:
        return work.slice(row, bar.iterated)


def _run(work: "ScanReconstruction", volume: "WrittenVolume", output: Path) -> None:
    """Reconstruct with a progress bar; Ctrl-C leaves what is written and says how to go on."""
    from stend.cli.tomo.shown import SlicesShown

    try:
        with SlicesShown("reconstructing", volume.shape[0]) as bar:
            work.into(volume, bar.reached, bar.iterated)
    except KeyboardInterrupt:
        kept = printable(f"{output}.unfinished")
        print(
            f"stend: {volume.written:,} of {volume.shape[0]:,} slices are kept in {kept}; "
            "the same command goes on with them.",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None


def _refuse_unheeded(format: FormatName, bits: int | None, water: float | None) -> None:
    """Refuse what the format doesn't heed, rather than leave it out unseen."""
    if water is not None and format != FormatName.DICOM:
        raise BadValue(f"--water is for --format dicom, the only one in HU; this is {format}.")
    if bits is not None and format != FormatName.PNG:
        raise BadValue(f"--bits is for --format png; {format} has bits of its own.")
    if bits not in (None, 8, 16):
        raise BadValue(f"--bits {bits} can't be; pictures have 8 or 16 bits a pixel.")


def _radians(taper: float, scan: "Scan") -> float:
    """Give a taper of degrees, refused where it can't be or would do nothing."""
    from stend.tomo.given import checked_taper

    if not 0 <= taper <= WIDEST_TAPER:
        raise BadValue(f"--taper {taper:g} can't be; give degrees, from 0 to {WIDEST_TAPER:.0f}.")
    assert scan.angles is not None, "require_reconstructible comes first"
    return checked_taper(math.radians(taper), scan.angles)


def _refuse_unfit(scan: "Scan", output: Path, format: FormatName) -> None:
    """Refuse before anything is computed what the format or a place can't take."""
    if format == FormatName.DICOM and scan.pixel is None:
        raise BadValue(
            "DICOM needs the side of a pixel, which the file does not tell; give --pixel MM."
        )
    if output.exists() or output.is_symlink():
        raise BadValue(f"{printable(str(output))} exists; give another name or remove it.")
