"""Images by ONNX Runtime and by each variant of stend, in turn in one process.

    python versus.py THREADS ROUNDS

Both are the kernels that `stend run unet` measures: the classic network, an image of 256×256
numbers, arrays that stay. Comes out, for ../pairs.py, a line a pair: precision, variant, operations
of direct convolution and the seconds of both; on standard error what proved each.
"""

import sys
import time

from stend import native
from stend.benchmarks.unet import BLAS, PEER, REFERENCE, best_blas, direct_flops
from stend.benchmarks.unet.peer import Session

SIDE = 256
SPINNING = 0.02
"""Seconds: threads of ONNX Runtime spin for a while after an image, on what others need."""

CLOCK = native.clock.default()
HZ = native.clock.calibrate(CLOCK, 0.2).hz


class Timed:
    """A kernel that is ready, and what one image takes it."""

    def __init__(self, name: str, kernel: native.Kernel) -> None:
        self.name, self._kernel = name, kernel
        kernel.prepare()
        self._sampler = native.sampler.Sampler(kernel, CLOCK)
        self.seconds()

    def seconds(self) -> float:
        """Take one image."""
        time.sleep(SPINNING)
        made = self._sampler.collect(1, 1, 600.0)
        if not made.right:
            raise SystemExit(f"{self.name}: {self._kernel.prove().said}")
        return float(made.ticks[0]) / HZ

    def tell(self) -> None:
        """What proves it."""
        print(f"{self.name}: {self._kernel.prove().said} {self._kernel.about}", file=sys.stderr)


def ours(threads: int) -> dict[tuple[str, str], Timed]:
    """Every variant that runs here, but the reference."""
    found = {}
    for precision in ("float32", "bf16x3", "bf16"):
        for variant in native.inference.variants(precision):
            library = best_blas() if variant.name == BLAS else None
            if variant.name == REFERENCE or not variant.available:
                continue
            if variant.name == BLAS and library is None:
                continue
            kernel = native.inference.kernel(
                precision, SIDE, threads, variant.name, library.to_load() if library else None
            )
            name = f"{precision} {variant.name}"
            found[precision, variant.name] = Timed(name, kernel)
    return found


def main(threads: int, rounds: int) -> None:
    """Print the pairs; the order of ours is turned round each time."""
    theirs = Timed(PEER, native.sampler.work(Session(SIDE, threads)))
    candidates = ours(threads)
    for turn in range(rounds):
        names = list(candidates)
        for name in names if turn % 2 else reversed(names):
            took = theirs.seconds(), candidates[name].seconds()
            print(*name, direct_flops(SIDE), *took)
    for each in (theirs, *candidates.values()):
        each.tell()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
