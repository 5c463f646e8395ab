"""The classic U-Net in double precision by NumPy → known answers of inference (answers.cpp).

    python reference.py | clang-format > ../../../native/kernels/unet/answers.cpp

Written from what stend/unet/model.hpp says of the network and its weights, and from nothing of the
engine: weights by SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), convolutions as nine matrix
products. Of two images of each side it prints the output's largest magnitude, its sums, and its
values at POINTS places, a quarter of them on the border.
"""

import numpy as np
from numpy.typing import NDArray

SIDES = (16, 32, 64, 128, 256, 512)
POINTS = 128
CHANNELS, DEPTH, OUTPUTS = 64, 4, 2
NETWORK_SEED, IMAGE_SEEDS = 1, (2, 3)
GOLDEN = 0x9E3779B97F4A7C15

Array = NDArray[np.float64]
Image = NDArray[np.float32]


class Numbers:
    """The pseudo-random sequence: float32 numbers from -1 to 1."""

    def __init__(self, seed: int) -> None:
        self._seed, self._taken = seed, 0

    def next(self, count: int) -> Image:
        """The next so many."""
        n = np.arange(self._taken + 1, self._taken + count + 1, dtype=np.uint64)
        self._taken += count
        z = np.uint64(self._seed) + n * np.uint64(GOLDEN)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
        return (z >> np.uint64(40)).astype(np.float32) * np.float32(2**-23) - np.float32(1)


def image(side: int, seed: int = IMAGE_SEEDS[0]) -> Image:
    """One of the images that are measured: (side, side) numbers from -1 to 1."""
    return Numbers(seed).next(side * side).reshape(side, side)


def weighted(numbers: Numbers, shape: tuple[int, ...], fan_in: int) -> tuple[Array, Array]:
    """Weights of that shape, then biases, one for each output channel."""
    scale = np.float32(np.sqrt(6 / fan_in))
    weights = (numbers.next(int(np.prod(shape))) * scale).astype(np.float64).reshape(shape)
    outputs = shape[1] if shape[2] == 2 else shape[0]
    return weights, (numbers.next(outputs) * np.float32(1 / 16)).astype(np.float64)


def convolved(x: Array, outputs: int, numbers: Numbers, kernel: int = 3) -> Array:
    """A padded convolution of (channels, height, width), without an activation."""
    inputs, height, width = x.shape
    weights, bias = weighted(numbers, (outputs, inputs, kernel, kernel), inputs * kernel**2)
    edge = kernel // 2
    taps = np.ascontiguousarray(weights.transpose(2, 3, 0, 1))  # or products are not those of BLAS
    padded = np.pad(x, ((0, 0), (edge, edge), (edge, edge)))
    y = np.repeat(bias[:, None], height * width, axis=1)
    for v in range(kernel):
        for u in range(kernel):
            shifted = padded[:, v : v + height, u : u + width].reshape(inputs, -1)
            y += taps[v, u] @ shifted
    return y.reshape(outputs, height, width)


def pooled(x: Array) -> Array:
    """The largest of each 2×2 pixels."""
    channels, height, width = x.shape
    return x.reshape(channels, height // 2, 2, width // 2, 2).max(axis=(2, 4))


def enlarged(x: Array, numbers: Numbers) -> Array:
    """A transposed convolution 2×2 with stride 2, which halves the channels."""
    inputs, height, width = x.shape
    weights, bias = weighted(numbers, (inputs, inputs // 2, 2, 2), inputs)
    y = np.tensordot(weights, x, (0, 0)) + bias[:, None, None, None, None]
    return y.transpose(0, 3, 1, 4, 2).reshape(inputs // 2, 2 * height, 2 * width)


def output(side: int, seed: int = IMAGE_SEEDS[0]) -> Array:
    """The network's output of a measured image: (2, side, side)."""
    numbers = Numbers(NETWORK_SEED)
    x = image(side, seed)[None].astype(np.float64)
    beside: list[Array] = []
    for level in range(DEPTH + 1):
        if level:
            beside.append(x)
            x = pooled(x)
        for _ in range(2):
            x = np.maximum(convolved(x, CHANNELS << level, numbers), 0)
    for level in reversed(range(DEPTH)):
        x = np.concatenate([beside[level], enlarged(x, numbers)])
        for _ in range(2):
            x = np.maximum(convolved(x, CHANNELS << level, numbers), 0)
    return convolved(x, OUTPUTS, numbers, kernel=1)


def places(side: int) -> NDArray[np.int64]:
    """Spread by multiples of the golden ratio: over everything, and over the border's pixels."""
    turns = np.arange(POINTS, dtype=np.uint64) * np.uint64(GOLDEN) >> np.uint64(32)
    everywhere = (turns * np.uint64(OUTPUTS * side * side) >> np.uint64(32)).astype(np.int64)
    of_plane = np.arange(OUTPUTS * side * side).reshape(OUTPUTS, side, side)
    inside = of_plane[:, 1:-1, 1:-1]
    border = np.setdiff1d(of_plane, inside)
    on_border = border[(turns * np.uint64(border.size) >> np.uint64(32)).astype(np.int64)]
    return np.where(np.arange(POINTS) % 4 == 0, on_border, everywhere)


def answers(side: int, seed: int, where: NDArray[np.int64]) -> str:
    """Those of one image, as C++ initialises them."""
    y = output(side, seed)
    sums = ", ".join(f"{{{c.sum():.15g}, {(c**2).sum():.15g}}}" for c in y)
    values = ", ".join(f"{value:.9g}" for value in y.ravel()[where])
    return f"{{{np.abs(y).max():.15g}, {{{{{sums}}}}}, {{{values}}}}}"


def table(side: int) -> str:
    """The answers of one side."""
    where = places(side)
    of_images = ", ".join(answers(side, seed, where) for seed in IMAGE_SEEDS)
    return f"{{{side}, {{{', '.join(map(str, where))}}}, {{{{{of_images}}}}}}},"


HEAD = """\
// Known answers, a table a side: made by engines/unet/peers/reference.py in double precision.
#include "kernels/unet/problem.h"

namespace stend::inference {
namespace {

constexpr Problem all_problems[] = {"""
FOOT = """\
};

}  // namespace

std::span<const Problem> problems() {
    return all_problems;
}

}  // namespace stend::inference"""

if __name__ == "__main__":
    print(HEAD, *(table(side) for side in SIDES), FOOT, sep="\n")
