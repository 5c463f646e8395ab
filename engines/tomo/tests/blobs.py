"""Gaussian blobs and their exact line integrals: what reconstructions are compared with.

They have no edges, so nothing rings, and slices are as exact as the interpolation is.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from stend_tomo.iterations import ITERATIONS

AVAILABLE = [name for name in tomo.algorithms() if name not in ITERATIONS]
"""What needs no iterations; tests of those are their own."""
each_algorithm = pytest.mark.parametrize("algorithm", AVAILABLE)


@dataclass(frozen=True)
class Blob:
    """Detector pixels from the axis, x to the right and y upwards; the peak's attenuation."""

    x: float
    y: float
    width: float
    attenuation: float = 1.0


OBJECT = (Blob(3, 2, 4), Blob(8, -5, 2.5, -0.6), Blob(-6, 7, 2, 0.8))


def half_turn(count: int, turn: float = np.pi) -> NDArray[np.float64]:
    return np.arange(count) * turn / count


def sinogram(
    blobs: tuple[Blob, ...], angles: NDArray[np.float64], columns: int, center: float | None = None
) -> NDArray[np.float32]:
    """(angles, columns): s = x cos θ + y sin θ from where the axis projects to."""
    s = np.arange(columns) - ((columns - 1) / 2 if center is None else center)
    total = np.zeros((len(angles), columns))
    for blob in blobs:
        at = blob.x * np.cos(angles) + blob.y * np.sin(angles)
        across = np.exp(-(((s - at[:, None]) / blob.width) ** 2) / 2)
        total += blob.attenuation * blob.width * np.sqrt(2 * np.pi) * across
    return total.astype(np.float32)


def picture(blobs: tuple[Blob, ...], size: int, zoom: float = 1.0) -> NDArray[np.float64]:
    """The blobs at pixels' centres, row 0 at the top."""
    along = (np.arange(size) - (size - 1) / 2) / zoom
    x, y = along[None, :], -along[:, None]
    total = np.zeros((size, size))
    for blob in blobs:
        square = ((x - blob.x) ** 2 + (y - blob.y) ** 2) / blob.width**2
        total += blob.attenuation * np.exp(-square / 2)
    return total


def volume(rows: int, angles: NDArray[np.float64], columns: int) -> NDArray[np.float32]:
    """Projections (angles, rows, columns) of rows that all differ: the object, ever thinner."""
    one = sinogram(OBJECT, angles, columns)
    return np.stack([one * np.float32(1 / (1 + row)) for row in range(rows)], axis=1)


def difference(found: NDArray[np.float32], expected: NDArray[np.float64]) -> float:
    """The largest, inside the circle that all projections see."""
    along = np.arange(len(expected)) - (len(expected) - 1) / 2
    inside = np.hypot(along[None, :], along[:, None]) < len(expected) / 2 - 1
    return float(np.abs(found - expected)[inside].max())
