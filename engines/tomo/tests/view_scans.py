"""A small scan whose slices are known, and a volume."""

from dataclasses import replace

import numpy as np

from stend_tomo import Scan, StoredVolume
from stend_tomo.phantoms import problem
from stend_tomo.phantoms.faults import Images
from stend_tomo.view import Method, ShownScan, ShownVolume

ROWS, COLUMNS, CENTER = 24, 64, 30.0
ANGLES = np.pi * np.arange(90) / 90
METHOD = Method(CENTER)
PROBLEM = replace(
    problem("shepp-logan-3d"), rows=ROWS, columns=COLUMNS, angles=ANGLES, center=CENTER
)


def scan(**changes) -> Scan:
    held = Images(PROBLEM.projections())
    return replace(Scan(held, angles=ANGLES, pixel=0.5, normalized=True), **changes)


def shown_scan() -> ShownScan:
    return ShownScan(
        scan(), "phantom.npz", METHOD, command="stend-tomo reconstruct phantom.npz -o s"
    )


def volume() -> np.ndarray:
    return np.random.default_rng(5).normal(size=(5, 7, 9)).astype(np.float32)


def shown_volume() -> ShownVolume:
    return ShownVolume(StoredVolume(Images(volume()), unit="1/mm", pixel=0.1), "noise")
