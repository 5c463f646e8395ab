"""Thresholds to compare the network with: one as it is chosen without knowing the truth, one with.

Comes in: a slice, or a case with its truth; goes out: which pixels belong to inclusions.
"""

import numpy as np
from numpy.typing import NDArray
from outlines import Floats
from scans import Case
from scipy import ndimage
from specimens import LARGEST

Mask = NDArray[np.bool_]

LARGEST_PORE = 1.5 * np.pi * (LARGEST / 2) ** 2
"""Pixels of a hole that is filled; larger ones are bores."""
EDGE = 2
"""Pixels along the surface that are partly of air, and are left out."""


def otsu(values: NDArray[np.floating]) -> float:
    """The threshold that parts values into the two classes of least variance (Otsu 1979)."""
    counts, borders = np.histogram(values, 256)
    middles = (borders[1:] + borders[:-1]) / 2
    below, above = np.cumsum(counts), np.cumsum(counts[::-1])[::-1]
    lower = np.cumsum(counts * middles) / np.maximum(below, 1)
    upper = np.cumsum((counts * middles)[::-1])[::-1] / np.maximum(above, 1)
    between = below[:-1] * above[1:] * (lower[:-1] - upper[1:]) ** 2
    return float(borders[1 + np.argmax(between)])


def thresholded(image: Floats) -> Mask:
    """Otsu's threshold twice: what is no air, and in it what differs from the matrix.

    Noise is taken off by a median of 3×3 first. A threshold below three standard deviations of what
    is left, by the median of absolute deviations, would find noise and is raised to that.
    """
    smooth = ndimage.median_filter(image, 3)
    inside = matter(smooth)
    if not inside.any():
        return inside
    away = np.abs(smooth - np.median(smooth[inside]))
    noise = 1.4826 * np.median(away[inside])
    return inside & (away > max(otsu(away[inside]), 3 * noise))


def matter(smooth: Floats) -> Mask:
    """The body with its pores, without its bore and its surface."""
    solid = ndimage.binary_opening(smooth > otsu(smooth), iterations=2)
    holes, _ = ndimage.label(~solid)
    sizes = np.bincount(holes.ravel())
    filled = solid | (sizes[holes] < LARGEST_PORE)
    return np.asarray(ndimage.binary_erosion(filled, iterations=EDGE))


def best_thresholds(of: Case) -> Mask:
    """What two thresholds can do at best, inside the exact matrix, if the truth chooses them.

    Of three degrees of smoothing the best, too. No threshold for a whole slice does better.
    """
    size = of.specimen.size
    if of.specimen.body is None:
        return np.zeros((size, size), bool)
    across = np.arange(size) - (size - 1) / 2
    inside = of.specimen.body.has(across, -across[:, None])
    found = [parted(ndimage.gaussian_filter(of.slice, width), inside, of.mask) for width in WIDTHS]
    return max(
        found, key=lambda mask: np.count_nonzero(mask & of.mask) / (mask.sum() + of.mask.sum() + 1)
    )


WIDTHS = (0, 0.7, 1.2)
"""Standard deviations in pixels of the Gaussians that `best_thresholds` smoothes with."""


def parted(image: Floats, inside: Mask, truth: Mask) -> Mask:
    """Pixels inside below or above the pair of thresholds that gives the greatest Dice score."""
    order = np.sort(image[inside])
    steps = order[np.unique(np.linspace(0, len(order) - 1, 400).astype(int))]
    all_of, right = (np.sort(image[which]) for which in (inside, inside & truth))
    low_all, low_right = (np.searchsorted(each, steps) for each in (all_of, right))
    high_all, high_right = (len(e) - np.searchsorted(e, steps, "right") for e in (all_of, right))
    hits = low_right[:, None] + high_right
    dice = 2 * hits / (low_all[:, None] + high_all + truth.sum() + 1e-9)
    dice[np.arange(len(steps))[:, None] > np.arange(len(steps))] = 0
    low, high = np.unravel_index(np.argmax(dice), dice.shape)
    return inside & ((image < steps[low]) | (image > steps[high]))
