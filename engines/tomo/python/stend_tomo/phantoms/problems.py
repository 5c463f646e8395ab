"""Problems by name: an object, a scan of it, the true pictures, and how far slices are from them.

`shepp-logan-3d` and `may-beetle` have the sizes and angles of the data that Smart Tomo Engine's
figures were published for (2020); the objects are ours to compute at any size.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.beams import ConeBeam
from stend_tomo.errors import BadOption
from stend_tomo.phantoms.exact import Ellipsoid, line_integrals, phantom, picture
from stend_tomo.phantoms.faults import Camera, Images, ringed, zingered
from stend_tomo.scan import Scan


@dataclass(frozen=True)
class Problem:
    """A phantom and a scan of it, by a parallel beam unless it has distances.

    `dataclasses.replace` gives other sizes, or a cone beam.
    """

    name: str
    phantom: tuple[Ellipsoid, ...]
    angles: NDArray[np.float64]
    """Radians."""
    rows: int
    """Of the detector; slices."""
    columns: int
    """Of the detector; a slice's side."""
    pixel: float | None = None
    """The side of a detector pixel in mm."""
    center: float | None = None
    """The column of the axis; the middle when None."""
    source_to_axis: float | None = None
    """Of a cone beam, in mm; pixels are of 1 mm where `pixel` is None."""
    source_to_detector: float | None = None
    """The same."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the projections: (angles, rows, columns)."""
        return len(self.angles), self.rows, self.columns

    @property
    def beam(self) -> ConeBeam | None:
        """The cone beam; None: rays are parallel."""
        if self.source_to_axis is None or self.source_to_detector is None:
            return None
        return ConeBeam(
            source_to_axis=self.source_to_axis,
            source_to_detector=self.source_to_detector,
            pitch=self.pixel or 1.0,
            center=self.center,
        )

    @property
    def voxel(self) -> float | None:
        """The side of a pixel of `slices` in mm: a detector pixel's as seen at the axis."""
        return self.pixel if self.beam is None else self.beam.voxel

    @property
    def _rays(self) -> dict[str, Any]:
        """Of a cone, arguments of `line_integrals`; the phantom is then in what all rays see."""
        if self.beam is None:
            return {}
        source, half = self.beam.source_to_detector / self.beam.pitch, self.columns / 2
        return {"beam": "cone", "source": source, "unit": half / math.hypot(1, half / source)}

    def projections(
        self,
        first: int = 0,
        last: int | None = None,
        *,
        sinogram_order: bool = False,
        threads: int | None = None,
    ) -> NDArray[np.float32]:
        """Give rows first … last - 1 as (angles, rows, columns), each pixel's width averaged."""
        return line_integrals(
            self.phantom,
            self.angles,
            self.columns,
            rows=self.rows,
            first=first,
            last=last,
            center=self.center,
            sinogram_order=sinogram_order,
            threads=threads,
            **self._rays,
        )

    def slices(
        self, first: int = 0, last: int | None = None, *, threads: int | None = None
    ) -> NDArray[np.float32]:
        """Give slices first … last - 1 as they are: what to find, and what to compare with."""
        return picture(
            self.phantom,
            self.columns,
            rows=self.rows,
            first=first,
            last=last,
            unit=self._rays.get("unit"),
            threads=threads,
        )

    def scan(self) -> Scan:
        """Give the scan; nothing of it is computed before it is read."""
        return Scan(
            projections=Computed(self),
            angles=self.angles,
            pixel=self.pixel,
            normalized=True,
            about={"sample": self.name},
        )


