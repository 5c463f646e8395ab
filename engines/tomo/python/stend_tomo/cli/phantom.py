"""`stend-tomo phantom`: a known object's projections, to try things on."""

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Argument, Option
from stend_tomo.cli.progress import Json, SlicesShown, duration, encodable, print_json, size_of
from stend_tomo.cli.scan_options import angles_of, rows_of
from stend_tomo.errors import BadOption, UsageError, printable

if TYPE_CHECKING:
    from stend_tomo import WrittenVolume
    from stend_tomo.phantoms import Faults, Problem

COLUMNS = 511
"""Of phantoms that are no published problem, unless given."""
ANGLES = 360
"""Of these, half a degree apart."""
TURN = 720
"""As many of any phantom before a cone beam."""
SLAB = 64 << 20
"""Bytes of float32 that are computed at once."""
PHOTONS = 20_000.0
"""Of a camera that only zingers ask for."""
MOST_PHOTONS = 40_000.0
"""The camera's pixels, of 16 bits, are uneven."""
DEEPEST = 4.0
"""What the value 1 all across the detector is as a line integral, where a camera looks at it."""


def verb(
    name: Annotated[
        str,
        Argument(
            metavar="NAME",
            help="shepp-logan or modified-shepp-logan, either also with -3d, or may-beetle.",
        ),
    ],
    output: Annotated[Path, Option("-o", "--output", help="Output file: HDF5 Data Exchange.")],
    exact: Annotated[
        Path | None,
        Option("--exact", metavar="FILE", help="Also write the exact slices, to HDF5."),
    ] = None,
    columns: Annotated[
        int | None,
        Option(
            "--columns", min=1, max=32768, help="Columns of the detector; rows scale with them."
        ),
    ] = None,
    angles: Annotated[
        str | None,
        Option(
            "--angles",
            metavar="FIRST:LAST:COUNT|FILE",
            help="Degrees, both ends included, or a file of them (in radians: FILE:rad).",
        ),
    ] = None,
    rows: Annotated[
        str | None,
        Option("--rows", metavar="FIRST:END", help="Only these detector rows, without END."),
    ] = None,
    offset: Annotated[
        float, Option("--offset", metavar="PX", help="Distance of the axis from the middle.")
    ] = 0.0,
    source_to_axis: Annotated[
        float | None,
        Option(
            "--source-to-axis",
            metavar="MM",
            help="Simulate a cone beam over a whole turn; pixels on the detector are 1 mm, or the "
            "problem's.",
        ),
    ] = None,
    source_to_detector: Annotated[
        float | None,
        Option(
            "--source-to-detector",
            metavar="MM",
            help="Distance from the source to the detector, through the axis.",
        ),
    ] = None,
    noise: Annotated[
        float | None,
        Option(
            "--noise",
            metavar="PHOTONS",
            help="Simulate a camera with so many photons per pixel, up to 40,000, and flat and "
            "dark fields.",
        ),
    ] = None,
    rings: Annotated[
        float,
        Option(
            "--rings",
            metavar="SPREAD",
            help="Spread of the pixels' errors that flat fields don't correct.",
        ),
    ] = 0.0,
    zingers: Annotated[
        float,
        Option(
            "--zingers",
            metavar="SHARE",
            help="Share of the camera's pixels that are hit, such as 1e-5.",
        ),
    ] = 0.0,
    seed: Annotated[int, Option("--seed", min=0, help="Seed of all random values.")] = 0,
    json: Json = False,
) -> None:
    """Write the projections of a phantom or of a published problem, computed a slab at a time.

    Without a camera they are exact line integrals, and slices have the phantom's values; for a
    problem with a pixel size, such as may-beetle, they are divided by it and in 1/mm. A camera
    (--noise, --zingers) counts photons behind an object whose value 1, all across the detector,
    attenuates by e^-4; slices are 4/columns times as large. --columns and --angles replace those of
    the object.

    Examples: `phantom shepp-logan-3d -o head.h5`,
    `phantom may-beetle -o b.h5 --columns 300 --noise 20000 --offset 3.5`,
    `phantom shepp-logan-3d -o c.h5 --source-to-axis 900 --source-to-detector 1200`.
    """
    from stend_tomo.phantoms import Faults
    from stend_tomo.writing.hdf5 import refuse_existing, refuse_taken

    for path in (output, exact):
        _refuse_ending(path)
    problem = _problem(name, columns, angles, offset)
    if (source_to_axis, source_to_detector) != (None, None):
        problem = _before_cone(problem, source_to_axis, source_to_detector, angles is None)
    first, end = rows_of(rows, problem.rows)
    photons = _photons(noise, zingers)
    scale = DEEPEST / problem.columns if photons else 1.0
    faults = Faults(photons, scale, rings, zingers, seed)
    volume = None
    if exact is not None:
        refuse_taken(output)
        refuse_existing(exact)
        if exact == output:
            raise BadOption("--exact and -o name the same file; give --exact another name.")
        volume = _drawn(problem, first, end, exact, scale)
    began = time.perf_counter()
    _write(problem, first, end, output, faults)
    seconds = time.perf_counter() - began
    if volume is not None:
        volume.finish()  # not before: the same call goes on with both, or has none of them
    if json:
        _print_json(problem, end - first, output, exact, seconds)
        return
    print(
        f"{len(problem.angles):,} projections of {end - first:,} × {problem.columns:,} pixels in "
        f"{duration(seconds)}: {printable(str(output))}{size_of(output)}"
    )
    if exact is not None:
        print(f"the exact slices: {printable(str(exact))}{size_of(exact)}")


