"""How well the shipped model finds inclusions: `score.py [MODEL] [--count 240]`.

Comes in: an ONNX file, by default the one that comes with stend; goes out: tables of Dice scores on
held-out cases, computed by stend's own engine, beside thresholds.
"""

import argparse
import datetime
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from classical import Mask, best_thresholds, thresholded
from held_out import KINDS, held_out, never_taught
from numpy.typing import NDArray
from scans import Case, measured_noise
from scipy import ndimage

import stend_unet

METHODS = ("network", "Otsu", "best thresholds")
DIAMETERS = (1.5, 2.5, 4, 7, 12, 25)
CONTRASTS = (0.25, 1, 2, 4, 8, np.inf)
NOISES = (0, 0.02, 0.05, 0.1, 0.2, np.inf)
COLLAR = 3
"""What is found so many pixels around an inclusion is counted as of it."""


@dataclass(frozen=True)
class Counts:
    """Pixels that are right, found and true, of each method."""

    right: NDArray[np.int64]
    found: NDArray[np.int64]
    true: int

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.right + other.right, self.found + other.found, self.true + other.true)

    @property
    def dice(self) -> NDArray[np.float64]:
        return 2 * self.right / np.maximum(self.found + self.true, 1)

    @property
    def iou(self) -> NDArray[np.float64]:
        return self.dice / (2 - self.dice)


NONE = Counts(np.zeros(len(METHODS), np.int64), np.zeros(len(METHODS), np.int64), 0)


def counted(found: list[Mask], truth: Mask, where: Mask | slice = slice(None)) -> Counts:
    return Counts(
        np.array([np.count_nonzero(mask[where] & truth[where]) for mask in found]),
        np.array([np.count_nonzero(mask[where]) for mask in found]),
        np.count_nonzero(truth[where]),
    )


@dataclass(frozen=True)
class Scored:
    noise: float
    """Of the slice, the matrix being 1."""
    whole: Counts
    each: list[tuple[float, float, Counts]]
    """Of each inclusion: its diameter in pixels, its contrast over the noise, what was found."""


def scored(case: Case, model: stend_unet.Model, index: int) -> Scored:
    found = [
        stend_unet.segment(case.slice, model, threads=1) == 1,
        thresholded(case.slice),
        best_thresholds(case),
    ]
    noise = measured_noise(case, np.random.default_rng((1, index)))
    return Scored(noise, counted(found, case.mask), list(inclusions(case, found, noise)))


def inclusions(
    case: Case, found: list[Mask], noise: float
) -> Iterable[tuple[float, float, Counts]]:
    """Each pixel in a collar around all of them belongs to the nearest."""
    if not case.mask.any():
        return
    parts, _ = ndimage.label(case.mask, np.ones((3, 3)))
    distance, nearest = ndimage.distance_transform_edt(~case.mask, return_indices=True)
    owner = np.where(distance <= COLLAR, parts[tuple(nearest)], 0)
    middle = (len(parts) - 1) / 2
    windows = ndimage.find_objects(owner)
    for outline, value in case.specimen.inclusions:
        number = parts[round(middle - outline.y), round(middle + outline.x)]
        if number:
            window = windows[number - 1]
            here = owner[window] == number
            counts = counted([mask[window] for mask in found], case.mask[window], here)
            yield 2 * np.sqrt(outline.area / np.pi), abs(value) / noise, counts


def row(name: str, counts: Counts, number: int) -> str:
    shown = " | ".join(
        f"{dice:.3f} ({iou:.3f})" for dice, iou in zip(counts.dice, counts.iou, strict=True)
    )
    return f"| {name} | {number} | {shown} |"


def header(first: str, counted: str) -> str:
    return f"\n| {first} | {counted} | {' | '.join(METHODS)} |\n|{' --- |' * (2 + len(METHODS))}"


def print_whole(cases: list[Scored]) -> None:
    filled, empty = ([c for c in cases if bool(c.whole.true) is some] for some in (True, False))
    print(header("Dice (IoU)", "specimens"))
    print(row("all pixels together", sum((c.whole for c in filled), NONE), len(filled)))
    for name, of in (("median specimen", np.median), ("mean of specimens", np.mean)):
        dice, iou = (
            of([getattr(c.whole, which) for c in filled], axis=0) for which in ("dice", "iou")
        )
        shown = " | ".join(f"{a:.3f} ({b:.3f})" for a, b in zip(dice, iou, strict=True))
        print(f"| {name} | {len(filled)} | {shown} |")
    for low, high in itertools.pairwise(NOISES):
        of = [c.whole for c in filled if low <= c.noise < high]
        print(row(f"noise {low:g} to {high:g} of the matrix", sum(of, NONE), len(of)))
    pixels = sum((c.whole for c in empty), NONE).found[:2]
    print(
        f"\nIn {len(empty)} specimens without inclusions the network finds {pixels[0]} pixels, "
        f"Otsu's threshold {pixels[1]}."
    )


def print_each(cases: list[Scored]) -> None:
    each = [one for case in cases for one in case.each]
    print(header("diameter, pixels", "inclusions"))
    for low, high in itertools.pairwise(DIAMETERS):
        of = [counts for diameter, _, counts in each if low <= diameter < high]
        print(row(f"{low:g} to {high:g}", sum(of, NONE), len(of)))
    print(header("contrast over noise", "inclusions"))
    for low, high in itertools.pairwise(CONTRASTS):
        of = [counts for _, contrast, counts in each if low <= contrast < high]
        print(row(f"{low:g} to {high:g}", sum(of, NONE), len(of)))
    print("\nDice of the network, by diameter (down) and contrast over noise (across):\n")
    print(f"| | {' | '.join(f'{a:g} to {b:g}' for a, b in itertools.pairwise(CONTRASTS))} |")
    print(f"|{' --- |' * len(CONTRASTS)}")
    for low, high in itertools.pairwise(DIAMETERS):
        cells = []
        for faint, strong in itertools.pairwise(CONTRASTS):
            of = [n for d, c, n in each if low <= d < high and faint <= c < strong]
            cells.append(f"{sum(of, NONE).dice[0]:.3f}" if len(of) >= 5 else "")
        print(f"| {low:g} to {high:g} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, nargs="?", help="by default what comes with stend")
    parser.add_argument("--count", type=int, default=240, help="of held-out specimens")
    parser.add_argument("--each", type=int, default=20, help="of each kind that was never taught")
    given = parser.parse_args()
    model = stend_unet.read_model(given.model) if given.model else stend_unet.shipped()
    print(f"{datetime.datetime.now(datetime.UTC):%F}; {model.properties['stend.source']}")
    cases = [scored(case, model, index) for index, case in enumerate(held_out(given.count))]
    print_whole(cases)
    print_each(cases)
    print(header("never taught: Dice (IoU)", "specimens"))
    for kind in KINDS:
        of = [scored(c, model, k).whole for k, c in enumerate(never_taught(kind, given.each))]
        print(row(kind, sum(of, NONE), len(of)), flush=True)


if __name__ == "__main__":
    main()
