"""`stend-tomo reconstruct`: a scan → slices, and the options of methods."""

import math
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.cli.center import CenterOption, Half, axis_of, relied_on, said, told
from stend_tomo.cli.output import (
    FormatName,
    Output,
    Resources,
    check_options,
    check_place,
    how_made,
    make_slices,
    origin_of,
    unpacked_in,
)
from stend_tomo.cli.preparation import OfWhole, Phase, Steps, lit_middle, mended_said, preparation
from stend_tomo.cli.progress import Json, print_json
from stend_tomo.cli.scan_options import (
    File,
    Source,
    opened,
    require_reconstructible,
    rows_of,
    with_pixel,
)
from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.reconstructor import Options


DIRECT = (
    "dfr (default: fast, and the sharpest with many views and little noise), dfr_half (faster), "
    "fbp (smaller errors with noisy, few or unevenly spread views), fbp_int16, hfbp, hfbp_fine"
)
DirectName = Annotated[str, Option("--algorithm", help=f"{DIRECT}.")]
AlgorithmName = Annotated[str, Option("--algorithm", help=f"{DIRECT}; sirt and cgls iterate.")]
Iterations = Annotated[
    int | None,
    Option("--iterations", help="Number of iterations; default: 100 for sirt, 20 for cgls."),
]
NonNegative = Annotated[
    bool, Option("--non-negative", help="Keep all pixels non-negative in sirt or cgls.")
]
FilterName = Annotated[
    str,
    Option(
        "--filter",
        help="ram-lak (the sharpest), shepp-logan, sinc2, cosine, hamming, hann (the smoothest).",
    ),
]
Cutoff = Annotated[float, Option("--cutoff", help="Share of the filter's band that is kept.")]
Pixel = Annotated[
    float | None,
    Option(
        "--pixel",
        metavar="MM",
        help="Size of a detector pixel at the sample; default: the file's.",
    ),
]
Size = Annotated[
    int | None,
    Option(
        "--size",
        help="Side of a slice; default: the number of columns, for a half acquisition "
        "those of both sides.",
    ),
]


def decisive(options: "Options") -> dict[str, object]:
    """Give what of a method the slices depend on, by names for people; None: it has no say."""
    from stend_tomo.iterations import ITERATIONS

    algorithm = options["algorithm"]
    if algorithm not in ITERATIONS:
        return {
            key: options.get(key) for key in ("algorithm", "filter", "cutoff", "center", "taper")
        }
    return {
        "algorithm": algorithm,
        "iterations": options["iterations"] or ITERATIONS[algorithm],
        "non-negative": "yes" if options["non_negative"] else None,
        "center": options["center"],
    }


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
        Option(
            "--taper", help="Degrees over which the ends of a scan of more than half a turn fade."
        ),
    ] = 0.0,
    rows: Annotated[
        str | None,
        Option("--rows", metavar="FIRST:END", help="Only these detector rows, without END."),
    ] = None,
    source: Source,
    steps: Steps,
    phase: Phase = None,
    resources: Resources,
    json: Json = False,
) -> None:
    """Reconstruct a scan into slices, a slab of rows at a time, however large it is.

    Intensities are normalised by flat and dark fields and their logarithm is taken; zingers and
    stripes are removed only if asked for. If interrupted, finished slices stay in
    OUTPUT.unfinished, and the same command continues. The files of slices record how they were
    made.

    Examples: `reconstruct scan.h5 -o slices`,
    `reconstruct scan.h5 -o slices.h5`,
    `reconstruct scan.h5 -o series --format dicom --stripes 21 --memory 8GB`.
    """
    from stend_tomo.preparation import HalfAcquisition, Tally
    from stend_tomo.reconstructor import Reconstructor
    from stend_tomo.scan import Prepare, chosen_rows
    from stend_tomo.scan_reconstruction import ScanReconstruction

    check_options(to, resources)
    scan = opened(file, source)
    require_reconstructible(scan)
    fading = _radians(taper, scan)
    check_place(file, to)
    first, end = rows_of(rows, scan.projections.shape[1])
    scan = with_pixel(scan, pixel)
    if to.form == FormatName.DICOM and scan.pixel is None:
        raise BadOption("DICOM needs the pixel size, and the file has none; give --pixel MM.")
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
        raise BadOption(
            f"--taper {taper:g} is out of range; give degrees from 0 to {WIDEST_TAPER:.0f}."
        )
    assert scan.angles is not None, "require_reconstructible comes first"
    return checked_taper(math.radians(taper), scan.angles)
