"""Where slices go, in which format, what making them may take, and what they come from.

They are made with a progress bar; what is cut short is gone on with by the same command.
"""

import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli import note
from stend_tomo.cli.arguments import Option
from stend_tomo.cli.pictures import window_of
from stend_tomo.cli.progress import SlicesShown, encodable
from stend_tomo.cli.scan_options import Source, range_of, refuse_among_images
from stend_tomo.errors import BadOption, printable

if TYPE_CHECKING:
    from stend_tomo import Scan, WrittenVolume
    from stend_tomo.preparation import Mended, Preparation
    from stend_tomo.slab_pipeline import SlabBySlab


class FormatName(StrEnum):
    """A format of `stend_tomo.open_volume`."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    HDF5 = "hdf5"
    ZARR = "zarr"


ENDINGS = {
    ".h5": FormatName.HDF5,
    ".hdf5": FormatName.HDF5,
    ".zarr": FormatName.ZARR,
    ".tif": FormatName.TIFF,
    ".tiff": FormatName.TIFF,
}
"""What names of outputs say."""
OF_ONE_SLICE = {".png": FormatName.PNG, ".dcm": FormatName.DICOM}
"""Endings of files that these formats fill a folder with."""
OF_A_FILE = re.compile(r"\.[a-z]\w{1,5}", re.ASCII)
"""How the name of a file ends, and hardly that of a folder: .npy, .raw, .nii, but not .3."""


def format_of(output: Path, given: FormatName | None) -> FormatName:
    """Give the format that was named, or else the one that the output's ending tells.

    Raises:
        BadOption: they contradict each other, or the ending is that of one slice, or of a file that
            is not written.
    """
    ending, name = output.suffix.lower(), printable(str(output))
    if ending in OF_ONE_SLICE:
        raise BadOption(
            f"{name} has the name of one image, but slices go into a folder; give a name without "
            f"{ending}, and --format {OF_ONE_SLICE[ending]}."
        )
    told = ENDINGS.get(ending)
    if not (given or told) and OF_A_FILE.fullmatch(ending):
        raise BadOption(
            f"{name} has the name of a file of an unknown format; give a name that ends in .h5, "
            ".tif or .zarr, or one without an ending for a folder of TIFFs (with --format a "
            "folder may have any name)."
        )
    if given and told and given != told:
        raise BadOption(
            f"{name} has the ending of {told}, but --format is {given}; leave --format out, or "
            "give another name."
        )
    return given or told or FormatName.TIFF


BITS = 16
"""Of a PNG's pixel, unless given."""


@dataclass(frozen=True)
class Output:
    """Where slices go, and in which form."""

    path: Annotated[
        Path,
        Option("-o", "--output", help="A folder, or a file whose name ends in .h5 or .tif."),
    ]
    format: Annotated[
        FormatName | None,
        Option(
            "--format",
            help="Default: from the ending of OUTPUT; for a folder tiff, one file per slice.",
        ),
    ] = None
    window: Annotated[
        str | None,
        Option(
            "--window",
            metavar="LOW:HIGH",
            help="Values shown as black and white; default: from the middle slice.",
        ),
    ] = None
    bits: Annotated[
        int | None, Option("--bits", help="Bits of a PNG's pixel, 8 or 16; default: 16.")
    ] = None
    water: Annotated[
        float | None,
        Option("--water", help="Attenuation of water in 1/mm; DICOM is then written in HU."),
    ] = None
    restart: Annotated[
        bool, Option("--restart", help="Start over instead of continuing an interrupted call.")
    ] = False

    @property
    def form(self) -> FormatName:
        """The format that was named, or that the path's ending tells."""
        return format_of(self.path, self.format)

    @property
    def shown(self) -> tuple[float, float] | None:
        """What was asked for to be black and white."""
        return None if self.window is None else range_of(self.window, "window")


@dataclass(frozen=True)
class Resources:
    """What the work may take."""

    memory: Annotated[
        str,
        Option(
            "--memory",
            metavar="SIZE",
            help="Memory limit of the work, such as 500MB or 8GB; the program itself needs some "
            "100 MB more.",
        ),
    ] = "4GB"
    scratch: Annotated[
        Path | None,
        Option(
            "--scratch",
            help="A folder to unpack projections into once, if otherwise each slab would unpack "
            "all of them.",
        ),
    ] = None
    threads: Annotated[int | None, Option("--threads", help="Default: one for each CPU.")] = None


@dataclass(frozen=True)
class Made:
    """What was done, for the last lines."""

    output: Path
    format: FormatName
    shape: tuple[int, int, int]
    before: int
    """Slices that were there from an earlier call."""
    seconds: float
    pixel: float | None
    window: tuple[float, float]

    def __str__(self) -> str:
        slices, side, _ = self.shape
        done = slices - self.before
        earlier = f" (and {self.before:,} before)" if self.before else ""
        return (
            f"{done:,} slices of {side} × {side}{earlier} in {self.seconds:.1f} s, "
            f"{done / self.seconds:.3g} slices/s: {printable(str(self.output))} ({self.format})"
        )

    @property
    def unit(self) -> str:
        """Of the slices' values."""
        return "1/mm" if self.pixel else "1/pixel"

    @property
    def shown(self) -> str:
        """Which values a viewer shows as black and white, and a PNG ends at."""
        return f"black {self.window[0]:g}, white {self.window[1]:g} {self.unit}"

    def figures(self, axis: Mapping[str, float | None], mended: "Mended") -> dict[str, object]:
        """The same figures for programs, and where the axis of rotation was."""
        return {
            "output": encodable(str(self.output)),
            "format": self.format,
            "shape": self.shape,
            "slices": self.shape[0] - self.before,
            "before": self.before,
            "seconds": self.seconds,
            "axis": axis,
            "unit": self.unit,
            "pixel_mm": self.pixel,
            "window": self.window,
            "mended": mended,
        }


