"""A scan as it is named on the command line: its file, flat and dark fields, what else is given."""

import math
import os
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli import command
from stend_tomo.cli.arguments import Argument, Given, Option
from stend_tomo.errors import BadOption, printable

if TYPE_CHECKING:
    from stend_tomo import Frames, Scan


Flats = Annotated[
    Path | None,
    Option(
        "--flats", metavar="FILE", help="Flat fields (images without the sample), or their folder."
    ),
]
Darks = Annotated[
    Path | None,
    Option(
        "--darks", metavar="FILE", help="Dark fields (images without the beam), or their folder."
    ),
]
White = Annotated[
    float | None,
    Option(
        "--white",
        metavar="VALUE",
        help="Value of a pixel without the sample, if projections are already divided by flat "
        "fields: 1 for transmission.",
    ),
]


def check_fields(flats: Path | None, white: float | None, any_given: bool, integrals: bool) -> None:
    """Refuse options that contradict each other, before anything is read."""
    if any_given and integrals:
        raise BadOption(
            "--flats, --darks and --white normalise intensities, but --line-integrals says that "
            "there are none; leave one or the other out."
        )
    if flats is not None and white is not None:
        raise BadOption(
            "--flats and --white both give the intensity without the sample; give only one."
        )
    if white is not None and not 0 < white < math.inf:
        raise BadOption(f"--white {white:g} is not an intensity; give a number above 0, such as 1.")


def with_fields(
    scan: "Scan",
    flats: Path | None,
    darks: Path | None,
    white: float | None,
    external: bool = False,
    limit: int | None = None,
) -> "Scan":
    """Give the scan with what was given instead of its own.

    Raises:
        ScanFileError: a file can't be read.
        BadOption: its images are of another size than the projections.
    """
    import numpy as np

    from stend_tomo.reading import read_frames
    from stend_tomo.reading.frames import Chosen, Held

    _, rows, columns = scan.projections.shape

    def read(file: Path) -> "Frames":
        frames = read_frames(file, external=external, limit=limit)
        if frames.shape[1:] != (rows, columns):
            raise BadOption(
                f"{printable(str(file))} has images of {frames.shape[1]} rows and "
                f"{frames.shape[2]} columns, the projections {rows} and {columns}; give the "
                "images that belong to this scan."
            )
        return frames

    if white is not None:
        even = np.broadcast_to(np.float32(white), (1, rows, columns))
        scan = replace(scan, flats=Chosen.all(Held(even)), darks=None)
    if flats is not None:
        scan = replace(scan, flats=read(flats))
    return scan if darks is None else replace(scan, darks=read(darks))


File = Annotated[
    Path,
    Argument(
        metavar="FILE",
        help="HDF5 (Data Exchange, NXtomo), TIFF, PNG, DICOM, NumPy, Zarr, or a folder of images.",
    ),
]
Angles = Annotated[
    str | None,
    Option(
        "--angles",
        metavar="FIRST:LAST:COUNT|FILE",
        help="Angles in degrees, both ends included, or a file of them (in radians: FILE:rad), "
        "instead of the scan's.",
    ),
]
AsVolume = Annotated[
    bool,
    Option("--volume", help="FILE holds slices, if the file itself does not say so."),
]

LONGEST = 200
"""Characters of what was given that an error repeats."""


@dataclass(frozen=True)
class Source:
    """What a scan's file does not tell, or is not trusted to."""

    angles: Angles = None
    integrals: Annotated[
        bool,
        Option(
            "--line-integrals", help="The projections are line integrals already, not intensities."
        ),
    ] = False
    flats: Flats = None
    darks: Darks = None
    white: White = None
    entry: Annotated[
        str | None, Option("--entry", help="The scan to use if an NXtomo file holds several.")
    ] = None
    external: Annotated[
        bool,
        Option("--external", help="Trust an HDF5 file that reads data from other files."),
    ] = False
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            min=1,
            metavar="BYTES",
            help="Limit on the size that a file may claim for its content, if that is out of "
            "proportion to the file.",
        ),
    ] = None


def opened(file: Path, source: Source) -> "Scan":
    """Read what a scan's file tells, but no projections.

    Raises:
        ScanFileError: it can't be read.
        BadOption: it holds slices, or what was given beside it doesn't fit.
    """
    from stend_tomo.reading import is_volume, read

    if is_volume(file, limit=source.limit):
        raise BadOption(
            f"{printable(str(file))} holds slices, not projections; look at them with "
            f"`{command('view')}`."
        )
    flats, darks, white = source.flats, source.darks, source.white
    any_given = (flats, darks, white) != (None, None, None)
    check_fields(flats, white, any_given, source.integrals)
    given = None if source.angles is None else angles_of(source.angles)
    scan = read(
        file, angles=given, entry=source.entry, external=source.external, limit=source.limit
    )
    if source.integrals:
        return replace(scan, normalized=True)
    if any_given:
        scan = replace(scan, normalized=False)
        return with_fields(scan, flats, darks, white, source.external, source.limit)
    return scan


