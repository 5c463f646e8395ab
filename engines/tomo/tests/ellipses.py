"""Sinograms of random ellipses inside one large one, exact, about any axis."""

import numpy as np
from numpy.typing import NDArray


def ellipses(
    angles: NDArray[np.float64], columns: int, center: float, seed: int, radius: float
) -> NDArray[np.float32]:
    """Line integrals, (angles, 1, columns); all lies within `radius` of the axis.

    A chord of the half axes a, b at the distance d is 2ab √(w² - d²) / w², w² = (a cos)² + (b sin)²
    (Kak and Slaney, equation 3.5).
    """
    random = np.random.default_rng(seed)
    parts = [(0.0, 0.0, radius, 0.8 * radius, 0.01, 0.3)]
    for _ in range(12):
        a, b = radius * random.uniform(0.03, 0.25, 2)
        away, turn = 0.7 * radius * np.sqrt(random.uniform()), random.uniform(0, 2 * np.pi)
        parts.append(
            (
                away * np.cos(turn),
                away * np.sin(turn),
                a,
                b,
                0.01 * random.uniform(-0.5, 1),
                random.uniform(0, np.pi),
            )
        )
    place = np.arange(columns) - center
    sinogram = np.zeros((len(angles), columns))
    for x, y, a, b, value, lean in parts:
        wide = ((a * np.cos(angles - lean)) ** 2 + (b * np.sin(angles - lean)) ** 2)[:, None]
        away = place - (x * np.cos(angles) + y * np.sin(angles))[:, None]
        sinogram += value * 2 * a * b / wide * np.sqrt(np.maximum(wide - away**2, 0))
    return sinogram[:, None].astype(np.float32)


def noisy(sinogram: NDArray[np.float32], photons: float, seed: int) -> NDArray[np.float32]:
    """The same, from counts of so many photons a pixel of the flat field."""
    counts = np.random.default_rng(seed).poisson(photons * np.exp(-sinogram.astype(np.float64)))
    return (-np.log(np.maximum(counts, 0.5) / photons)).astype(np.float32)
