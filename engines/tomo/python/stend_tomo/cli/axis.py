"""Where the axis of rotation is: a number that was given, or found in some rows of the scan."""

import math
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.cli.program import command
from stend_tomo.errors import BadOption
from stend_tomo.text import printable

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.preparation import Center, Preparation, Tally

CenterOption = Annotated[
    str,
    Option(
        "--center",
        metavar="COLUMN|auto",
        help="The detector column of the axis of rotation, from 0 at the first one's middle.",
    ),
]
Half = Annotated[
    bool,
    Option(
        "--half-acquisition",
        help="A whole turn with the axis near a side of the detector: opposite projections are "
        "joined to half a turn of nearly twice the width.",
    ),
]
HALF_HINT = (
    "of a whole turn with the axis near a side of the detector, --half-acquisition may find it"
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
        from stend_tomo.axis import found_axis

        return found_axis(scan, prepare, row, half_acquisition, memory)
    try:
        column = float(given)
    except ValueError:
        column = math.nan
    if not math.isfinite(column):
        raise BadOption(
            f"--center {printable(given)} is no column of the detector; give auto or a number, 0 "
            "to its last column, or less or more for an axis beside it."
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
            f"The axis of rotation was not found for sure: {said(axis)}. Choose it from pictures, "
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
