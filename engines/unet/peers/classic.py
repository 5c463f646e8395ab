"""The classic U-Net's weights, layer by layer, for libraries that read no ONNX."""

from collections.abc import Iterator

import numpy as np
from reference import CHANNELS, DEPTH, NETWORK_SEED, OUTPUTS, Image, Numbers, weighted

LEVELS = [CHANNELS << level for level in range(DEPTH + 1)]
"""Channels of each, from the image's down."""


def shapes() -> Iterator[tuple[int, int, int, int]]:
    """As ONNX has them: (in, out, 2, 2) of a transposed convolution, (out, in, k, k) of others."""
    for before, channels in zip([1, *LEVELS], LEVELS, strict=False):
        yield channels, before, 3, 3
        yield channels, channels, 3, 3
    for channels in reversed(LEVELS[:-1]):
        yield 2 * channels, channels, 2, 2
        yield channels, 2 * channels, 3, 3
        yield channels, channels, 3, 3
    yield OUTPUTS, CHANNELS, 1, 1


def layers() -> Iterator[tuple[Image, Image]]:
    """Weights and biases in the order they run."""
    numbers = Numbers(NETWORK_SEED)
    for shape in shapes():
        fan_in = shape[0] if shape[2] == 2 else shape[1] * shape[2] ** 2
        weights, bias = weighted(numbers, shape, fan_in)
        yield weights.astype(np.float32), bias.astype(np.float32)