@dataclass(frozen=True)
class Computed:
    """Projections (`stend_tomo.Frames`) that are computed when they are asked for."""

    problem: Problem

    @property
    def shape(self) -> tuple[int, int, int]:
        """Projections, rows, columns."""
        return self.problem.shape

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Of a line integral."""
        return np.dtype(np.float32)

    def rows(self, first: int, last: int) -> NDArray[np.generic]:
        """Rows first … last - 1 of all projections."""
        return self.problem.projections(first, last)

    def frame(self, index: int) -> NDArray[np.generic]:
        """One whole projection."""
        one = replace(self.problem, angles=self.problem.angles[[index]])
        image: NDArray[np.float32] = one.projections()[0]
        return image


def half_degrees(count: int) -> NDArray[np.float64]:
    """Angles of 0.5°, 1°, 1.5° and so on, in radians."""
    return 0.5 * np.pi / 180 * np.arange(1, count + 1, dtype=np.float64)


def problems() -> list[str]:
    """Names that `problem` knows."""
    return ["shepp-logan-3d", "may-beetle"]


def problem(name: str) -> Problem:
    """Give a problem.

    - ``shepp-logan-3d``: 420 projections of 511 × 511 from 0.5° to 210°, of the phantom
      ``modified-shepp-logan-3d``, whose largest value is 1.
    - ``may-beetle``: 400 projections of 1,261 rows of 1,175 pixels of 9 µm from 0.5° to 200°.

    Raises:
        BadOption: there is no problem of that name.
    """
    if name == "shepp-logan-3d":
        return Problem(name, phantom("modified-shepp-logan-3d"), half_degrees(420), 511, 511)
    if name == "may-beetle":
        return Problem(name, phantom(name), half_degrees(400), 1261, 1175, pixel=0.009)
    raise BadOption(
        f"There is no problem {name!r}; there are {', '.join(problems())}.", parameter="name"
    )


MARGIN = 10.0
"""Pixels that are left out along the circle."""


def circle(size: int, margin: float = MARGIN) -> NDArray[np.bool_]:
    """Pixels whose middles lie inside the circle in a slice's square, `margin` pixels or more."""
    offsets = np.arange(size) - (size - 1) / 2
    distance: NDArray[np.float64] = np.hypot(offsets, offsets[:, None])
    return distance <= size / 2 - margin


def seen(size: int) -> NDArray[np.bool_]:
    """Pixels whose values stand for a slice's: inside the circle, by as much as its size allows."""
    return circle(size, min(MARGIN, size // 4))


def rmse(slices: ArrayLike, exact: ArrayLike, *, margin: float = MARGIN) -> float:
    """Give the root of the mean squared difference inside the circle.

    Every ray crosses the circle; along its very edge the detector ends within the reach of filters
    and interpolation, and few projections stand for long arcs, so a margin is left out.

    Args:
        slices: (n, n) or (slices, n, n), in the phantom's values.
        exact: What they should be, of the same shape.
        margin: Pixels; figures of accuracy that name no margin have 10.

    Raises:
        BadOption: the shapes differ, slices are not square, or there is nothing inside.
    """
    found, true = np.asarray(slices, np.float64), np.asarray(exact, np.float64)
    if found.shape != true.shape or found.ndim < 2 or found.shape[-1] != found.shape[-2]:
        raise BadOption(
            f"Slices of shape {found.shape} can't be compared with exact ones of shape "
            f"{true.shape}; both are (slices, n, n)."
        )
    inside = circle(found.shape[-1], margin)
    if not inside.any():
        raise BadOption(
            f"Slices of {found.shape[-1]} pixels a side have none {margin:g} inside the circle."
        )
    return float(np.sqrt(np.mean(np.square(found - true)[..., inside])))


@dataclass(frozen=True)
class Faults:
    """What goes wrong between an object and a file; nothing by default."""

    photons: float | None = None
    """Of a camera, in a pixel when nothing is in the way; None: line integrals, as they are."""
    attenuation: float = 1.0
    """Of the value 1, along a detector pixel's side."""
    rings: float = 0.0
    """Standard deviation of what line integrals of each detector pixel are wrong by."""
    zingers: float = 0.0
    """The share of a camera's pixels that stray rays hit."""
    seed: int = 0


def taken(problem: Problem, first: int, last: int, faults: Faults) -> Scan:
    """Take rows first … last - 1: a scan of these rows alone, in memory.

    The same call gives the same scan; other rows have other noise. The camera's light doesn't
    flicker, as rows that are taken one after the other would each see another flicker.

    Raises:
        BadOption: a fault can't be.
    """
    rng = np.random.default_rng([faults.seed, first])
    rows = problem.projections(first, last)
    if faults.rings:
        rows = ringed(rows, faults.rings / faults.attenuation, rng)
    about = {"sample": problem.name}
    if faults.photons is None:
        if faults.attenuation != 1:
            rows = rows * np.float32(faults.attenuation)
        scan = Scan(Images(rows), problem.angles, pixel=problem.pixel, normalized=True)
        return replace(scan, about=about)
    camera = Camera(faults.photons, flicker=0)
    scan = camera.scan(
        rows, problem.angles, rng, attenuation=faults.attenuation, pixel=problem.pixel
    )
    if faults.zingers:
        counts = scan.projections.rows(0, last - first)
        hit = zingered(counts, faults.zingers, 2 * faults.photons, rng)
        scan = replace(scan, projections=Images(hit))
    return replace(scan, about=about)
