"""Where the axis of rotation of a whole scan is: found in some of its rows."""

import math
from typing import TYPE_CHECKING

from stend_tomo.errors import AxisNotFound, Keyword, printable
from stend_tomo.preparation import find_center, find_overlap

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.preparation import Center, Preparation, Tally

ROWS = 5
"""Rows that the axis is found in: the noise of several averages out, and few are read fast."""
LEAST_TURN = 0.94 * math.pi
"""Radians, some 169°. From less an axis can't be found: hardly a direction has its opposite."""


def found_axis(
    scan: "Scan",
    prepare: "Preparation | Tally",
    row: int,
    half_acquisition: bool = False,
    memory: str | None = None,
) -> "Center":
    """Find the axis in some rows around one: as many as fit under the cap on memory.

    Raises:
        AxisNotFound: the angles cover too little of a turn, or memory is too little.
    """
    angles = scan.angles
    assert angles is not None, "require_angles comes first"
    covered = float(angles.max() - angles.min())
    covered += covered / max(1, len(angles) - 1)  # to where the next projection would be
    if covered < LEAST_TURN:
        raise AxisNotFound(
            f"The angles cover {math.degrees(covered):.4g}°; it takes half a turn "
            "to find the axis of rotation. Give it with ",
            Keyword("center"),
            ".",
            parameter="angles",
        )
    rows = min(ROWS, scan.projections.shape[1])
    if memory is not None:
        rows = _rows_under(memory, scan, prepare, rows)
    first = max(0, min(row - rows // 2, scan.projections.shape[1] - rows))
    find = find_overlap if half_acquisition else find_center
    return find(prepare(scan, first, first + rows), angles)


def _rows_under(memory: str, scan: "Scan", prepare: "Preparation | Tally", rows: int) -> int:
    from stend_tomo.memory import bytes_of, least_cap, usable
    from stend_tomo.preparation.center import bytes_finding

    angles, _, columns = scan.projections.shape
    finding = bytes_finding(angles, columns)
    for fewer in range(rows, 0, -1):
        needed = max(prepare.bytes(scan, fewer), 4 * angles * columns * fewer + finding)
        if needed <= usable(bytes_of(memory)):
            return fewer
    raise AxisNotFound(
        f"To find the axis of rotation takes {least_cap(needed):,} bytes, and with ",
        Keyword("memory", printable(memory)),
        " there are fewer; give it with ",
        Keyword("center"),
        ", as `stend-tomo center` finds it, or more.",
    )
