"""`stend tomo center`: the axis of rotation, found or chosen from pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json
from stend.cli.tomo.axis import HALF_HINT, Half, found_axis
from stend.cli.tomo.opening import (
    File,
    Source,
    opened,
    range_of,
    require_reconstructible,
    row_of,
)
from stend.cli.tomo.pictures import require_png, window_of, write_montage
from stend.cli.tomo.preparing import Steps, preparation
from stend.errors import BadValue
from stend.printable import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend.tomo import Scan
    from stend.tomo.preparation import Center, Preparation

PICTURES, REACH = 9, 4.0
"""How many pictures of a slice, and how far on either side of the axis found, in pixels."""
LARGEST = 500
"""Pixels of a picture's side: the middle of a larger slice is shown, not a smaller picture of it,
for what a wrong axis does is a pixel or two wide."""


def verb(
    file: File,
    *,
    row: Annotated[
        int | None, typer.Option("--row", help="Look around this row; default: the middle one.")
    ] = None,
    montage: Annotated[
        Path | None,
        typer.Option("--montage", metavar="PNG", help="Show one slice about several axes."),
    ] = None,
    range: Annotated[
        str | None,
        typer.Option("--range", metavar="LOW:HIGH", help="The axes that --montage shows."),
    ] = None,
    half_acquisition: Half = False,
    source: Source,
    steps: Steps,
    json: Json = False,
) -> None:
    """Find the axis of rotation, and say whether to rely on it.

    It is a detector column, counted from 0 at the first one's middle. In the pictures of --montage
    the right one has no half moons around points, and no doubled edges.

    Examples: `stend tomo center scan.h5`,
    `stend tomo center scan.h5 --montage axes.png --range 640:660`.
    """
    shown = range_of(range, "range of axes") if range is not None else None
    if shown and montage is None:
        raise BadValue("--range is of the axes that --montage PNG shows; give both.")
    if montage is not None:
        require_png(montage)
    scan = opened(file, source)
    require_reconstructible(scan)
    number = row_of(row, scan.projections.shape[1])
    prepare = preparation(scan, steps)
    columns = scan.projections.shape[2]
    if shown and not 0 <= shown[0] < shown[1] <= columns - 1:
        raise BadValue(f"--range {range} leaves the detector, columns 0 to {columns - 1}.")
    axis = found_axis(scan, prepare, number, half_acquisition)
    _print(axis, columns, number, half_acquisition, json)
    if montage is not None:
        low, high = shown or _around(axis.position, columns)
        _draw(montage, scan, prepare, number, low, high, half_acquisition)
        if not json:
            print(
                f"{printable(str(montage))}: row {number} about axes from {low:.2f} to {high:.2f}"
            )


def _around(axis: float, columns: int) -> tuple[float, float]:
    """Axes on either side, between the outermost pairs of columns."""
    return max(0.5, axis - REACH), min(columns - 1.5, axis + REACH)


def _print(axis: "Center", columns: int, row: int, half_acquisition: bool, json: bool) -> None:
    if json:
        import msgspec

        found = {
            "row": row,
            "center": axis.position,
            "uncertainty": axis.uncertainty,
            "agreement": axis.agreement,
            "found": axis.found,
        }
        print(msgspec.json.encode(found).decode())
        return
    middle = (columns - 1) / 2
    print(f"axis at column {axis.position:.2f}, {axis.position - middle:+.2f} from the middle")
    print(f"uncertainty {axis.uncertainty:.2g} columns")
    print(f"opposite projections agree by {axis.agreement:.2f}, where 1 is equal")
    if axis.found:
        print("it can be relied on")
    else:
        print("it can NOT be relied on: choose it from the pictures of --montage PNG")
        if not half_acquisition:
            print(HALF_HINT)


def _draw(
    path: Path,
    scan: "Scan",
    prepare: "Preparation",
    row: int,
    low: float,
    high: float,
    half_acquisition: bool,
) -> None:
    """Write the slice about evenly spaced axes, each with its column written on it."""
    import numpy as np

    from stend.tomo.preparation import pictures, stitch
    from stend.tomo.reconstruction import reconstruct

    angles, columns = scan.angles, scan.projections.shape[2]
    assert angles is not None, "require_reconstructible has seen to it"
    centers = [float(center) for center in np.linspace(low, high, PICTURES)]
    size = min(columns, LARGEST)

    def slices_about(rows: "NDArray[np.float32]", center: float) -> "NDArray[np.float32]":
        if not half_acquisition:
            return reconstruct(rows, angles, center=center, size=size)
        wide = stitch(rows, angles, center)
        return reconstruct(wide.projections, wide.angles, center=wide.center, size=size)

    slices = pictures(prepare(scan, row, row + 1), angles, centers, slices=slices_about)
    window = window_of(slices[PICTURES // 2])
    write_montage(path, slices, [f"{center:.2f}" for center in centers], window, "1/pixel")
