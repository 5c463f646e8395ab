"""`stend-tomo reconstruct`: a scan → slices in files, under a cap on memory."""

import math
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.cli.axis import CenterOption, Half, axis_of, relied_on, said, told
from stend_tomo.cli.figures import Json, print_json
from stend_tomo.cli.format import FormatName
from stend_tomo.cli.illuminated_rows import lit_middle
from stend_tomo.cli.method import (
    AlgorithmName,
    Cutoff,
    FilterName,
    Iterations,
    NonNegative,
    Pixel,
    Size,
    decisive,
)
from stend_tomo.cli.opening import (
    File,
    Source,
    opened,
    require_reconstructible,
    rows_of,
    with_pixel,
)
from stend_tomo.cli.output import (
    Output,
    Resources,
    check_options,
    check_place,
    make_slices,
    unpacked_in,
)
from stend_tomo.cli.preparing import OfWhole, Phase, Steps, mended_said, preparation
from stend_tomo.cli.provenance import how_made, origin_of
from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.reconstructor import Options

WIDEST_TAPER = 360.0
"""Degrees: what fades over more than a turn is no end."""


def verb(
    file: File,
    *,
    to: Output,
    algorithm: AlgorithmName = "dfr",
    filter: FilterName = "ram-lak",
    cutoff: Cutoff = 1.0,
    iterations: Iterations = None,
    non_negative: NonNegative = False,
    center: CenterOption = "auto",
    half_acquisition: Half = False,
    pixel: Pixel = None,
    size: Size = None,
    taper: Annotated[
        float,
        Option("--taper", help="Degrees over which the ends of more than half a turn fade."),
    ] = 0.0,
    rows: Annotated[
        str | None,
        Option("--rows", metavar="FIRST:END", help="Only these detector rows, END not."),
    ] = None,
    source: Source,
    steps: Steps,
    phase: Phase = None,
    resources: Resources,
    json: Json = False,
) -> None:
    """Reconstruct a scan into slices, a slab of rows at a time, however large it is.

    Intensities are normalised by flat and dark fields and their logarithm is taken; zingers and
    stripes are removed only when asked for. What is cut short stays in OUTPUT.unfinished, and the
    same command goes on with it. How slices were made stands in their files.

    Examples: `reconstruct scan.h5 -o slices`,
    `reconstruct scan.h5 -o slices.h5`,
    `reconstruct scan.h5 -o series --format dicom --stripes 21 --memory 8GB`.
    """
    from stend_tomo.chosen_rows import chosen_rows
    from stend_tomo.preparation import HalfAcquisition, Tally
    from stend_tomo.prepare import Prepare
    from stend_tomo.reconstructor import Reconstructor
    from stend_tomo.scan_reconstruction import ScanReconstruction

    check_options(to, resources)
    scan = opened(file, source)
    require_reconstructible(scan)
    fading = _radians(taper, scan)
    check_place(file, to)
    first, end = rows_of(rows, scan.projections.shape[1])
    scan = with_pixel(scan, pixel)
    _require_pixel(scan, to.form)
    middle = lit_middle(scan, first, end)
    origin = origin_of(file, source, scan)
    prepare = preparation(scan, steps, phase, resources.threads)
    method: Options = {
        "algorithm": algorithm,
        "filter": filter,
        "cutoff": cutoff,
        "iterations": iterations,
        "non_negative": non_negative,
    }
    if resources.scratch:
        Reconstructor(8, (0, 1), **method)  # a small one refuses the same before minutes of work
        scan = unpacked_in(resources.scratch, scan)
    axis = axis_of(center, scan, prepare, middle, half_acquisition, resources.memory)
    about, whole = relied_on(axis, half_acquisition), scan
    counted = Tally(prepare)
    slab: Prepare = counted
    if half_acquisition:
        slab = wide = HalfAcquisition(scan, counted, about)
        about, whole = wide.center, wide.scan
    part = chosen_rows(whole, first, end)
    options: Options = {
        **method,
        "center": about,
        "size": size,
        "taper": fading,
        "pixel": scan.pixel,
        "threads": resources.threads,
    }
    made = make_slices(
        ScanReconstruction(
            part, prepare=OfWhole(whole, first, slab), memory=resources.memory, **options
        ),
        to,
        pixel=scan.pixel,
        about=how_made(
            file, source, scan, {"rows": f"{first}:{end}", **decisive(options)}, prepare, phase
        )
        | ({"half acquisition": "stitched"} if half_acquisition else {}),
        origin=origin,
        first=first,
    )
    if json:
        print_json(made.figures(told(axis), counted.mended))
        return
    print(f"{made}\naxis of rotation: {said(axis)}\n{made.shown}{mended_said(counted.mended)}")


def _radians(taper: float, scan: "Scan") -> float:
    """Give a taper of degrees, refused where it can't be or would do nothing."""
    from stend_tomo.validation import checked_taper

    if not 0 <= taper <= WIDEST_TAPER:
        raise BadOption(f"--taper {taper:g} can't be; give degrees, from 0 to {WIDEST_TAPER:.0f}.")
    assert scan.angles is not None, "require_reconstructible comes first"
    return checked_taper(math.radians(taper), scan.angles)


def _require_pixel(scan: "Scan", format: FormatName) -> None:
    if format == FormatName.DICOM and scan.pixel is None:
        raise BadOption(
            "DICOM needs the side of a pixel, which the file does not tell; give --pixel MM."
        )
