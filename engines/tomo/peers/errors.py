"""Errors of the direct methods beside scikit-image's, by angles and noise, as a Markdown table."""

import warnings

import numpy as np
from numpy.typing import NDArray
from skimage.data import shepp_logan_phantom
from skimage.transform import iradon, radon, resize

import stend_tomo

SIDE = 257
METHODS = ("fbp", "dfr", "hfbp")
GOLDEN = np.pi * (np.sqrt(5) - 1) / 2
RANDOM = np.random.default_rng(1)
Picture = NDArray[np.float64]

ANGLES = {
    "180°, 400 views": np.arange(400) * np.pi / 400,
    "180°, 180 views": np.arange(180) * np.pi / 180,
    "180°, 60 views": np.arange(60) * np.pi / 60,
    "180°, 30 views": np.arange(30) * np.pi / 30,
    "golden angle, 180 views": np.arange(180) * GOLDEN % np.pi,
    "random, 180 views": RANDOM.uniform(0, np.pi, 180),
    "random, 60 views": RANDOM.uniform(0, np.pi, 60),
} | {
    f"{degrees}°, 180 views": np.arange(180) * np.radians(degrees) / 180
    for degrees in (160, 140, 120, 90, 60)
}


def phantom() -> tuple[Picture, NDArray[np.bool_]]:
    """Shepp and Logan's, from 0 to 1, and where it counts: ten pixels inside the circle."""
    picture = resize(shepp_logan_phantom(), (SIDE, SIDE))
    from_middle = np.hypot(*(np.mgrid[:SIDE, :SIDE] - SIDE // 2))
    return picture, from_middle < SIDE // 2 - 10


def errors(angles: Picture, noise: float) -> list[float]:
    """Root mean squares of iradon's and our slices; noise as a part of the largest integral."""
    picture, inside = phantom()
    degrees = np.degrees(angles)
    sinogram = radon(picture, degrees, circle=True)
    sinogram += noise * sinogram.max() * np.random.default_rng(2).standard_normal(sinogram.shape)
    ours = np.float32(sinogram.T[:, None])
    slices = [iradon(sinogram, degrees, circle=True)]
    slices += [stend_tomo.reconstruct(ours, angles, algorithm=m)[0] for m in METHODS]
    return [float(np.sqrt(np.mean((each - picture)[inside] ** 2))) for each in slices]


def main() -> None:
    """Print the table; the best of each row in bold."""
    warnings.simplefilter("ignore")  # radon's, of single pixels at the circle's rim
    print("| angles | noise | iradon |", " | ".join(METHODS), "|")
    print("| --- | --- |", " | ".join(["---:"] * (1 + len(METHODS))), "|")
    for name, angles in ANGLES.items():
        for noise in (0, 0.01):
            row = errors(angles, noise)
            shown = [f"**{e:.4f}**" if e == min(row) else f"{e:.4f}" for e in row]
            print(f"| {name} | {noise:.0%} |", " | ".join(shown), "|")


if __name__ == "__main__":
    main()
