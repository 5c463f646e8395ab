"""Specimens drawn by chance: a body of one material, and inclusions in it.

Comes in: a random generator, the size of the field of view, the noise to expect; goes out: figures
with their values, the matrix being 1 and the air around it 0.

An inclusion is a body of 1.5 to 25 pixels across, wholly inside the matrix, that attenuates more or
less than the matrix does: a grain or a pore. What belongs to the matrix is none: its texture, which
is fainter than any inclusion, its coat, and the bore of a hollow cylinder, which is wider.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from outlines import Ellipse, Matter, Outline, Points, rounded_box

Random = np.random.Generator

SMALLEST, LARGEST = 1.5, 25.0
"""Inclusions' diameters in pixels, those of circles of their area."""
FAINTEST = 0.06
"""An inclusion's least contrast to the matrix; the texture's is at most FAINTEST / 2."""
ROOM = 1.5
"""Pixels between an inclusion and what is beside it."""


@dataclass(frozen=True)
class Body:
    """What inclusions are in."""

    outline: Outline
    coat: float = 0
    """The outermost pixels, which are of another material."""
    coat_value: float = 0
    bore: Outline | None = None

    def matter(self) -> Matter:
        if self.coat:
            assert isinstance(self.outline, Ellipse)
            return [(self.outline, self.coat_value), (self.matrix(), 1 - self.coat_value)]
        return [(self.outline, 1.0), *([(self.bore, -1.0)] if self.bore else [])]

    def matrix(self) -> Outline:
        if not self.coat:
            return self.outline
        whole = self.outline
        assert isinstance(whole, Ellipse)
        return Ellipse(whole.x, whole.y, whole.a - self.coat, whole.b - self.coat, whole.turn)

    def has_room(self, x: float, y: float, radius: float) -> bool:
        """Whether a circle lies inside the matrix, as far as 16 points on it tell."""
        around = np.arange(16) * np.pi / 8
        xs, ys = x + radius * np.cos(around), y + radius * np.sin(around)
        return bool(self.has(xs, ys).all() and self.has(np.array(x), np.array(y)))

    def has(self, x: Points, y: Points) -> NDArray[np.bool_]:
        """Which points lie inside the matrix."""
        inside = self.matrix().holds(x, y)
        return inside & ~self.bore.holds(x, y) if self.bore else inside


@dataclass(frozen=True)
class Specimen:
    size: int
    body: Body | None
    texture: Matter
    inclusions: Matter

    def matter(self) -> Matter:
        return [*(self.body.matter() if self.body else []), *self.texture, *self.inclusions]

    def thickness(self) -> float:
        """About the longest way of a ray through it, in pixels."""
        return 2 * self.body.outline.reach if self.body else float(self.size)


def specimen(rng: Random, size: int, noise: float) -> Specimen:
    """Draw one; `noise` is the standard deviation to expect in its slice, at most."""
    if rng.random() < 0.02:
        return Specimen(size, None, [], [])
    shape = beyond if rng.random() < 0.05 else rng.choice(BODIES)
    body = shape(rng, size)
    contrasts = materials(rng, noise)
    inclusions: list[tuple[Outline, float]] = []
    if rng.random() > 0.08:
        inclusions = grains(rng, size, body, contrasts)
    return Specimen(size, body, texture(rng, size, body), inclusions)


def disc(rng: Random, size: int) -> Body:
    radius = rng.uniform(0.25, 0.46) * size
    return Body(Ellipse(*off_axis(rng, size, radius), radius, radius))


def ellipse(rng: Random, size: int) -> Body:
    a = rng.uniform(0.3, 0.46) * size
    return Body(
        Ellipse(*off_axis(rng, size, a), a, a * rng.uniform(0.4, 0.95), rng.uniform(0, np.pi))
    )


def box(rng: Random, size: int) -> Body:
    diagonal, shape = rng.uniform(0.6, 0.94) * size, rng.uniform(0.4, 1.15)
    width, height = diagonal * np.cos(shape), diagonal * np.sin(shape)
    radius = rng.uniform(0.05, 0.45) * min(width, height)
    return Body(rounded_box(width, height, radius, rng.uniform(0, np.pi)))