def refuse_among_images(file: Path, output: Path) -> None:
    """Refuse a place where the next call would take what is written for a part of the scan."""
    from stend_tomo.reading.stack import is_read

    inside = Path(os.path.realpath(output)).parents  # resolve() fails at a link to itself
    if Path(os.path.realpath(file)) in inside and is_read(file, output.name):
        raise BadOption(
            f"{printable(str(output))} would be read as part of {printable(str(file))} by the "
            f"next call; give a place outside {printable(str(file))}."
        )


def refuse_unheeded(given: Given, file: Path, *heeded: str) -> None:
    """Refuse the options that slices don't heed, rather than leave them out unseen.

    Args:
        given: what was typed.
        file: holds slices.
        heeded: the options that are for slices, too, besides --limit.

    Raises:
        BadOption: others were typed.
    """
    if others := [name for name in given if name not in ("--limit", *heeded)]:
        raise BadOption(
            f"{printable(file.name)} holds slices already: {', '.join(others)} is for projections."
        )


def angles_of(given: str) -> "Path | tuple[float, float, int]":
    """Give FIRST:LAST:COUNT in radians, or the file that it names instead."""
    from stend_tomo.reading.angles import file_of
    from stend_tomo.reading.limits import SMALL

    named, short = file_of(given)[0], printable(given)[:LONGEST]
    with suppress(OSError):  # no file has so long a name
        if named.exists() and not named.is_dir():
            return Path(given)
    try:
        first, last, count = given.split(":")
        ends = math.radians(float(first)), math.radians(float(last))
        number = int(count)
    except ValueError:
        raise BadOption(
            f'"{short}" is neither a file nor FIRST:LAST:COUNT in degrees, as --angles 0:180:721.'
        ) from None
    if not 1 <= number <= SMALL or not all(map(math.isfinite, ends)):
        raise BadOption(
            f'"{short}" has no angles: give finite numbers, and a COUNT from 1 to {SMALL:,}.'
        )
    return *ends, number


def with_pixel(scan: "Scan", pixel: float | None) -> "Scan":
    """Give the scan with the side of a pixel that was asked for, if any was."""
    if pixel is None:
        return scan
    if not 0 < pixel < math.inf:
        raise BadOption(f"--pixel {pixel:g} is not a pixel size; give mm, such as 0.005.")
    return replace(scan, pixel=pixel)


def require_angles(scan: "Scan") -> None:
    """Refuse a scan without angles."""
    if scan.angles is None:
        count = scan.projections.shape[0]
        raise BadOption(
            "The file has no angles; give them with --angles FIRST:LAST:COUNT, both ends "
            f"included (half a turn without its end: 0:{180 - 180 / count:.6g}:{count}), or a "
            "file of them."
        )


def require_reconstructible(scan: "Scan") -> None:
    """Refuse a scan without angles, or of intensities that nothing tells how to normalise."""
    require_angles(scan)
    if scan.flats is None and not scan.normalized:
        raise BadOption(
            "The file has no flat fields (images without the sample) to normalise intensities by; "
            "give --flats FILE, or --white 1 if projections are already divided by them, or "
            "--line-integrals if the logarithm is taken as well."
        )


def rows_of(given: str | None, rows: int) -> tuple[int, int]:
    """Give FIRST:END as (first, end), the end not included; either may be left out."""
    if given is None:
        return 0, rows
    found = re.fullmatch(r"(\d{0,9}):(\d{0,9})", given)
    if found is None:
        one = re.fullmatch(r"\d{1,9}", given)
        example = f"{given}:{int(given) + 1} for this row alone" if one else "as 100:200"
        raise BadOption(
            f'"{printable(given)[:LONGEST]}" is not a range of rows; give FIRST:END, {example}.'
        )
    first, end = int(found[1] or 0), int(found[2] or rows)
    if not first < end <= rows:
        why = (
            f"--rows {given} ends after the detector's last row"
            if first < rows < end
            else f"There are no rows {first} up to {end}"
        )
        raise BadOption(
            f"{why}: the detector has {rows}, counted from 0, so END is at most {rows}."
        )
    return first, end


def row_of(given: int, rows: int) -> int:
    """Give the row that was asked for, if the detector has it."""
    if not 0 <= given < rows:
        raise BadOption(f"There is no row {given}: the detector has {rows}, counted from 0.")
    return given


def range_of(given: str, what: str) -> tuple[float, float]:
    """Give LOW:HIGH as two finite numbers, the second one larger."""
    try:
        low, high = map(float, given.split(":"))
    except ValueError:
        low, high = math.nan, math.nan
    if not -math.inf < low < high < math.inf:
        raise BadOption(f'"{printable(given)}" is not a {what}; give LOW:HIGH, such as 0:0.5.')
    return low, high