def _print_json(
    problem: "Problem", rows: int, output: Path, exact: Path | None, seconds: float
) -> None:
    made = {
        "output": encodable(str(output)),
        "shape": (len(problem.angles), rows, problem.columns),
        "center": problem.center,
        "exact": exact and encodable(str(exact)),
        "seconds": seconds,
    }
    print_json(made)


def _refuse_ending(path: Path | None) -> None:
    """Refuse a name that promises another kind of file."""
    ending = path.suffix.lower() if path else ""
    if ending not in ("", ".h5", ".hdf5"):
        raise UsageError(
            f"{printable(str(path))} ends in {printable(ending)}, but a phantom is written to "
            "HDF5; give a name that ends in .h5."
        )


def _problem(name: str, columns: int | None, angles: str | None, offset: float) -> "Problem":
    """Give the problem of that name, or one of a phantom's; with other sizes if asked for."""
    import numpy as np

    from stend_tomo.phantoms import Problem, phantom, phantoms, problem, problems
    from stend_tomo.phantoms.problems import half_degrees
    from stend_tomo.reading.angles import angles_in

    if name in problems():
        found = problem(name)
    elif name in phantoms():
        rows = COLUMNS if name.endswith("3d") else 1
        found = Problem(name, phantom(name), half_degrees(ANGLES), rows, COLUMNS)
    else:
        names = ", ".join(dict.fromkeys([*problems(), *phantoms()]))
        raise BadOption(f"There is no phantom {printable(name)!r}; there are {names}.")
    if columns is not None:
        rows = max(1, round(found.rows * columns / found.columns))
        pixel = found.pixel and found.pixel * found.columns / columns
        found = replace(found, columns=columns, rows=rows, pixel=pixel)
    if angles is not None:
        given = angles_of(angles)
        read = angles_in(given) if isinstance(given, Path) else np.linspace(*given)
        found = replace(found, angles=read)
    if not math.isfinite(offset):
        raise BadOption(f"--offset {offset:g} is not a distance; give columns, such as 3.5.")
    return replace(found, center=(found.columns - 1) / 2 + offset)


def _before_cone(
    problem: "Problem", to_axis: float | None, to_detector: float | None, whole_turn: bool
) -> "Problem":
    """Give the problem with a cone beam, over a whole turn where no angles were asked for."""
    from stend_tomo.cone import checked_beam
    from stend_tomo.phantoms.problems import half_degrees

    if to_axis is None or to_detector is None:
        raise BadOption("A cone beam needs both --source-to-axis and --source-to-detector.")
    found = replace(
        problem,
        pixel=problem.pixel or 1.0,
        angles=half_degrees(TURN) if whole_turn else problem.angles,
        source_to_axis=to_axis,
        source_to_detector=to_detector,
    )
    assert found.beam is not None
    checked_beam(found.beam)
    return found


def _photons(noise: float | None, zingers: float) -> float | None:
    """Give how many photons a camera counts; None: there is none."""
    if noise is not None and not 0 < noise <= MOST_PHOTONS:
        raise BadOption(
            f"--noise {noise:g} is out of range: the camera counts single photons, up to 65,535 "
            f"in a pixel; give a number above 0, up to {MOST_PHOTONS:,.0f}."
        )
    if not 0 <= zingers < 1:
        raise BadOption(f"--zingers {zingers:g} is not a share; give a number from 0 to below 1.")
    return noise or (PHOTONS if zingers else None)


def _write(problem: "Problem", first: int, end: int, output: Path, faults: "Faults") -> None:
    """Write the scan a slab of rows at a time."""
    from stend_tomo.phantoms import taken
    from stend_tomo.writing.hdf5 import scan_file

    rows, began = end - first, time.perf_counter()
    step = max(1, SLAB // (4 * len(problem.angles) * problem.columns))
    with SlicesShown("projecting", rows) as bar, scan_file(output, rows) as file:
        for row in range(first, end, step):
            last = min(row + step, end)
            file.write(taken(problem, row, last, faults))
            bar.reached(last - first, rows, (last - first) / (time.perf_counter() - began))


def _drawn(problem: "Problem", first: int, end: int, output: Path, scale: float) -> "WrittenVolume":
    """Write what to find, in the unit that slices of the scan have; the volume is not finished."""
    import numpy as np

    from stend_tomo.writing import open_volume

    side, rows = problem.columns, end - first
    factor = np.float32(scale / (problem.voxel or 1))
    step = max(1, SLAB // (4 * side * side))
    made = {"phantom": problem.name, "rows": f"{first}:{end}", "scale": repr(float(factor))}
    if problem.beam is not None:
        made["beam"] = str(problem.beam)
    volume = open_volume(output, "hdf5", (rows, side, side), pixel=problem.voxel, origin=made)
    with SlicesShown("drawing", rows) as bar:
        began, before = time.perf_counter(), volume.written
        for row in range(first + before, end, step):
            last = min(row + step, end)
            volume.write(row - first, problem.slices(row, last) * factor)
            done = last - first
            bar.reached(done, rows, (done - before) / (time.perf_counter() - began))
    return volume