def hollow_cylinder(rng: Random, size: int) -> Body:
    radius = rng.uniform(0.33, 0.46) * size
    x, y = off_axis(rng, size, radius)
    inner = rng.uniform(0.3, 0.7) * radius
    aside = rng.uniform(0, 0.3) * (radius - inner)
    return Body(Ellipse(x, y, radius, radius), bore=Ellipse(x + aside, y, inner, inner))


def coated(rng: Random, size: int) -> Body:
    radius = rng.uniform(0.3, 0.46) * size
    return Body(
        Ellipse(*off_axis(rng, size, radius), radius, radius),
        coat=rng.uniform(0.04, 0.15) * radius,
        coat_value=rng.uniform(0.3, 2.0),
    )


def beyond(rng: Random, size: int) -> Body:
    """A disc wider than the field of view."""
    radius = rng.uniform(0.55, 0.8) * size
    return Body(Ellipse(0, 0, radius, radius))


BODIES = (disc, ellipse, box, hollow_cylinder, coated)


def off_axis(rng: Random, size: int, radius: float) -> tuple[float, float]:
    """Where the middle is, so that all projections see the whole of it."""
    x, y = rng.uniform(-1, 1, 2) * (0.48 * size - radius) / np.sqrt(2)
    return float(x), float(y)


def materials(rng: Random, noise: float) -> list[float]:
    """What one to three kinds of inclusions have more than the matrix: from about the noise on."""
    faintest = min(max(noise / 2, FAINTEST), 0.7)
    found = []
    for _ in range(rng.integers(1, 4)):
        if rng.random() < 0.5:
            empty = rng.random() < 0.3
            found.append(-1.0 if empty else -between(rng, faintest, 1))
        else:
            found.append(between(rng, faintest, 2 if rng.random() < 0.8 else 6))
    return found


def grains(
    rng: Random,
    size: int,
    body: Body,
    contrasts: list[float],
    shape: Callable[..., Outline] | None = None,
) -> list[tuple[Outline, float]]:
    """Inclusions side by side, up to 25% of the field of view, most specimens with far fewer."""
    few, many = sorted(between(rng, SMALLEST, LARGEST) for _ in range(2))
    wanted = rng.integers(1, 80)
    found: list[tuple[Outline, float]] = []
    places = np.empty((0, 3))
    for _ in range(8 * wanted):
        diameter = between(rng, few, many)
        x, y = rng.uniform(-0.46, 0.46, 2) * size
        each = (shape or grain)(rng, x, y, diameter)
        apart = np.hypot(places[:, 0] - x, places[:, 1] - y) - places[:, 2] - each.reach
        if (apart > ROOM).all() and body.has_room(x, y, each.reach + ROOM):
            places = np.vstack([places, (x, y, each.reach)])
            found.append((each, float(rng.choice(contrasts) * rng.uniform(0.9, 1))))
        if len(found) == wanted:
            break
    return found


def grain(rng: Random, x: float, y: float, diameter: float) -> Ellipse:
    stretch = np.sqrt(rng.uniform(1, 2.5))
    return Ellipse(
        x, y, diameter / 2 * stretch, diameter / 2 / stretch, float(rng.uniform(0, np.pi))
    )


def texture(rng: Random, size: int, body: Body) -> Matter:
    """Faint spots of all sizes, of half of all specimens."""
    if rng.random() < 0.5:
        return []
    strength = rng.uniform(0.1, 0.5) * FAINTEST
    spots: list[tuple[Outline, float]] = []
    for _ in range(rng.integers(20, 200)):
        x, y = rng.uniform(-0.46, 0.46, 2) * size
        spot = grain(rng, x, y, between(rng, 4, 50))
        if body.has_room(x, y, spot.reach):
            spots.append((spot, float(rng.uniform(-1, 1) * strength)))
    return spots


def between(rng: Random, low: float, high: float) -> float:
    """Evenly by its logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))