def check_options(to: Output, resources: Resources) -> None:
    """Refuse what can't be before anything is read, and what would be left out unseen."""
    from stend_tomo.memory import bytes_of

    bytes_of(resources.memory)
    form, _ = to.form, to.shown
    if to.water is not None and form != FormatName.DICOM:
        raise BadOption(f"--water requires --format dicom, the only format in HU; this is {form}.")
    if to.bits is not None and form != FormatName.PNG:
        raise BadOption(f"--bits requires --format png; {form} has a fixed number of bits.")
    if to.bits not in (None, 8, 16):
        raise BadOption(f"--bits {to.bits} is not possible; pictures have 8 or 16 bits per pixel.")


def check_place(file: Path, to: Output) -> None:
    """Refuse a place that is taken, or where the next call would read slices as projections."""
    refuse_among_images(file, to.path)
    if to.path.exists() or to.path.is_symlink():
        raise BadOption(f"{printable(str(to.path))} exists; give another name or remove it.")


def unpacked_in(folder: Path | None, scan: "Scan") -> "Scan":
    """Give the scan, its projections unpacked into a folder if one was given."""
    from stend_tomo.reading import unpacked

    if folder is None:
        return scan
    began = time.perf_counter()
    with SlicesShown("unpacking", scan.projections.shape[0], "projections") as bar:
        return unpacked(
            scan,
            folder,
            progress=lambda n, of: bar.reached(n, of, n / (time.perf_counter() - began)),
        )


def make_slices(
    work: "SlabBySlab",
    to: Output,
    *,
    pixel: float | None,
    about: dict[str, str],
    origin: dict[str, str],
    first: int = 0,
) -> Made:
    """Make all slices and write them; `first` is the detector's row that the first one is of."""
    from stend_tomo.writing import open_volume

    window = to.shown
    if window is None:
        with SlicesShown("reconstructing the middle slice:", 1) as bar:
            window = window_of(work.slice(work.shape[0] // 2, bar.iterated))
    volume = open_volume(
        to.path,
        to.form,
        work.shape,
        pixel=pixel,
        spacing=pixel,
        window=window,
        bits=to.bits or BITS,
        water=to.water,
        about=about,
        origin=origin,
        first=first,
        resume=not to.restart,
    )
    before, began = volume.written, time.perf_counter()
    _run(work, volume, to.path)
    return Made(to.path, to.form, volume.shape, before, time.perf_counter() - began, pixel, window)


def _run(work: "SlabBySlab", volume: "WrittenVolume", output: Path) -> None:
    """Reconstruct with a progress bar; Ctrl-C leaves what is written and says how to go on."""
    try:
        with SlicesShown("reconstructing", volume.shape[0]) as bar:
            work.into(volume, bar.reached, bar.iterated)
    except KeyboardInterrupt:
        kept = printable(f"{output}.unfinished")
        note(
            f"{volume.written:,} of {volume.shape[0]:,} slices are kept in {kept}; the same "
            "command continues with the rest."
        )
        raise


def how_made(
    file: Path,
    source: Source,
    scan: "Scan",
    method: Mapping[str, object],
    prepare: "Preparation",
    phase: str | None = None,
) -> dict[str, str]:
    """How the slices are made: kept beside them, and what a later call must agree with."""
    steps = {
        "zingers": prepare.zingers,
        "phase": phase,
        "angles": source.angles,
        "flats": source.flats and source.flats.name,
        "darks": source.darks and source.darks.name,
        "white": source.white,
        "dead stripes": prepare.dead_stripes,
        "large stripes": prepare.large_stripes,
        "stripes": prepare.stripes,
    }
    texts = {key: str(value) for key, value in {**method, **steps}.items() if value is not None}
    return {**scan.about, "scan": file.name, **texts}


def origin_of(file: Path, source: Source, scan: "Scan") -> dict[str, str]:
    """What the slices come from: half of them from another scan would not be seen."""
    from hashlib import sha256

    from stend_tomo.reading.hdf5 import other_files
    from stend_tomo.reading.stack import files_of

    assert scan.angles is not None
    parts = {str(part.relative_to(file)): part for part in files_of(file)}
    for given in filter(None, (source.flats, source.darks)):
        parts |= {str(part.resolve()): part for part in files_of(given)}
    for frames in (scan.projections, scan.flats, scan.darks):
        parts |= {str(other): other for other in other_files(frames)}
    return {
        "file": str(file.resolve()),
        "sizes and dates": sizes_and_dates(parts),
        "entry": source.entry or "",
        "projections": f"{scan.projections.shape} {scan.normalized}",
        "angles": sha256(scan.angles.tobytes()).hexdigest(),
    }


def sizes_and_dates(parts: Mapping[str, Path]) -> str:
    """A sum that is another one where a file, by its name, was changed."""
    from hashlib import sha256

    states = []
    for name, part in parts.items():
        told = part.stat()
        states.append(f"{name} {told.st_size} {told.st_mtime_ns}")
    return sha256(os.fsencode("\n".join(states))).hexdigest()
