"""Scans of a whole turn with the axis near a side of the detector: a detector nearly twice as wide.

Half a turn later, the mirrored image continues a projection on the axis's side; the two overlap
around the axis, which is where they are compared and blended.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import fft

from stend.tomo.errors import BadAngles, BadOption, BadProjections
from stend.tomo.given import check_count, checked_angles, real
from stend.tomo.preparation.center import FEWEST, Center, between, pairs
from stend.tomo.preparation.mirror import SMOOTH, Agreement, agreement_of, differences, padded
from stend.tomo.preparation.slabs import floats_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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
        angles: radians, one a projection; a whole turn.

    Raises:
        BadProjections: wrong shapes, values that are no numbers, or too few of them.
        BadAngles: not one a projection, in degrees, or of less than a whole turn.
    """
    given, turned, order = _whole_turn(projections, angles)
    columns = given.shape[2]
    if columns < 4 * NARROWEST:
        raise BadProjections(
            f"An overlap can't be found in {columns} columns; it takes {4 * NARROWEST} at least."
        )
    ordered = given[order]
    first, second = pairs(turned)
    rows = differences(ordered)
    whole = agreement_of(between(rows, second), -np.conj(rows[first]), columns)
    here = _column_energy(between(rows, second), columns)
    there = _column_energy(rows[first], columns)
    local = _in_the_overlap(whole, here, there)
    margin = NARROWEST / 2
    position, score = local.best(margin, columns - 1 - margin)
    return Center(position, score, local.uncertainty(position, padded(columns)))


def stitch(projections: "ArrayLike", angles: "ArrayLike", center: float | None = None) -> Stitched:
    """Join opposite projections of a whole turn to projections of half a turn, twice as wide or less.

    In the overlap they fade into each other linearly. The mirrored half is moved to whole pixels by
    linear interpolation. A slab of rows is enough.

    Args:
        projections: line integrals, (angles, rows, columns).
        angles: radians, one a projection; a whole turn.
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
    joined = _joined(ordered[first], between_images(ordered, second), axis)
    wide = joined.shape[2]
    if left:
        joined, axis = np.ascontiguousarray(joined[:, :, ::-1]), wide - 1 - axis
    half = turned[first] < np.pi * (1 - 1e-6)
    start = float(np.asarray(checked_angles(angles))[order[0]])
    return Stitched(joined[half], turned[first][half] + start, axis)


def between_images(
    images: "NDArray[np.float32]", places: "NDArray[np.float64]"
) -> "NDArray[np.float32]":
    """Give images at places between them, linearly."""
    return np.asarray(between(images, places), np.float32)  # type: ignore[arg-type]


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
            f"A whole turn of {given.shape[0]} projections of {given.shape[2]} columns is too little "
            f"to stitch; it takes {2 * FEWEST} of 2 at least."
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
                f"The overlap was not found (agreement {found.agreement:.2f} at {found.position:.1f}); "
                "give the center, after looking at pictures of several."
            )
        return found.position
    axis = real(center, "The center")
    if not 0.5 <= axis <= columns - 1.5:
        raise BadOption(
            f"The center {axis:g} is not between the {columns} columns of the detector."
        )
    return axis


def _column_energy(rows: "NDArray[np.complex64]", columns: int) -> "NDArray[np.float64]":
    """Squares of the smoothed differences by column, summed over images and rows."""
    steps = fft.irfft(rows, padded(columns), axis=2)[:, :, : columns - 1]
    return np.asarray((steps.astype(np.float64) ** 2).sum(axis=(0, 1)))


def _in_the_overlap(
    whole: Agreement, here: "NDArray[np.float64]", there: "NDArray[np.float64]"
) -> Agreement:
    """Relate the correlation to the energy that is in the overlap, for each axis."""
    columns = len(here) + 1
    total = here.sum() + there.sum()
    below = [np.concatenate([[0], np.cumsum(energy)]) for energy in (here, there)]
    first = np.maximum(2 * whole.axes - (columns - 1), 0)
    last = np.minimum(2 * whole.axes, columns - 1)
    edges = np.arange(columns)
    energy = sum(np.interp(last, edges, sums) - np.interp(first, edges, sums) for sums in below)
    # An overlap narrower than the smoothing, or as good as empty, has nothing to agree about.
    enough = (last - first > 4 * SMOOTH) & (energy > 1e-3 * total)
    score = np.divide(whole.score * total, energy, out=np.zeros_like(whole.score), where=enough)
    return Agreement(whole.axes, score, whole.cross)
