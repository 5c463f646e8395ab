"""Compares the engines' kernels in wheels with those that were built on this machine.

kernels.py NATIVE_PYTHON WHEEL_PYTHON [PAIRS]

Each side is a process on the second core that does a piece of work when asked, in turn: native,
wheel, wheel, native, … Prints the median of the ratios of their times and the range of 80% of them.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator


def works() -> Iterator[tuple[str, Callable[[], object]]]:
    """Pieces of work of some milliseconds each."""
    import numpy as np

    import stend_gost
    import stend_tomo
    import stend_unet

    text = bytes(4 << 20)
    for name in ("Kuznyechik", "Magma"):
        cipher = getattr(stend_gost, name)(bytes(range(32)))
        nonce = bytes(8 if name == "Kuznyechik" else 4)
        for mode in (stend_gost.modes.CTR(nonce), stend_gost.modes.ECB()):
            encryptor = stend_gost.Cipher(cipher, mode).encryptor()
            yield f"{name} {type(mode).__name__}", lambda e=encryptor: e.update(text)
    angles = np.pi * np.arange(360) / 360
    projections = np.random.default_rng(1).normal(size=(360, 8, 256)).astype(np.float32)
    for algorithm in ("dfr", "fbp", "hfbp"):
        yield (
            f"tomography {algorithm}",
            lambda a=algorithm: stend_tomo.reconstruct(projections, angles, algorithm=a),
        )
    image = np.random.default_rng(1).normal(size=(1, 128, 128)).astype(np.float32)
    yield "U-Net", lambda: stend_unet.segment(image)


def serve() -> None:
    """Do the work whose number is read, and print its nanoseconds."""
    os.sched_setaffinity(0, {1})
    all_works = list(works())
    print(*(name for name, _ in all_works), sep=";", flush=True)
    for line in sys.stdin:
        begun = time.perf_counter_ns()
        all_works[int(line)][1]()
        print(time.perf_counter_ns() - begun, flush=True)


def main(pythons: list[str], pairs: int) -> None:
    """Measure in turn, and print a table."""
    sides = [
        subprocess.Popen(
            [python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for python in pythons
    ]

    def told(side: "subprocess.Popen[str]", number: int) -> int:
        assert side.stdin
        assert side.stdout
        print(number, file=side.stdin, flush=True)
        return int(side.stdout.readline())

    names, _ = (side.stdout.readline().strip().split(";") for side in sides if side.stdout)
    print("| work | native, ms | wheel, times native | 10% … 90% | pairs |\n|" + " --- |" * 5)
    for number, name in enumerate(names):
        for side in sides:
            told(side, number)
        times: list[tuple[int, int]] = []
        for pair in range(pairs):
            order = sides if pair % 2 == 0 else sides[::-1]
            first, second = (told(side, number) for side in order)
            times.append((first, second) if pair % 2 == 0 else (second, first))
        ratios = [wheel / native for native, wheel in times]
        tenth = statistics.quantiles(ratios, n=10)
        middle = statistics.median(native for native, _ in times) / 1e6
        print(
            f"| {name} | {middle:.2f} | **{statistics.median(ratios):.3f}** "
            f"| {tenth[0]:.2f} … {tenth[-1]:.2f} | {pairs} |",
            flush=True,
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) > 3 else 60)
    else:
        serve()
