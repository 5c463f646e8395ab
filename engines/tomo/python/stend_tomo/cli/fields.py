"""Flat and dark fields that are given on the command line, in place of those of the scan's file."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.errors import BadOption
from stend_tomo.text import printable

if TYPE_CHECKING:
    from stend_tomo import Frames, Scan

Flats = Annotated[
    Path | None,
    Option(
        "--flats", metavar="FILE", help="Flat fields, images without the sample, or their folder."
    ),
]
Darks = Annotated[
    Path | None,
    Option(
        "--darks", metavar="FILE", help="Dark fields, images without the beam, or their folder."
    ),
]
White = Annotated[
    float | None,
    Option(
        "--white",
        metavar="VALUE",
        help="What a projection's pixel has without the sample, where flat fields were divided by "
        "already: 1 of transmission.",
    ),
]


def check_fields(flats: Path | None, white: float | None, any_given: bool, integrals: bool) -> None:
    """Refuse options that contradict each other, before anything is read."""
    if any_given and integrals:
        raise BadOption(
            "--flats, --darks and --white normalise intensities, and --line-integrals says that "
            "the projections are none; leave it or them out."
        )
    if flats is not None and white is not None:
        raise BadOption("--flats and --white both say what is there without the sample; give one.")
    if white is not None and not 0 < white < math.inf:
        raise BadOption(f"--white {white:g} is no intensity; give what is above 0, as 1.")


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
                f"{frames.shape[2]} columns, the projections {rows} and {columns}; give those "
                "that were taken with them."
            )
        return frames

    if white is not None:
        even = np.broadcast_to(np.float32(white), (1, rows, columns))
        scan = replace(scan, flats=Chosen.all(Held(even)), darks=None)
    if flats is not None:
        scan = replace(scan, flats=read(flats))
    return scan if darks is None else replace(scan, darks=read(darks))
