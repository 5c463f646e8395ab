"""Projection, its transpose and FDK by stend and by other people's software, in turn on one core.

    python pieces.py ROUNDS

ASTRA's projector "linear" has the weights of ours. RTK's FDK on the CPU takes part where it is
installed (pip install itk-rtk). Prints a table each: medians of milliseconds a slice, and the time
over ours, pair by pair.
"""

import statistics
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from versus import ratio, seconds

import stend_tomo as tomo

Timed = tuple[Callable[[], object], int]
"""What is timed, and how many slices it makes."""
PIXELS, ANGLES, SLICES = 511, 420, 16
BEAM = tomo.ConeBeam(source_to_axis=1000.0, source_to_detector=1500.0, pitch=1.5)
SIDE, HEIGHT, TURN = 256, 128, np.arange(64) * 2 * np.pi / 64


def parallel() -> dict[str, dict[str, Timed]]:
    """`project` and `backproject` beside ASTRA's."""
    import astra

    angles = np.arange(ANGLES) * np.pi / ANGLES
    random = np.random.default_rng(1)
    slices = random.random((SLICES, PIXELS, PIXELS), np.float32)
    sinograms = random.random((SLICES, ANGLES, PIXELS), np.float32)
    volume = astra.create_vol_geom(PIXELS, PIXELS)
    detector = astra.create_proj_geom("parallel", 1.0, PIXELS, angles)
    projector = astra.create_projector("linear", detector, volume)

    def forgotten(made: tuple[int, Any]) -> None:
        astra.data2d.delete(made[0])

    return {
        "project": {
            "astra": (lambda: forgotten(astra.create_sino(slices[0], projector)), 1),
            "stend": (
                lambda: tomo.project(slices, angles, sinogram_order=True, threads=1),
                SLICES,
            ),
        },
        "backproject": {
            "astra": (lambda: forgotten(astra.create_backprojection(sinograms[0], projector)), 1),
            "stend": (
                lambda: tomo.backproject(sinograms, angles, sinogram_order=True, threads=1),
                SLICES,
            ),
        },
    }


def cone() -> dict[str, Timed]:
    """`fdk`, and RTK's where it is installed."""
    projections = np.random.default_rng(1).random((len(TURN), HEIGHT, SIDE), np.float32)
    candidates: dict[str, Timed] = {}
    if find_spec("itk") and find_spec("itk.RTKPython"):
        candidates["rtk"] = rtk(projections), HEIGHT
    candidates["stend"] = (
        lambda: tomo.fdk(projections, TURN, BEAM, slices=HEIGHT, threads=1),
        HEIGHT,
    )
    return candidates


def rtk(projections: NDArray[np.float32]) -> Callable[[], object]:
    """FDKConeBeamReconstructionFilter on one thread; its volume's second axis is ours of slices."""
    import itk
    from itk import RTK

    itk.MultiThreaderBase.SetGlobalMaximumNumberOfThreads(1)
    itk.MultiThreaderBase.SetGlobalDefaultNumberOfThreads(1)
    geometry = RTK.ThreeDCircularProjectionGeometry.New()
    for angle in np.rad2deg(TURN):
        geometry.AddProjection(BEAM.source_to_axis, BEAM.source_to_detector, float(angle))

    def image(values: NDArray[np.float32], side: float) -> Any:
        made = itk.image_from_array(values)
        depth, height, width = values.shape
        turned = depth if depth == SIDE else 1
        made.SetSpacing([side, side, side if turned > 1 else 1.0])
        middle = [-(n - 1) / 2 * side for n in (width, height, turned)]
        made.SetOrigin(middle)
        return made

    stack = image(projections, BEAM.pitch)

    def work() -> object:
        made = RTK.FDKConeBeamReconstructionFilter[itk.Image[itk.F, 3]].New()
        made.SetInput(0, image(np.zeros((SIDE, HEIGHT, SIDE), np.float32), BEAM.voxel))
        made.SetInput(1, stack)
        made.SetGeometry(geometry)
        made.Update()
        return made.GetOutput()

    return work


def compare(title: str, candidates: Mapping[str, Timed], rounds: int) -> None:
    """Print the table of one piece."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds + 1):
        for name, (work, slices) in candidates.items():
            times[name].append(1e3 * seconds(work) / slices)
    print(f"\n{title}\n\n| | ms a slice | over stend |\n| --- | --- | --- |")
    for name, took in times.items():  # the first round warms up
        over = ratio(took[1:], times["stend"][1:])
        print(f"| {name} | {statistics.median(took[1:]):.3g} | ×{over:.3g} |")


if __name__ == "__main__":
    number = int(sys.argv[1])
    for piece, both in parallel().items():
        compare(f"{piece}, {PIXELS} × {ANGLES}", both, number)
    compare(f"fdk, {SIDE}² × {HEIGHT} voxels from {len(TURN)} projections", cone(), number)
