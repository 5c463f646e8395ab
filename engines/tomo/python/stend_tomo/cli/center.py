"""`stend-tomo center`: where the axis of rotation is, as given or found in some of the rows."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli import command, command_words, note
from stend_tomo.cli.arguments import Option
from stend_tomo.cli.pictures import require_png, window_of, write_montage
from stend_tomo.cli.preparation import Steps, lit_row, mended_said, preparation
from stend_tomo.cli.progress import Json, print_json
from stend_tomo.cli.scan_options import (
    File,
    Source,
    opened,
    range_of,
    refuse_among_images,
    require_reconstructible,
)
from stend_tomo.errors import BadOption, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo import Scan
    from stend_tomo.preparation import Center, Mended, Preparation, Tally


CenterOption = Annotated[
    str,
    Option(
        "--center",
        metavar="COLUMN|auto",
        help="Detector column of the axis of rotation, counted from 0 at the middle of the first "
        "one.",
    ),
]
Half = Annotated[
    bool,
    Option(
        "--half-acquisition",
        help="The scan is a whole turn with the axis near a side of the detector: opposite "
        "projections are joined to half a turn of nearly twice the width.",
    ),
]
HALF_HINT = (
    "if the scan is a whole turn with the axis near a side of the detector, try --half-acquisition"
)
"""Where no axis was found for sure."""


def axis_of(
    given: str,
    scan: "Scan",
    prepare: "Preparation | Tally",
    row: int,
    half_acquisition: bool = False,
    memory: str | None = None,
) -> "float | Center":
    """Give the column that was named, or for `auto` what is found."""
    if given == "auto":
        from stend_tomo.preparation.axis import found_axis

        return found_axis(scan, prepare, row, half_acquisition, memory)
    try:
        column = float(given)
    except ValueError:
        column = math.nan
    if not math.isfinite(column):
        raise BadOption(
            f"--center {printable(given)} is not a detector column; give auto or a number: 0 to "
            "the last column, or outside of that for an axis off the detector."
        )
    return column


def relied_on(axis: "float | Center", half_acquisition: bool = False) -> float:
    """Give the column of an axis that was named or found for sure.

    Raises:
        BadOption: it was looked for, and what was found is not to be relied on.
    """
    if isinstance(axis, float):
        return axis
    if not axis.found:
        half = " --half-acquisition" if half_acquisition else ""
        raise BadOption(
            f"The axis of rotation was not found reliably: {said(axis)}. Choose it from pictures, "
            f"`{command('center')} FILE{half} --montage axes.png`, and give --center COLUMN"
            f"{'' if half_acquisition else '; ' + HALF_HINT}."
        )
    return rounded(axis)


def rounded(axis: "float | Center") -> float:
    """Give the column: of what was found, as many digits as mean something."""
    return axis if isinstance(axis, float) else round(axis.position, 3)


def said(axis: "float | Center") -> str:
    """`column 295.81 ± 0.02, agreement 0.97`, or the column that was given."""
    if isinstance(axis, float):
        return f"column {axis:g}, as given"
    return (
        f"column {axis.position:.2f} ± {axis.uncertainty:.2g}, agreement of opposite "
        f"projections {axis.agreement:.2f}"
    )


def told(axis: "float | Center") -> dict[str, float | None]:
    """Give the same figures for programs; an axis that was given has its column only."""
    if isinstance(axis, float):
        return {"center": axis, "uncertainty": None, "agreement": None, "found": None}
    return {
        "center": rounded(axis),
        "uncertainty": axis.uncertainty,
        "agreement": axis.agreement,
        "found": axis.found,
    }


PICTURES, REACH = 9, 4.0
"""How many pictures of a slice, and how far on either side of the axis found, in pixels."""
NOT_FOUND = {"center": None, "uncertainty": None, "agreement": None, "found": False}
"""Told to programs."""
LARGEST = 500
"""Pixels of a picture's side: the middle of a larger slice is shown, not a smaller picture of it,
for what a wrong axis does is a pixel or two wide."""


def verb(
    file: File,
    *,
    row: Annotated[
        int | None, Option("--row", help="Search around this row; default: the middle one.")
    ] = None,
    montage: Annotated[
        Path | None,
        Option("--montage", metavar="PNG", help="Write a picture of one slice with several axes."),
    ] = None,
    range: Annotated[
        str | None,
        Option("--range", metavar="LOW:HIGH", help="Range of axes that --montage shows."),
    ] = None,
    half_acquisition: Half = False,
    source: Source,
    steps: Steps,
    json: Json = False,
) -> None:
    """Find the axis of rotation, and report whether it is reliable.

    The axis is a detector column, counted from 0 at the middle of the first one. In the pictures of
    --montage the right axis has no half moons around points and no doubled edges; the one found is
    framed. Of slices larger than 500 pixels the middle is shown at full resolution.

    Examples: `center scan.h5`,
    `center scan.h5 --montage axes.png --range 640:660`.
    """
    from stend_tomo.errors import AxisNotFound, BadProjections
    from stend_tomo.preparation import Tally
    from stend_tomo.preparation.axis import found_axis

    shown = range_of(range, "range of axes") if range is not None else None
    if shown and montage is None:
        raise BadOption("--range selects the axes that --montage PNG shows; give both.")
    if montage is not None:
        require_png(montage)
    scan = opened(file, source)
    if montage is not None:
        refuse_among_images(file, montage)
    require_reconstructible(scan)
    number = lit_row(row, scan)
    prepare = preparation(scan, steps)
    columns = scan.projections.shape[2]
    if shown and not 0 <= shown[0] < shown[1] <= columns - 1:
        raise BadOption(f"--range {range} leaves the detector, columns 0 to {columns - 1}.")
    counted, axes, found = Tally(prepare), shown, None
    try:
        axis = found_axis(scan, counted, number, half_acquisition)
    except (AxisNotFound, BadProjections) as error:
        if shown is None:
            raise
        note(f"the axis was not found: {error.sentence(command_words())}")
        if json:
            print_json({"row": number, **NOT_FOUND, "mended": counted.mended})
    else:
        _print(axis, columns, number, half_acquisition, counted.mended, json)
        axes, found = (
            shown or (max(0.5, axis.position - REACH), min(columns - 1.5, axis.position + REACH)),
            axis.position if axis.found else None,
        )
    if montage is not None and axes is not None:
        _draw(montage, scan, prepare, number, axes, found, half_acquisition)
        if not json:
            picture = printable(str(montage))
            print(f"{picture}: row {number} about axes from {axes[0]:.2f} to {axes[1]:.2f}")


def _print(
    axis: "Center", columns: int, row: int, half_acquisition: bool, mended: "Mended", json: bool
) -> None:
    if json:
        print_json({"row": row, **told(axis), "mended": mended})
        return
    middle = (columns - 1) / 2
    print(f"axis at column {axis.position:.2f}, {axis.position - middle:+.2f} from the middle")
    print(f"uncertainty {axis.uncertainty:.2g} columns")
    print(
        f"agreement of opposite projections {axis.agreement:.2f} (1: "
        f"identical){mended_said(mended)}"
    )
    if axis.found:
        print("the axis is reliable")
    else:
        print("the axis is NOT reliable: choose it from the pictures of --montage PNG")
        if not half_acquisition:
            print(HALF_HINT)


def _draw(
    path: Path,
    scan: "Scan",
    prepare: "Preparation",
    row: int,
    axes: tuple[float, float],
    found: float | None,
    half_acquisition: bool,
) -> None:
    """Write the slice about evenly spaced axes, each with its column; the one found is framed."""
    import numpy as np

    from stend_tomo.preparation import pictures, stitch
    from stend_tomo.reconstruction import reconstruct

    angles, columns = scan.angles, scan.projections.shape[2]
    assert angles is not None, "require_reconstructible has seen to it"
    centers = [float(center) for center in np.linspace(*axes, PICTURES)]
    size = min(columns, LARGEST)

    def slices_about(rows: "NDArray[np.float32]", center: float) -> "NDArray[np.float32]":
        if not half_acquisition:
            return reconstruct(rows, angles, center=center, size=size)
        wide = stitch(rows, angles, center)
        return reconstruct(wide.projections, wide.angles, center=wide.center, size=size)

    slices = pictures(prepare(scan, row, row + 1), angles, centers, slices=slices_about)
    window = window_of(slices[PICTURES // 2])
    names = [f"{center:.2f}" for center in centers]
    write_montage(path, slices, names, window, "1/pixel", framed=_nearest(centers, found))


def _nearest(centers: list[float], found: float | None) -> int | None:
    """Which of evenly spaced axes is the one found, if it is not beyond them."""
    if found is None:
        return None
    apart = [abs(center - found) for center in centers]
    return apart.index(min(apart)) if min(apart) <= (centers[1] - centers[0]) / 2 else None
