"""Slices by other people's software and by stend, in turn on one core, and how exact each is.

    python versus.py ROUNDS [PEER…]

The phantom is Shepp and Logan's in Toft's contrast; line integrals are averages over detector
pixels. Everybody gets the same sinogram, and what can be prepared once is. Prints a table a
problem: medians of milliseconds a slice, the time over ours, pair by pair, and the root mean square
errors ten pixels inside the circle.
"""

import statistics
import sys
import time

import numpy as np
from peers import PEERS, Picture, Work

from stend_tomo import Reconstructor
from stend_tomo.phantoms import line_integrals, phantom, picture, rmse

PROBLEMS = {
    "511 × 360 over 180°": (511, np.arange(360) * 0.5),
    "511 × 420 over 210°": (511, np.arange(1, 421) * 0.5),
    "1175 × 400 over 200°": (1175, np.arange(1, 401) * 0.5),
}
"""Detector pixels, and angles in degrees."""
OURS = ("dfr", "dfr_half", "fbp", "fbp_int16", "hfbp", "hfbp_fine")
SLICES = 32


def ours(name: str, sinogram: Picture, angles: np.ndarray) -> Work:
    """A batch of different slices by stend, as its Python users get it; the first is returned."""
    sinograms = sinogram * np.arange(1, SLICES + 1, dtype=np.float32)[:, None, None]
    reconstructor = Reconstructor(sinogram.shape[1], angles, algorithm=name, threads=1)
    out = np.zeros((SLICES, reconstructor.size, reconstructor.size), np.float32)
    return lambda: reconstructor(sinograms, sinogram_order=True, out=out)[0]


def seconds(work: Work) -> float:
    """How long one call takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def compare(names: list[str], rounds: int, problem: str) -> None:
    """Print the table of one problem."""
    n, degrees = PROBLEMS[problem]
    angles = np.deg2rad(degrees)
    solids = phantom("modified-shepp-logan")
    sinogram = np.ascontiguousarray(line_integrals(solids, angles, n)[:, 0])
    exact = picture(solids, n)[0]
    candidates: dict[str, tuple[Work, int]] = {}
    for name in names:
        prepare, slices = PEERS[name]
        candidates[name] = prepare(sinogram, angles), slices
    for name in OURS:
        candidates[f"stend {name}"] = ours(name, sinogram, angles), SLICES
    errors = {name: error(work, exact) for name, (work, _) in candidates.items()}
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, (work, slices) in candidates.items():
            times[name].append(1e3 * seconds(work) / slices)
    print(f"\n{problem}\n")
    print("| | ms a slice | over stend dfr | over stend fbp | RMSE |")
    print("| --- | --- | --- | --- | --- |")
    for name, own in times.items():
        over = [f"×{ratio(own, times[f'stend {base}']):.3g}" for base in ("dfr", "fbp")]
        print(
            f"| {name} | {statistics.median(own):.3g} | {' | '.join(over)} | {errors[name]:.5f} |"
        )


def error(work: Work, exact: Picture) -> float:
    """The root mean square error of the slice."""
    return float(rmse(np.asarray(work(), np.float32).copy(), exact))


def ratio(theirs: list[float], ours: list[float]) -> float:
    """The median of the ratios, pair by pair."""
    return statistics.median(a / b for a, b in zip(theirs, ours, strict=True))


if __name__ == "__main__":
    for problem in PROBLEMS:
        compare(sys.argv[2:] or list(PEERS), int(sys.argv[1]), problem)
