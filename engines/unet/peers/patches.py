"""Batches to train on: patches of fresh slices, with the share of each pixel in an inclusion.

Comes in: the number of a block of training steps; goes out: that block's batches, always the same.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from outlines import Floats
from scans import Case, case
from specimens import Random

SEED = 8
SIDE = 128
BATCH = 8
STEPS = 50
"""Steps in a block."""
POOL = 60
"""Slices that a block's patches are cut from."""
SIZES = (176, 224, 256, 288, 352)


def block(number: int) -> Iterator[tuple[Floats, Floats]]:
    """Pairs of images and shares, each (BATCH, SIDE, SIDE)."""
    rng = np.random.default_rng((SEED, number))
    pool = [case((SEED, number, index), int(rng.choice(SIZES))) for index in range(POOL)]
    for _ in range(STEPS):
        pairs = [patch(pool[index], rng) for index in rng.integers(0, POOL, BATCH)]
        images, shares = zip(*pairs, strict=True)
        yield np.stack(images), np.stack(shares)


def patch(of: Case, rng: Random) -> tuple[Floats, Floats]:
    """A patch of a slice, four in five around an inclusion, turned or mirrored by chance."""
    image, share = seen_in_part(of, rng) if rng.random() < 0.4 else (of.slice, of.covered)
    image = normalized(image)
    top, left = corner(share, rng)
    window = (slice(top, top + SIDE), slice(left, left + SIDE))
    turns, mirrored = rng.integers(4), rng.random() < 0.5
    pair = [np.rot90(each[window], turns) for each in (image, share)]
    return tuple(each[::-1] if mirrored else each for each in pair)


def seen_in_part(of: Case, rng: Random) -> tuple[Floats, Floats]:
    """A window of the slice, as if no more were known: other grey levels are then its extremes."""
    height, width = rng.integers(SIDE, len(of.slice) + 1, 2)
    top, left = (int(rng.integers(len(of.slice) - side + 1)) for side in (height, width))
    window = (slice(top, top + height), slice(left, left + width))
    return of.slice[window], of.covered[window]


def corner(share: Floats, rng: Random) -> NDArray[np.int64]:
    most = np.array(share.shape) - SIDE
    inside = np.argwhere(share > 0)
    if len(inside) and rng.random() < 0.8:
        return np.clip(rng.choice(inside) - rng.integers(0, SIDE, 2), 0, most)
    return rng.integers(0, most + 1)


def normalized(image: Floats) -> Floats:
    """Grey values from the 1st percentile, 0, to the 99th, 1: what units they have is no matter."""
    low, high = np.percentile(image, [1, 99])
    if high <= low:
        return np.zeros_like(image)
    return np.asarray((image - low) / (high - low), np.float32)
