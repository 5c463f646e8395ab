"""Images by other libraries and by variants of stend, in turn in one process.

    python versus.py THREADS ROUNDS

All are kernels as `stend run unet` measures them: the classic network, two images of 256×256
numbers in turn, arrays that stay, each output held against known answers. ONNX Runtime has every
variant right behind it, the others the best of their precision. Comes out, for peers/pairs.py, a
line a pair: the peer and its precision, the variant and its own, operations of direct convolution
and the seconds of both; on standard error what proved each, and which are not installed.
"""

import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from stend import native
from stend.benchmarks.families.unet import BLAS, PEER, REFERENCE, best_blas, direct_flops
from stend.benchmarks.families.unet.peer import Library, OnnxRuntime, Peer

SIDE = 256
WINDOW, AT_REST, WINDOWS = 0.02, 0.1, 100
"""Seconds that are watched at a time, the share of a core that threads at rest take of them, and
how many times they are watched before this gives up."""

CLOCK = native.clock.default()
HZ = native.clock.calibrate(CLOCK, 0.2).hz


class Name(NamedTuple):
    """What is measured, in which precision."""

    who: str
    precision: str


PACKAGES = {
    Name(PEER, "float32"): "onnxruntime",
    Name("openvino", "float32"): "openvino",
    Name("pytorch", "float32"): "torch",
    Name("ncnn", "float32"): "ncnn",
    Name("openvino", "bf16"): "openvino",
    Name("pytorch", "bf16"): "torch",
    Name("ncnn", "bf16"): "ncnn",
}
"""What brings each peer."""


class Timed:
    """A kernel that is ready, and what one image takes it."""

    def __init__(self, name: Name, kernel: native.Kernel) -> None:
        self.name, self._kernel = name, kernel
        kernel.prepare()
        self._sampler = native.sampler.Sampler(kernel, CLOCK)
        self.seconds(), self.seconds()  # each image once

    def seconds(self) -> float:
        """Take one image, when all threads of this process are at rest."""
        come_to_rest()
        made = self._sampler.collect(1, 1, 600.0)
        if not made.right:
            raise SystemExit(f"{' '.join(self.name)}: {self._kernel.prove().said}")
        return float(made.ticks[0]) / HZ

    def tell(self) -> None:
        """What proves it."""
        said = f"{' '.join(self.name)}: {self._kernel.prove().said} {self._kernel.about}"
        print(said, file=sys.stderr)


def come_to_rest() -> None:
    """Wait until the threads of whoever was last have gone to sleep: they spin on what others need.

    ONNX Runtime's spin for 32 ms after an image, on a Zen 5.
    """
    for _ in range(WINDOWS):
        before = time.process_time()
        time.sleep(WINDOW)
        if time.process_time() - before < AT_REST * WINDOW:
            return
    raise SystemExit(f"Threads did not come to rest within {WINDOWS * WINDOW:g} s.")


def library(name: Name) -> Library:
    """A peer that is installed."""
    match name.who:
        case "openvino":
            from by_openvino import OpenVino

            return OpenVino(name.precision)
        case "pytorch":
            from by_torch import Torch

            return Torch(name.precision)
        case "ncnn":
            from by_ncnn import Ncnn

            return Ncnn(name.precision)
    return OnnxRuntime()


def peers(threads: int, precisions: set[str]) -> Iterator[Timed]:
    """Those that are installed, in precisions that stend has here."""
    absent = {each for each in PACKAGES.values() if not find_spec(each)}
    for package in sorted(absent):
        print(f"Left out: `pip install {package}` brings {package}.", file=sys.stderr)
    for name, package in PACKAGES.items():
        if package not in absent and name.precision in precisions:
            kernel = Peer(library(name), SIDE, threads, name.precision)
            yield Timed(name, native.sampler.work(kernel))


def ours(threads: int) -> Iterator[Timed]:
    """Every variant that runs here, but the reference; the last of a precision is the best."""
    for precision in ("float32", "bf16x3", "bf16"):
        for variant in native.unet.variants(precision):
            blas = best_blas() if variant.name == BLAS else None
            if variant.name == REFERENCE or not variant.available:
                continue
            if variant.name == BLAS and blas is None:
                continue
            loaded = blas.to_load() if blas else None
            kernel = native.unet.kernel(precision, SIDE, threads, variant.name, loaded)
            yield Timed(Name(variant.name, precision), kernel)


def pairs(theirs: list[Timed], variants: list[Timed]) -> Iterator[tuple[Timed, Timed]]:
    """Who is measured beside whom."""
    best = {each.name.precision: each for each in variants}
    for peer in theirs:
        beside = variants if peer.name.who == PEER else [best[peer.name.precision]]
        yield from ((peer, each) for each in beside)


def main(threads: int, rounds: int) -> None:
    """Print the pairs; their order is turned round each time."""
    variants = list(ours(threads))
    theirs = list(peers(threads, {each.name.precision for each in variants}))
    both = list(pairs(theirs, variants))
    for turn in range(rounds):
        for peer, own in reversed(both) if turn % 2 else both:
            took = peer.seconds(), own.seconds()
            print(*peer.name, *own.name, direct_flops(SIDE), *took)
    for each in (*theirs, *variants):
        each.tell()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
