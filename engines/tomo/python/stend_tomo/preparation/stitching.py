"""Scans of a whole turn with the axis near a side of the detector: a wider detector.

    axis = find_overlap(prepare(scan, 500, 505), scan.angles)
    wide = HalfAcquisition(scan, prepare, axis.position)
    reconstruct_scan(wide.scan, volume, prepare=wide, center=wide.center)

Rows are prepared and stitched when they are asked for.

Half a turn later, the mirrored image continues a projection on the axis's side; the two overlap
around the axis, which is where they are compared and blended.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.errors import CENTER, BadAngles, BadOption, BadProjections
from stend_tomo.preparation.center import (
    FEWEST,
    FINER,
    Agreement,
    Center,
    Spectra,
    between,
    by_chance,
    compared,
    differences,
    pairs,
    transforms,
    trimmed,
)
from stend_tomo.preparation.slabs import floats_of
from stend_tomo.scan import Prepare, Scan, bytes_preparing
from stend_tomo.validation import check_count, checked_angles, real

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


PIXEL = 60
"""Bytes a pixel of a row that stitching it takes (tracemalloc: 45)."""


class HalfAcquisition:
    """Prepares a scan's rows and stitches them: the `prepare` and the frames of the wide scan."""

    def __init__(self, scan: Scan, prepare: Prepare, center: float) -> None:
        """Plan it; nothing is read.

        Args:
            scan: of a whole turn.
            prepare: what makes line integrals of its rows.
            center: where the axis projects to on its detector, as `find_overlap` finds it.

        Raises:
            BadAngles: the scan has none, or is of less than a whole turn.
            BadProjections: it has too few projections.
            BadOption: the center is not on the detector.
        """
        if scan.angles is None:
            raise BadAngles("The scan has no angles; stitching needs those of a whole turn.")
        self._scan, self._prepare, self._center = scan, prepare, center
        projections, rows, columns = scan.projections.shape
        # Of a row with nothing in it, to have sides, angles and axis from where they are made.
        empty = np.zeros((projections, 1, columns), np.float32)
        joined = stitch(empty, scan.angles, center)
        self.center = joined.center
        """Where the axis projects to on the wide detector."""
        self.shape: tuple[int, int, int] = len(joined.angles), rows, joined.projections.shape[2]
        self.dtype: np.dtype[np.generic] = np.dtype(np.float32)
        self.scan = Scan(self, joined.angles, pixel=scan.pixel, normalized=True, about=scan.about)

    def rows(self, first: int, last: int) -> "NDArray[np.float32]":
        """Prepare and stitch rows first … last - 1."""
        assert self._scan.angles is not None
        prepared = self._prepare(self._scan, first, last)
        out = np.empty((self.shape[0], last - first, self.shape[2]), np.float32)
        for row in range(last - first):
            joined = stitch(prepared[:, row : row + 1], self._scan.angles, self._center)
            out[:, row] = joined.projections[:, 0]
        return out

    def frame(self, index: int) -> "NDArray[np.generic]":
        """One whole image: all rows are made for it."""
        image: NDArray[np.float32] = self.rows(0, self.shape[1])[index]
        return image

    def __call__(self, scan: Scan, first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals of rows of the wide scan."""
        return self.rows(first, last)

    def bytes(self, scan: Scan, rows: int) -> int:
        """Give what so many rows of the wide scan take at their height."""
        angles, _, columns = self._scan.projections.shape
        prepared = 4 * angles * columns * rows
        joined = 4 * self.shape[0] * self.shape[2] * rows
        preparing = bytes_preparing(self._prepare, self._scan, rows)
        return max(preparing, prepared + joined + PIXEL * angles * columns)


SMOOTH = 1.0
"""Pixels: there are many pairs against noise, and each pixel of a narrow overlap counts."""
NARROWEST = 16
"""Columns of an overlap below which agreement can be chance."""


@dataclass(frozen=True)
class Stitched:
    """Half a turn of a wider detector."""

    projections: "NDArray[np.float32]"
    """(angles, rows, wider)."""
    angles: "NDArray[np.float64]"
    """Radians."""
    center: float
    """Where the axis projects to on the wider detector, pixels."""


def find_overlap(projections: "ArrayLike", angles: "ArrayLike") -> Center:
    """Find the axis in a scan of a whole turn, wherever it is on the detector.

    Opposite projections are compared in their overlap alone, whose width is twice the distance from
    the axis to the nearer side of the detector. One row is enough, several are better.

    Args:
        projections: line integrals, (angles, rows, columns).
        angles: radians, one per projection; a whole turn.

    Raises:
        BadProjections: wrong shapes, values that are not numbers, or too few of them.
        BadAngles: not one per projection, in degrees, or of less than a whole turn.
    """
    given, turned, order = _whole_turn(projections, angles)
    columns = given.shape[2]
    if columns < 4 * NARROWEST:
        raise BadProjections(
            f"An overlap can't be found in {columns} columns; it takes {4 * NARROWEST} at least."
        )
    first, second = pairs(turned)
    compare = [_compared(given[order, row], first, second) for row in range(given.shape[1])]
    spectra, here, there = compare[0]
    for more in compare[1:]:
        spectra, here, there = spectra + more[0], here + more[1], there + more[2]
    begin = 0.5 + trimmed(SMOOTH)
    whole = spectra.agreement(len(here), begin)
    local, samples = _in_the_overlap(whole, here, there, begin)
    margin = NARROWEST / 2
    position, score = local.best(margin, columns - 1 - margin)
    count = len(first) * given.shape[1] * float(np.interp(position, local.axes, samples))
    uncertainty = _uncertainty(local, position, score, count)
    return Center(position, score, uncertainty, by_chance(count, SMOOTH))


def _compared(
    sinogram: "NDArray[np.float32]", first: "NDArray[np.int64]", second: "NDArray[np.float64]"
) -> tuple[Spectra, "NDArray[np.float64]", "NDArray[np.float64]"]:
    """Compare one row's opposite projections; and give the energy of either side by column."""
    steps = differences(sinogram[:, None], SMOOTH)
    here, there = between(steps, second), steps[first]
    spectra = compared(transforms(here), -np.conj(transforms(there)))
    return spectra, _column_energy(here), _column_energy(there)


def stitch(projections: "ArrayLike", angles: "ArrayLike", center: float | None = None) -> Stitched:
    """Join opposite projections of a whole turn to half a turn of a detector nearly twice as wide.

    In the overlap they fade into each other linearly. The mirrored half is moved to whole pixels by
    linear interpolation. A slab of rows is enough.

    Args:
        projections: line integrals, (angles, rows, columns).
        angles: radians, one per projection; a whole turn.
        center: where the axis projects to; found by `find_overlap` unless given.

    Raises:
        BadProjections, BadAngles: as `find_overlap`.
        BadOption: the axis was not found, or is not on the detector.
    """
    given, turned, order = _whole_turn(projections, angles)
    columns = given.shape[2]
    axis = _checked_axis(center, given, angles, columns)
    left = axis < (columns - 1) / 2
    if left:  # mirrored, so that below the axis is nearer to the last column
        given, axis = given[:, :, ::-1], columns - 1 - axis
    ordered = given[order]
    first, second = pairs(turned)
    joined = _joined(ordered[first], between(ordered, second), axis)
    wide = joined.shape[2]
    if left:
        joined, axis = np.ascontiguousarray(joined[:, :, ::-1]), wide - 1 - axis
    half = turned[first] < np.pi * (1 - 1e-6)
    start = float(np.asarray(checked_angles(angles))[order[0]])
    return Stitched(joined[half], turned[first][half] + start, axis)


def _joined(
    near: "NDArray[np.float32]", opposite: "NDArray[np.float32]", axis: float
) -> "NDArray[np.float32]":
    """Join images whose axis is nearer to the last column with the opposite ones, mirrored."""
    columns = near.shape[2]
    wide = int(np.floor(2 * axis)) + 1
    place = 2 * axis - np.arange(wide)  # where the opposite image has it
    inside = (place >= 0) & (place <= columns - 1)
    below = np.clip(np.floor(place).astype(int), 0, columns - 2)
    share = np.clip(place - below, 0, 1).astype(np.float32)
    mirrored = (1 - share) * opposite[:, :, below] + share * opposite[:, :, below + 1]
    overlap = columns - 1 - np.ceil(2 * axis - (columns - 1)) + 1
    fade = np.clip((columns - np.arange(wide)) / (overlap + 1), 0, 1)
    fade = np.where(inside, fade, 1).astype(np.float32)
    joined = mirrored * (1 - fade)
    joined[:, :, :columns] += near * fade[:columns]
    return np.asarray(joined, np.float32)


def _whole_turn(
    projections: "ArrayLike", angles: "ArrayLike"
) -> tuple["NDArray[np.float32]", "NDArray[np.float64]", "NDArray[np.int64]"]:
    """Give the projections, their angles in order from 0, and that order."""
    given, radians = floats_of(projections), checked_angles(angles)
    check_count(len(radians), given.shape[0])
    if given.shape[0] < 2 * FEWEST or given.shape[2] < 2:
        raise BadProjections(
            f"A whole turn of {given.shape[0]} projections of {given.shape[2]} columns is too "
            f"little to stitch; it needs {2 * FEWEST} of 2 at least."
        )
    order = np.argsort(radians, kind="stable")
    turned = radians[order] - radians[order[0]]
    missing = 2 * np.pi - turned[-1]
    if missing > 2.5 * 2 * np.pi / len(turned):
        raise BadAngles(
            f"The scan turns by {np.degrees(turned[-1]):.1f}°; stitching takes a whole turn."
        )
    return given, turned, order


def _checked_axis(
    center: float | None, given: "NDArray[np.float32]", angles: "ArrayLike", columns: int
) -> float:
    if center is None:
        found = find_overlap(given, angles)
        if not found.found:
            raise BadOption(
                f"The overlap was not found (agreement {found.agreement:.2f} at "
                f"{found.position:.1f}); give the center, after looking at pictures of several.",
                parameter="center",
            )
        return found.position
    axis = real(center, CENTER)
    if not 0.5 <= axis <= columns - 1.5:
        raise BadOption(
            f"The center {axis:g} is not between the {columns} columns of the detector.",
            parameter="center",
        )
    return axis


def _column_energy(steps: "NDArray[np.float32]") -> "NDArray[np.float64]":
    """Squares by column, summed over images and rows."""
    return np.asarray((steps.astype(np.float64) ** 2).sum(axis=(0, 1)))


def _in_the_overlap(
    whole: Agreement, here: "NDArray[np.float64]", there: "NDArray[np.float64]", begin: float
) -> tuple[Agreement, "NDArray[np.float64]"]:
    """Relate the correlation to the energy that is in the overlap, for each axis; and its width."""
    steps = len(here)
    total = here.sum() + there.sum()
    both = 2 * (whole.axes - begin)
    first, last = np.maximum(both - (steps - 1), 0), np.minimum(both, steps - 1)
    edges = np.arange(steps + 1) - 0.5
    energy = np.zeros_like(both)
    for column in (here, there):
        below = np.concatenate([[0], np.cumsum(column)])
        energy += np.interp(last + 0.5, edges, below) - np.interp(first - 0.5, edges, below)
    # An overlap that is as good as empty has nothing to agree about.
    enough = energy > 1e-3 * total
    score = np.divide(whole.score * total, energy, out=np.zeros_like(both), where=enough)
    return Agreement(whole.axes, score, whole.cross), last - first + 1


def _uncertainty(local: Agreement, position: float, score: float, samples: float) -> float:
    """Give the standard deviation of the axis, in pixels, from what is left at the best.

    Least squares: what is left, a sample, over the bend of the sum of squares. Samples under a
    Gaussian are as good as one in 2√π SMOOTH.
    """
    top = int(np.clip(np.searchsorted(local.axes, position), FINER, len(local.axes) - FINER - 1))
    step = local.axes[1] - local.axes[0]
    sides = local.score[top - FINER] + local.score[top + FINER]
    bend = (2 * local.score[top] - sides) / (FINER * step) ** 2
    if bend <= 0:
        return float("inf")
    return float(np.sqrt(2 * 2 * np.sqrt(np.pi) * SMOOTH * max(1 - score, 0) / (samples * bend)))
