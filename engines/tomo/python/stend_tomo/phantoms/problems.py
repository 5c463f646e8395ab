"""Whole problems by name: an object, a scan of it, and the pictures to find.

`shepp-logan-3d` and `may-beetle` have the sizes and angles of the data that Smart Tomo Engine's
figures were published for (2020); the objects are ours to compute at any size.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.beams import ConeBeam
from stend_tomo.errors import BadOption
from stend_tomo.phantoms.ellipsoids import Ellipsoid, phantom
from stend_tomo.phantoms.exact import line_integrals, picture
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
    raise BadOption(f"There is no problem {name!r}; there are {', '.join(problems())}.")
