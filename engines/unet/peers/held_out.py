"""Cases that the network never saw: of other seeds, and of kinds it wasn't taught.

Comes in: how many are wanted; goes out: cases with their truth.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from outlines import Ellipse, Matter, Polygon, turned
from scans import Case, Scanner, case, scanned, scanner
from specimens import (
    FAINTEST,
    Random,
    Specimen,
    between,
    disc,
    ellipse,
    grain,
    grains,
    materials,
)

SEED = 1979
SIZES = (256, 256, 256, 256, 256, 256, 200, 300, 384, 511)
"""Sides by turns."""

Drawn = tuple[Specimen, Scanner]


def held_out(count: int) -> Iterator[Case]:
    """Cases as those of training."""
    for index in range(count):
        yield case((SEED, index), SIZES[index % len(SIZES)])


def never_taught(kind: str, count: int) -> Iterator[Case]:
    """Cases of one of `KINDS`."""
    for index in range(count):
        rng = np.random.default_rng((SEED, list(KINDS).index(kind), index))
        specimen, by = KINDS[kind](rng)
        yield scanned(specimen, by, rng)


def usual(rng: Random, shape: Callable[..., Ellipse | Polygon] = grain) -> Drawn:
    by, body = scanner(rng), rng.choice([disc, ellipse])(rng, 256)
    contrasts = materials(rng, by.noise(0.8 * 256))
    return Specimen(256, body, [], grains(rng, 256, body, contrasts, shape)), by


def polygons(rng: Random) -> Drawn:
    return usual(rng, splinter)


def splinter(rng: Random, x: float, y: float, diameter: float) -> Polygon:
    """Three to six corners on an ellipse of that diameter."""
    sides, (a, b) = int(rng.integers(3, 7)), diameter / 2 * rng.uniform(0.6, 1.4, 2)
    angles = (np.arange(sides) + rng.uniform(-0.25, 0.25, sides)) * 2 * np.pi / sides
    corners = [(a * np.cos(angle), b * np.sin(angle)) for angle in angles]
    return Polygon(x, y, turned(corners, rng.uniform(0, np.pi)))


def larger(rng: Random) -> Drawn:
    """Inclusions of 30 to 50 pixels."""
    return usual(rng, lambda rng, x, y, _: grain(rng, x, y, between(rng, 30, 50)))


def needles(rng: Random) -> Drawn:
    """Inclusions ten times as long as wide."""

    def needle(rng: Random, x: float, y: float, diameter: float) -> Ellipse:
        width = max(1.5, diameter / 5)
        return Ellipse(x, y, 5 * width, width / 2, rng.uniform(0, np.pi))

    return usual(rng, needle)


def clusters(rng: Random) -> Drawn:
    """Round inclusions of one material that touch each other."""
    specimen, by = usual(rng)
    value = materials(rng, by.noise(0.8 * 256))[0]
    found: Matter = []
    for outline, _ in specimen.inclusions:
        radius = min(6.0, outline.reach) / 2
        for side in (-1, 1):
            found = [*found, (Ellipse(outline.x + side * radius, outline.y, radius, radius), value)]
    return replace(specimen, inclusions=found), by


def fibres(rng: Random) -> Drawn:
    """A matrix of long faint fibres side by side, as of wood."""
    specimen, by = usual(rng)
    assert specimen.body is not None
    turn, body, found = rng.uniform(0, np.pi), specimen.body, []
    for _ in range(200):
        x, y = rng.uniform(-0.46, 0.46, 2) * 256
        length = rng.uniform(10, 30)
        if body.has_room(x, y, length):
            fibre = Ellipse(x, y, length, rng.uniform(1, 2.5), turn)
            found.append((fibre, rng.uniform(-1, 1) * FAINTEST))
    return replace(specimen, texture=found), by


def metal(rng: Random) -> Drawn:
    """Inclusions that attenuate ten to twenty times as much as the matrix: streaks."""
    specimen, by = usual(rng)
    dense = [(outline, rng.uniform(9, 19)) for outline, _ in specimen.inclusions]
    return replace(specimen, inclusions=dense), by


def few_angles(rng: Random) -> Drawn:
    """60 projections."""
    specimen, by = usual(rng)
    return specimen, replace(by, angles=60)


KINDS: dict[str, Callable[[Random], Drawn]] = {
    "polygons": polygons,
    "needles": needles,
    "touching pairs": clusters,
    "30 to 50 pixels": larger,
    "fibrous matrix": fibres,
    "metal": metal,
    "60 angles": few_angles,
}
