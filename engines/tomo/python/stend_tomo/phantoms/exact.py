"""Phantoms as ellipsoids: their line integrals and pictures, exact but for rounding.

A phantom lies in [-1, 1], half the field of view being 1; x to the right, y upwards, z along the
axis of rotation, upwards. Its attenuation at a point is the sum of the values of the ellipsoids
that the point is in.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from stend_tomo import native
from stend_tomo.errors import BadOption
from stend_tomo.validation import checked_angles, checked_threads

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """What is inside it has this value more."""

    value: float
    a: float
    """Semi-axes, before it is turned along x, y and z."""
    b: float
    c: float
    """May be infinite, an upright cylinder: for phantoms of two dimensions."""
    x: float = 0
    """The middle."""
    y: float = 0
    z: float = 0
    phi: float = 0
    """Radians, counter-clockwise about z; then theta about the new x, psi about the new z."""
    theta: float = 0
    psi: float = 0


Phantom = Sequence[Ellipsoid]


def phantoms() -> list[str]:
    """Names that `phantom` knows."""
    return native.phantoms()


def phantom(name: str) -> tuple[Ellipsoid, ...]:
    """Give the ellipsoids of a phantom.

    - ``shepp-logan``: the head in two dimensions; the skull 2, the brain 1.02 (Shepp and Logan,
      IEEE Transactions on Nuclear Science 21, 1974, table I; Kak and Slaney, Principles of
      Computerized Tomographic Imaging, 1988, table 3.1).
    - ``modified-shepp-logan``: the same ellipses in the contrast of Toft (The Radon Transform,
      1996, pages 199-200); the skull 1, the brain 0.2.
    - ``shepp-logan-3d``: the head in three dimensions (Kak and Slaney 1988, table 3.2).
    - ``modified-shepp-logan-3d``: the same ellipses as in two dimensions with a third axis, two of
      them turned further, in Toft's contrast (Schabel, phantom3d, MATLAB Central 9416, 2006).
    - ``may-beetle``: some 140 ellipsoids of our own: shells, limbs and organs, from half the field
      of view down to a pixel of 1175; nowhere negative, at most 1.6.

    Raises:
        BadOption: there is no phantom of that name.
    """
    try:
        return tuple(Ellipsoid(*row) for row in native.phantom(name).tolist())
    except ValueError as error:
        raise BadOption(str(error), parameter="name") from None


def table(phantom: Phantom) -> NDArray[np.float64]:
    """Give one row an ellipsoid, as the compiled part takes them."""
    return np.array([astuple(each) for each in phantom], np.float64).reshape(-1, 10)


Footprint = Literal["point", "width", "area"]
Beam = Literal["parallel", "fans", "curved-fans", "cone"]


def line_integrals(
    phantom: Phantom,
    angles: "ArrayLike",
    columns: int,
    *,
    beam: Beam = "parallel",
    source: float | None = None,
    rows: int = 1,
    first: int = 0,
    last: int | None = None,
    center: float | None = None,
    unit: float | None = None,
    middle: float | None = None,
    footprint: Footprint = "width",
    sinogram_order: bool = False,
    threads: int | None = None,
) -> NDArray[np.float32]:
    """Project a phantom by parallel rays, or by those of a point.

    The ray through (x, y) at the angle θ meets the detector x cos θ + y sin θ from the axis. Where
    rays come from a point, it is at ``source`` · (-sin θ, cos θ), and columns are counted along
    (cos θ, sin θ); lengths are in columns as seen at the axis.

    Args:
        phantom: Its ellipsoids.
        angles: Radians.
        columns: Pixels of a detector row.
        beam: Parallel rays; ``fans``, each row with a source at its own height and a flat detector;
            ``curved-fans``, the rows being arcs around the source; or a ``cone`` from one source
            at z = 0 to a flat detector.
        source: Its distance from the axis in columns as seen there, which is its distance from the
            detector in columns. For beams that are not parallel.
        rows: Rows of the detector, row 0 at the top.
        first: The first row that is wanted.
        last: The row after the last that is wanted; all from `first` on by default.
        center: The column, counted from 0 at its middle, that the axis projects to; the middle by
            default. A fraction of a pixel is as exact as a whole one.
        unit: Columns that the phantom's unit is long; half of all by default, or for rays from a
            point what all of them see.
        middle: The row of z = 0, counted from 0; (rows - 1) / 2 by default.
        footprint: What a pixel averages: the ray through its middle, its width at its middle's
            height, or its area. Widths of parallel rays are in closed form; heights, and the widths
            of others, are by Gauss's and Legendre's four points.
        sinogram_order: Whether the result is (rows, angles, columns).
        threads: By default one for each CPU that this process may use.

    Returns:
        (angles, rows, columns), value × columns.

    Raises:
        BadOption, BadAngles: for what makes no sense, in a sentence.
    """
    radians = checked_angles(angles)
    last = rows if last is None else last
    shape = (len(radians), max(0, last - first), columns)
    if sinogram_order:
        out = np.empty((shape[1], shape[0], shape[2]), np.float32)
    else:
        out = np.empty(shape, np.float32).swapaxes(0, 1)
    check_rows(first, last, rows)
    if (source is None) != (beam == "parallel"):
        raise BadOption(
            f"The beam {beam!r} has no source whose distance to give."
            if source is not None
            else f"The beam {beam!r} has a source; give its distance from the axis."
        )
    try:
        native.project_phantom(
            table(phantom),
            beam,
            0 if source is None else source,
            columns,
            radians.tolist(),
            center,
            rows,
            unit,
            middle,
            footprint,
            "",
            checked_threads(threads),
            first,
            out,
        )
    except ValueError as error:
        raise BadOption(str(error)) from None
    return out if sinogram_order else out.swapaxes(0, 1)


def picture(
    phantom: Phantom,
    columns: int,
    *,
    rows: int = 1,
    first: int = 0,
    last: int | None = None,
    size: int | None = None,
    pixel: float = 1,
    unit: float | None = None,
    middle: float | None = None,
    lines: int = 16,
    planes: int = 1,
    threads: int | None = None,
) -> NDArray[np.float32]:
    """Draw the slices that belong to `line_integrals` of the same arguments.

    Args:
        phantom: Its ellipsoids.
        columns: Pixels of a detector row.
        rows: Slices of the whole volume, slice 0 at the top.
        first: The first slice that is wanted.
        last: The slice after the last that is wanted.
        size: Pixels of a slice's side; `columns` by default.
        pixel: Their side in detector pixels.
        unit: As for `line_integrals`.
        middle: As for `line_integrals`.
        lines: A pixel is the average over so many lines, along which it is exact,
        planes: in each of so many planes of its slice; one is the plane that the footprints
            ``point`` and ``width`` see.
        threads: By default one for each CPU that this process may use.

    Returns:
        (slices, size, size), row 0 at the top.

    Raises:
        BadOption: for what makes no sense, in a sentence.
    """
    size = columns if size is None else size
    last = rows if last is None else last
    check_rows(first, last, rows)
    out = np.empty((last - first, size, size), np.float32)
    try:
        native.draw_phantom(
            table(phantom),
            columns,
            size,
            pixel,
            rows,
            unit,
            middle,
            lines,
            planes,
            checked_threads(threads),
            first,
            out,
        )
    except ValueError as error:
        raise BadOption(str(error)) from None
    return out


def check_rows(first: int, last: int, rows: int) -> None:
    """Refuse rows that there aren't."""
    if not 0 <= first < last <= rows:
        raise BadOption(f"There are no rows {first} up to {last} of {rows}.")
