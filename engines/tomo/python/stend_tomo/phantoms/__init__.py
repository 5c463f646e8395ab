"""Objects that are known exactly: their projections, their slices, and what may go wrong between.

problem("shepp-logan-3d")                      a published problem: angles, projections, slices
phantom("modified-shepp-logan")                ellipsoids
line_integrals(phantom, angles, columns)       ellipsoids → projections
picture(phantom, columns)                      ellipsoids → slices
noisy, ringed, zingered, Camera().scan         projections → as detectors see them
taken(problem("may-beetle"), 0, 16, Faults())  rows of a problem → a scan, with whatever goes wrong
rmse(slices, exact)                            how far slices are from the truth
"""

from stend_tomo.phantoms.exact import (
    Beam,
    Ellipsoid,
    Footprint,
    Phantom,
    line_integrals,
    phantom,
    phantoms,
    picture,
)
from stend_tomo.phantoms.faults import Camera, Images, noisy, ringed, zingered
from stend_tomo.phantoms.problems import Faults, Problem, circle, problem, problems, rmse, taken

__all__ = [
    "Beam",
    "Camera",
    "Ellipsoid",
    "Faults",
    "Footprint",
    "Images",
    "Phantom",
    "Problem",
    "circle",
    "line_integrals",
    "noisy",
    "phantom",
    "phantoms",
    "picture",
    "problem",
    "problems",
    "ringed",
    "rmse",
    "taken",
    "zingered",
]
