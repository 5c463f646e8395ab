"""Some rows of a problem as a detector takes them: with whatever goes wrong, or exactly."""

from dataclasses import dataclass, replace

import numpy as np

from stend_tomo.phantoms.faults import Camera, Images, ringed, zingered
from stend_tomo.phantoms.problems import Problem
from stend_tomo.scan import Scan


@dataclass(frozen=True)
class Faults:
    """What goes wrong between an object and a file; nothing by default."""

    photons: float | None = None
    """Of a camera, in a pixel when nothing is in the way; None: line integrals, as they are."""
    attenuation: float = 1.0
    """Of the value 1, along a detector pixel's side."""
    rings: float = 0.0
    """Standard deviation of what line integrals of each detector pixel are wrong by."""
    zingers: float = 0.0
    """The share of a camera's pixels that stray rays hit."""
    seed: int = 0


def taken(problem: Problem, first: int, last: int, faults: Faults) -> Scan:
    """Take rows first … last - 1: a scan of these rows alone, in memory.

    The same call gives the same scan; other rows have other noise. The camera's light doesn't
    flicker, as rows that are taken one after the other would each see another flicker.

    Raises:
        BadOption: a fault can't be.
    """
    rng = np.random.default_rng([faults.seed, first])
    rows = problem.projections(first, last)
    if faults.rings:
        rows = ringed(rows, faults.rings / faults.attenuation, rng)
    about = {"sample": problem.name}
    if faults.photons is None:
        if faults.attenuation != 1:
            rows = rows * np.float32(faults.attenuation)
        scan = Scan(Images(rows), problem.angles, pixel=problem.pixel, normalized=True)
        return replace(scan, about=about)
    camera = Camera(faults.photons, flicker=0)
    scan = camera.scan(
        rows, problem.angles, rng, attenuation=faults.attenuation, pixel=problem.pixel
    )
    if faults.zingers:
        counts = scan.projections.rows(0, last - first)
        hit = zingered(counts, faults.zingers, 2 * faults.photons, rng)
        scan = replace(scan, projections=Images(hit))
    return replace(scan, about=about)
