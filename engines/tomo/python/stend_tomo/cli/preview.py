"""`stend-tomo preview`: one slice as a picture, at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from stend_tomo.cli import command
from stend_tomo.cli.arguments import Option
from stend_tomo.cli.center import HALF_HINT, CenterOption, Half, axis_of, rounded, said, told
from stend_tomo.cli.pictures import require_png, window_of, write_picture
from stend_tomo.cli.preparation import Phase, Steps, lit_row, mended_said, preparation
from stend_tomo.cli.progress import Json, SlicesShown, encodable, print_json
from stend_tomo.cli.reconstruct import (
    AlgorithmName,
    Cutoff,
    FilterName,
    Iterations,
    NonNegative,
    Pixel,
    Size,
)
from stend_tomo.cli.scan_options import (
    File,
    Source,
    opened,
    range_of,
    refuse_among_images,
    require_reconstructible,
    with_pixel,
)
from stend_tomo.errors import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo.reconstructor import Reconstructor


def verb(
    file: File,
    *,
    output: Annotated[
        Path | None,
        Option(
            "-o", "--output", metavar="PNG", help="Default: FILE-rowN.png in the current folder."
        ),
    ] = None,
    row: Annotated[
        int | None, Option("--row", help="Detector row; default: the middle one.")
    ] = None,
    center: CenterOption = "auto",
    half_acquisition: Half = False,
    pixel: Pixel = None,
    size: Size = None,
    algorithm: AlgorithmName = "dfr",
    filter: FilterName = "ram-lak",
    cutoff: Cutoff = 1.0,
    iterations: Iterations = None,
    non_negative: NonNegative = False,
    window: Annotated[
        str | None,
        Option("--window", metavar="LOW:HIGH", help="Values shown as black and white."),
    ] = None,
    source: Source,
    steps: Steps,
    phase: Phase = None,
    json: Json = False,
) -> None:
    """Reconstruct one slice, write it as a PNG, and print its figures.

    This takes less than a second; with sirt and cgls, seconds to minutes.

    Black and white are percentiles 0.5 and 99.8 inside the circle that all rays see, unless
    --window is given. An existing picture of that name is replaced.

    Examples: `preview scan.h5`, `preview scan.h5 --row 700 --stripes 21`.
    """
    from stend_tomo.preparation import HalfAcquisition, Tally
    from stend_tomo.reconstructor import Reconstructor

    if output is not None:
        require_png(output)
    asked = range_of(window, "window") if window is not None else None
    scan = opened(file, source)
    scan = with_pixel(scan, pixel)
    require_reconstructible(scan)
    number = lit_row(row, scan)
    to = output or Path(f"{file.absolute().stem}-row{number}.png")
    refuse_among_images(file, to)
    prepare = preparation(scan, steps, phase)
    axis = axis_of(center, scan, prepare, number, half_acquisition)
    about, counted = rounded(axis), Tally(prepare)
    if half_acquisition:
        wide = HalfAcquisition(scan, counted, about)
        scan, about, rows = wide.scan, wide.center, wide.rows(number, number + 1)
    else:
        rows = counted(scan, number, number + 1)
    assert scan.angles is not None
    made = Reconstructor(
        scan.projections.shape[2],
        scan.angles,
        algorithm=algorithm,
        filter=filter,
        cutoff=cutoff,
        iterations=iterations,
        non_negative=non_negative,
        center=about,
        size=size,
        pixel=scan.pixel,
    )
    values = _slices(made, rows)[0]
    shown, unit = asked or window_of(values), "1/mm" if scan.pixel else "1/pixel"
    write_picture(to, values, shown, unit)
    figures = _figures(values)
    if json:
        found = {
            "row": number,
            **told(axis),
            "picture": encodable(str(to)),
            "unit": unit,
            "window": shown,
        }
        print_json(found | figures | {"mended": counted.mended})
        return
    print(f"row {number}, axis at {said(axis)}")
    if not isinstance(axis, float) and not axis.found:
        montage = command("center FILE --montage")
        print(f"the axis was not found reliably; check it with `{montage}`")
        if not half_acquisition:
            print(HALF_HINT)
    print(
        f"mean {figures['mean']:.5g} {unit}, standard deviation {figures['deviation']:.4g}, "
        f"from {figures['lowest']:.4g} to {figures['highest']:.4g}"
    )
    picture = printable(str(to))
    print(f"{picture}: black {shown[0]:g}, white {shown[1]:g} {unit}{mended_said(counted.mended)}")


def _slices(made: "Reconstructor", rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Reconstruct, with a bar where it takes its time."""
    if not made.iterations:
        return made(rows)
    with SlicesShown("reconstructing", 1) as bar:
        return made(rows, progress=bar.iterated)


def _figures(values: "NDArray[np.float32]") -> dict[str, Any]:
    """Of what is inside the circle that all rays see."""
    from stend_tomo.phantoms.problems import seen

    inside = values[seen(len(values))].astype(float)
    return {
        "mean": float(inside.mean()),
        "deviation": float(inside.std()),
        "lowest": float(inside.min()),
        "highest": float(inside.max()),
    }
