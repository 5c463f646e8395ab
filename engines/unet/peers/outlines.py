"""Plane figures that are known exactly: ellipses and polygons, their line integrals and coverage.

Comes in: figures with a value each, in pixels from the axis of rotation, x to the right and y
upwards; goes out: projections, and how much of each pixel is covered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stend_tomo import phantoms

Floats = NDArray[np.float32]
Points = NDArray[np.float64]

FINE = 8
"""A pixel's coverage by a polygon is counted on so many points a side."""


@dataclass(frozen=True)
class Ellipse:
    x: float
    y: float
    a: float
    b: float
    turn: float = 0
    """Radians, counter-clockwise."""

    @property
    def area(self) -> float:
        return float(np.pi * self.a * self.b)

    @property
    def reach(self) -> float:
        """No point is further from (x, y)."""
        return max(self.a, self.b)

    def holds(self, x: Points, y: Points) -> NDArray[np.bool_]:
        along = (x - self.x) * np.cos(self.turn) + (y - self.y) * np.sin(self.turn)
        across = (y - self.y) * np.cos(self.turn) - (x - self.x) * np.sin(self.turn)
        return np.asarray((along / self.a) ** 2 + (across / self.b) ** 2 <= 1)


@dataclass(frozen=True)
class Polygon:
    """Convex; its corners counter-clockwise around (x, y), relative to it."""

    x: float
    y: float
    corners: tuple[tuple[float, float], ...]

    @property
    def area(self) -> float:
        x, y = np.transpose(self.corners)
        return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)

    @property
    def reach(self) -> float:
        return float(np.max(np.hypot(*np.transpose(self.corners))))

    def holds(self, x: Points, y: Points) -> NDArray[np.bool_]:
        inside = np.ones(np.broadcast(x, y).shape, bool)
        for (x0, y0), (x1, y1) in self.edges():
            inside &= (x1 - x0) * (y - self.y - y0) - (y1 - y0) * (x - self.x - x0) >= 0
        return inside

    def edges(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        return list(zip(self.corners, self.corners[1:] + self.corners[:1], strict=True))


Outline = Ellipse | Polygon
Matter = Sequence[tuple[Outline, float]]
"""Figures, and what is inside each has this value more."""


def rounded_box(width: float, height: float, radius: float, turn: float) -> Polygon:
    """A box around the origin, each of its corners an arc of six chords."""
    corners = []
    for quarter, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(7):
            angle = (quarter + step / 6) * np.pi / 2
            corners.append(
                (
                    right * (width / 2 - radius) + radius * np.cos(angle),
                    up * (height / 2 - radius) + radius * np.sin(angle),
                )
            )
    return Polygon(0, 0, turned(corners, turn))


def turned(corners: Sequence[tuple[float, float]], turn: float) -> tuple[tuple[float, float], ...]:
    cos, sin = np.cos(turn), np.sin(turn)
    return tuple((float(x * cos - y * sin), float(x * sin + y * cos)) for x, y in corners)


def projections(matter: Matter, angles: NDArray[np.float64], columns: int, center: float) -> Floats:
    """Line integrals (angles, columns), each the average over its column's width."""
    ellipses = ellipsoids(matter)
    out = np.zeros((len(angles), columns), np.float32)
    if ellipses:
        out = phantoms.line_integrals(
            ellipses, angles, columns, center=center, unit=1.0, threads=1
        )[:, 0]
    borders = np.arange(columns + 1) - 0.5 - center
    for outline, value in matter:
        if isinstance(outline, Polygon):
            out += value * np.diff(areas_below(outline, angles, borders)).astype(np.float32)
    return out


def areas_below(
    polygon: Polygon, angles: NDArray[np.float64], borders: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The area that a polygon has left of each border, as seen at each angle.

    By Green's theorem: with s along the detector and t along the ray, the integral of -t ds over
    that part of the boundary.
    """
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    below = np.zeros((len(angles), len(borders)))
    for (x0, y0), (x1, y1) in polygon.edges():
        s0, s1 = ((polygon.x + x) * cos + (polygon.y + y) * sin for x, y in ((x0, y0), (x1, y1)))
        t0, t1 = ((polygon.y + y) * cos - (polygon.x + x) * sin for x, y in ((x0, y0), (x1, y1)))
        length = np.where(s1 == s0, 1, s1 - s0)
        first, last = np.minimum(s0, borders), np.minimum(s1, borders)
        t_first = t0 + (t1 - t0) * (first - s0) / length
        t_last = t0 + (t1 - t0) * (last - s0) / length
        below -= (t_first + t_last) / 2 * (last - first)
    return below


def coverage(outlines: Sequence[Outline], size: int) -> Floats:
    """How much of each pixel of a slice, row 0 at the top, lies in figures that don't overlap."""
    out = np.zeros((size, size), np.float32)
    ellipses = ellipsoids([(outline, 1.0) for outline in outlines])
    if ellipses:
        out = phantoms.picture(ellipses, size, unit=1.0, threads=1)[0]
    for outline in outlines:
        if isinstance(outline, Polygon):
            add_coverage(out, outline)
    return out


def add_coverage(out: Floats, polygon: Polygon) -> None:
    middle = (len(out) - 1) / 2
    left, top = polygon.x + middle - polygon.reach, middle - polygon.y - polygon.reach
    side = int(2 * polygon.reach) + 3
    column, row = (max(0, min(len(out) - side, int(first) - 1)) for first in (left, top))
    fine = (np.arange(side * FINE) + 0.5) / FINE - 0.5
    inside = polygon.holds(column + fine - middle, middle - row - fine[:, None])
    share = inside.reshape(side, FINE, side, FINE).mean((1, 3), dtype=np.float32)
    out[row : row + side, column : column + side] += share


def ellipsoids(matter: Matter) -> list[phantoms.Ellipsoid]:
    return [
        phantoms.Ellipsoid(value, each.a, each.b, np.inf, each.x, each.y, phi=each.turn)
        for each, value in matter
        if isinstance(each, Ellipse)
    ]
