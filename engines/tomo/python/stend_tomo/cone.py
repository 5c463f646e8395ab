"""`fdk`: projections of a cone beam → a volume."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from stend_tomo import native
from stend_tomo.beams import ConeBeam, made_for_source
from stend_tomo.errors import CENTER, PITCH, SIZE, BadBuffer, BadOption, Parameter
from stend_tomo.memory import sinograms, spoilt_projections
from stend_tomo.reconstructor import MOST_PIXELS
from stend_tomo.validation import (
    center_near,
    checked_cutoff,
    checked_distances,
    checked_out,
    checked_threads,
    length,
    measured,
    real,
    sentences,
    whole,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

CENTER_ROW = Parameter("center_row", "The center's row")
SLICES = Parameter("slices", "The number of slices")
VOXEL = Parameter("voxel", "The side of a voxel")
MIDDLE = Parameter("middle", "The height of the slices' middle")


class ConeMethod(TypedDict, total=False):
    """How to reconstruct: the named arguments of `fdk` that say by what."""

    filter: str
    cutoff: float
    threads: int | None
    variant: str | None


class ConeOptions(ConeMethod, total=False):
    """And those that say which volume."""

    size: int | None
    slices: int | None
    voxel: float | None
    middle: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Voxels of a volume about the axis; lengths in the beam's unit."""

    size: int
    """Voxels of a slice's side."""
    slices: int
    voxel: float
    """A voxel's side."""
    middle: float
    """How far the middle of the slices is from the source's plane."""


def checked_beam(beam: ConeBeam) -> ConeBeam:
    """Give a beam whose lengths and places there can be.

    Raises:
        BadOption: it is no beam, or a number can't be.
    """
    if not isinstance(beam, ConeBeam):
        raise BadOption(
            f"The beam must be a stend_tomo.ConeBeam, not {type(beam).__name__}.", parameter="beam"
        )
    far, beyond = checked_distances(beam.source_to_axis, beam.source_to_detector)
    return ConeBeam(
        source_to_axis=far,
        source_to_detector=beyond,
        pitch=length(beam.pitch, PITCH),
        center=None if beam.center is None else real(beam.center, CENTER),
        center_row=None if beam.center_row is None else real(beam.center_row, CENTER_ROW),
    )


def grid_of(
    beam: ConeBeam,
    rows: int,
    columns: int,
    *,
    size: int | None = None,
    slices: int | None = None,
    voxel: float | None = None,
    middle: float = 0.0,
) -> Grid:
    """Give the volume that was asked for, by default as the detector tells it.

    Raises:
        BadOption: a number can't be.
    """
    return Grid(
        whole(columns if size is None else size, SIZE, MOST_PIXELS),
        whole(rows if slices is None else slices, SLICES, MOST_PIXELS),
        length(beam.voxel if voxel is None else voxel, VOXEL),
        real(middle, MIDDLE),
    )


def made_for(
    beam: ConeBeam,
    grid: Grid,
    rows: int,
    columns: int,
    radians: "NDArray[np.float64]",
    *,
    filter: str = "ram-lak",
    cutoff: float = 1.0,
    threads: int | None = None,
    variant: str | None = None,
) -> native.ConeReconstruction:
    """Make the tables of a detector's rows for a grid.

    Raises:
        BadOption: an invalid geometry, filter, variant or number, or a scan that is too short.
    """
    if beam.center is not None:
        center_near(beam.center, columns)
    _refuse_to_reach_source(grid, beam.source_to_axis)
    how = str(filter), checked_cutoff(cutoff), str(variant or ""), checked_threads(threads)
    return made_for_source(
        radians,
        lambda angles: native.ConeReconstruction(
            columns,
            rows,
            angles,
            beam.source_to_axis,
            beam.source_to_detector,
            beam.pitch,
            beam.center,
            beam.center_row,
            grid.size,
            grid.slices,
            grid.voxel,
            grid.middle,
            *how,
        ),
    )


def _refuse_to_reach_source(grid: Grid, source_to_axis: float) -> None:
    corner = grid.size * grid.voxel / math.sqrt(2)
    if corner >= source_to_axis:
        raise BadOption(
            f"The slices reach {corner:g} from the axis, and the source is {source_to_axis:g} "
            "away; it must be outside of them; check the distances, or give a smaller ",
            Parameter("size"),
            " or ",
            Parameter("voxel"),
            ".",
        )


def fdk(
    projections: "ArrayLike",
    angles: "ArrayLike",
    beam: ConeBeam,
    *,
    size: int | None = None,
    slices: int | None = None,
    voxel: float | None = None,
    middle: float = 0.0,
    filter: str = "ram-lak",
    cutoff: float = 1.0,
    sinogram_order: bool = False,
    threads: int | None = None,
    variant: str | None = None,
    out: "NDArray[np.float32] | None" = None,
) -> "NDArray[np.float32]":
    """Reconstruct a volume from projections of a cone beam, by filtered back projection.

    The method of Feldkamp, Davis and Kress (Journal of the Optical Society of America A 1(6), 1984,
    612): exact in the source's plane, and the less so the farther from it. The source goes around a
    whole turn, with the axis anywhere before the detector (Wang, Medical Physics 29(7), 2002,
    1634), or at least half a turn and the fan's angle (Parker, Medical Physics 9(2), 1982, 254).
    Lengths are in the beam's unit. Ctrl-C takes effect every few projections.

    Args:
        projections: line integrals: (angles, rows, columns), integers or floating point; a copy is
            made of all but float32 with contiguous rows.
        angles: of the source, radians, one per projection, in any order.
        beam: where source, axis and detector are.
        size: voxels of a slice's side; by default as many as the detector has columns.
        slices: how many; by default as many as the detector has rows.
        voxel: a voxel's side; by default a detector pixel's as seen at the axis, `beam.voxel`.
        middle: how far the middle of these slices is from the source's plane, along growing rows
            of the detector: a volume may be made in slabs.
        filter: the window of the ramp, one of `filters()`.
        cutoff: share of the band that is kept, above 0 and up to 1.
        sinogram_order: projections are (rows, angles, columns).
        threads: by default one for each CPU that this process may use.
        variant: one of `variants("fdk")`; by default the machine's best.
        out: array for the result: float32, its rows contiguous, of the result's shape.

    Returns:
        Attenuation per unit of length, so 1/mm where lengths are in mm: (slices, size, size), in
        the order of the detector's rows.

    Raises:
        BadProjections: they have a wrong shape or type, or values that are not finite.
        BadAngles: their number differs from that of the projections, or they are degrees or not
            numbers.
        BadOption: an invalid geometry, filter, variant or number, or a scan that is too short.
        BadBuffer: `out` can't take the result.
    """
    beam = checked_beam(beam)
    given, radians, rows, columns = measured(projections, angles, sinogram_order)
    grid = grid_of(beam, rows, columns, size=size, slices=slices, voxel=voxel, middle=middle)
    made = made_for(
        beam,
        grid,
        rows,
        columns,
        radians,
        filter=filter,
        cutoff=cutoff,
        threads=threads,
        variant=variant,
    )
    volume = checked_out(out, (grid.slices, grid.size, grid.size), given)
    part = sinograms(given, 0, rows, sinogram_order, volume)
    with sentences(BadBuffer):
        bad = made.run(part, volume)
    if bad is not None:
        raise spoilt_projections(part, bad, 0, sinogram_order)
    return volume
