"""`stend-tomo fdk`: a cone beam's scan → slices; where its source and its detector are."""

from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.cli.center import told
from stend_tomo.cli.output import (
    Output,
    Resources,
    check_options,
    check_place,
    how_made,
    make_slices,
    origin_of,
    unpacked_in,
)
from stend_tomo.cli.preparation import Steps, mended_said, preparation
from stend_tomo.cli.progress import Json, print_json
from stend_tomo.cli.reconstruct import Cutoff, FilterName
from stend_tomo.cli.scan_options import File, Source, opened, require_reconstructible
from stend_tomo.errors import BadOption

if TYPE_CHECKING:
    from stend_tomo import ConeBeam, Scan


SourceToAxis = Annotated[
    float,
    Option(
        "--source-to-axis", metavar="MM", help="Distance from the source to the axis of rotation."
    ),
]
SourceToDetector = Annotated[
    float,
    Option(
        "--source-to-detector",
        metavar="MM",
        help="Distance from the source to the detector, through the axis.",
    ),
]
Pitch = Annotated[
    float | None,
    Option(
        "--pitch",
        metavar="MM",
        help="Pixel size on the detector itself. Default: the file's; some files, such as DICOM "
        "with distances, have the size at the sample instead: then give it here.",
    ),
]
CenterColumn = Annotated[
    float | None,
    Option(
        "--center",
        metavar="COLUMN",
        help="Detector column of the ray that meets the axis at a right angle, counted from 0 at "
        "the middle of the first one; default: the middle.",
    ),
]
CenterRow = Annotated[
    float | None,
    Option("--center-row", metavar="ROW", help="Row of that ray; default: the middle."),
]


def verb(
    file: File,
    *,
    to: Output,
    source_to_axis: SourceToAxis,
    source_to_detector: SourceToDetector,
    pitch: Pitch = None,
    center: CenterColumn = None,
    center_row: CenterRow = None,
    size: Annotated[
        int | None,
        Option("--size", help="Side of a slice in voxels; default: the number of columns."),
    ] = None,
    slices: Annotated[
        int | None,
        Option(
            "--slices",
            help="Number of slices around the source's plane; default: the number of rows.",
        ),
    ] = None,
    voxel: Annotated[
        float | None,
        Option(
            "--voxel",
            metavar="MM",
            help="Voxel size, also the distance of slices; default: the pixel size at the axis.",
        ),
    ] = None,
    filter: FilterName = "ram-lak",
    cutoff: Cutoff = 1.0,
    source: Source,
    steps: Steps,
    resources: Resources,
    json: Json = False,
) -> None:
    """Reconstruct a cone-beam scan into slices, by the method of Feldkamp, Davis and Kress.

    The source moves on a circle, a whole turn or at least half a turn plus the fan angle, in front
    of a flat detector. Slices are computed in slabs, so the scan can be of any size. A pixel on the
    detector is source-to-detector / source-to-axis times as large as at the sample. The size that
    the file has decides the voxel size, and with it the attenuation in 1/mm; --pitch makes it
    certain. If interrupted, finished slices stay in OUTPUT.unfinished, and the same command
    continues.

    Example: `fdk scan.h5 -o slices --source-to-axis 200 --source-to-detector 300`.
    """
    from stend_tomo.beams import ConeBeam
    from stend_tomo.preparation import Tally
    from stend_tomo.scan_reconstruction import ConeScanReconstruction

    check_options(to, resources)
    scan = opened(file, source)
    require_reconstructible(scan)
    check_place(file, to)
    _, rows, columns = scan.projections.shape
    column = (columns - 1) / 2 if center is None else center
    row = (rows - 1) / 2 if center_row is None else center_row
    beam = ConeBeam(
        source_to_axis=source_to_axis,
        source_to_detector=source_to_detector,
        pitch=_pitch_of(scan, pitch),
        center=column,
        center_row=row,
    )
    scan = unpacked_in(resources.scratch, scan)
    prepare = preparation(scan, steps, threads=resources.threads)
    counted = Tally(prepare)
    work = ConeScanReconstruction(
        scan,
        beam,
        prepare=counted,
        memory=resources.memory,
        size=size,
        slices=slices,
        voxel=voxel,
        filter=filter,
        cutoff=cutoff,
        threads=resources.threads,
    )
    method = {"algorithm": "fdk", "filter": filter, "cutoff": cutoff, **_told_of(beam)}
    made = make_slices(
        work,
        to,
        pixel=work.voxel,
        about=how_made(file, source, scan, method, prepare),
        origin=origin_of(file, source, scan),
    )
    if json:
        print_json(made.figures(told(column), counted.mended))
        return
    by = "as given" if pitch else "from the file"
    print(
        f"{made}\naxis of rotation: column {column:g}, source's plane: row {row:g}\n"
        f"pixels of {beam.pitch:g} mm on the detector, {by}; voxels of "
        f"{work.voxel:.6g} mm\n{made.shown}{mended_said(counted.mended)}"
    )


def _pitch_of(scan: "Scan", given: float | None) -> float:
    pitch = scan.pixel if given is None else given
    if pitch is None:
        raise BadOption(
            "The file has no pixel size; give --pitch MM, the size on the detector itself."
        )
    return pitch


def _told_of(beam: "ConeBeam") -> dict[str, object]:
    """Lengths in mm."""
    return {
        "center": beam.center,
        "center row": beam.center_row,
        "source to axis": beam.source_to_axis,
        "source to detector": beam.source_to_detector,
        "pitch": beam.pitch,
    }
