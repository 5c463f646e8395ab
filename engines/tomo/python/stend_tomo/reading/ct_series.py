"""A folder of DICOM CT images → a volume: values in Hounsfield units, or in what stend wrote."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import printable
from stend_tomo.reading.dicom import SLICES, about, header, image_of, layout
from stend_tomo.reading.frames import Array, Chosen
from stend_tomo.reading.limits import fault, refuse_bomb
from stend_tomo.reading.tiff import Layout
from stend_tomo.scan import StoredVolume

UNIT = "values in "
"""In the series' description, where stend writes (writing/dicom.py)."""
THOUSANDTH = "0.001 "
"""Before a unit there: a value of 1000 is one of it."""
LONGEST_UNIT = 64
"""Characters of a text that says one (PS3.5, 6.2: VR LO)."""
EVENLY = 1e-3
"""Of their distance, by which slices may lie elsewhere: places have few decimals."""


@dataclass(frozen=True)
class Slices:
    """A source of one slice a file; each has a slope and an intercept of its own."""

    paths: tuple[Path, ...]
    layout: Layout
    scale: float

    @property
    def shape(self) -> tuple[int, int, int]:
        """Slices, rows, columns."""
        return len(self.paths), self.layout.rows, self.layout.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return np.dtype(np.float32)

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        return np.stack([self._values(path, rows) for path in self.paths[frames]])

    def _values(self, path: Path, rows: slice) -> Array:
        with image_of(path, self.layout) as (data, stored):
            slope, intercept = data.get("RescaleSlope", 1), data.get("RescaleIntercept", 0)
            values = stored[rows].astype(np.float64) * float(slope) + float(intercept)
            scaled: Array = (values * self.scale).astype(np.float32)
            return scaled


def read_series(path: Path, files: list[Path], limit: int | None) -> StoredVolume:
    """Slices of one series, in the order in which they lie in space."""
    places, series = {}, set()
    for number, file in enumerate(files):
        with header(file) as data:
            if str(data.get("SOPClassUID")) not in SLICES:
                raise fault(file, "is no CT image, so it holds no slice.")
            series.add(str(data.get("SeriesInstanceUID")))
            places[file] = (_place(data), int(data.get("InstanceNumber") or 0), number)
    if len(series) > 1:
        raise fault(path, f"holds {len(series)} series of slices; give each a folder.")
    ordered = tuple(sorted(files, key=places.__getitem__))
    with header(ordered[0]) as data:
        first = layout(ordered[0], data, limit)
        if first.images != 1:
            raise fault(ordered[0], "holds many slices in one file; only one a file is read.")
        shape = (len(files), first.rows, first.columns)
        refuse_bomb(path, shape, first.dtype, limit, path)
        unit, scale = _unit(data)
        along = [places[file][0] for file in ordered]
        return StoredVolume(
            slices=Chosen.all(Slices(ordered, first, scale)),
            unit=unit,
            pixel=first.pixel,
            spacing=_evenly(along) or _number(data.get("SpacingBetweenSlices")),
            window=_window(data, scale),
            about=about(data),
        )


def _place(data: Any) -> float:
    """How far along the slices' normal it lies (PS3.3, C.7.6.2.1.1)."""
    corner, axes = data.get("ImagePositionPatient"), data.get("ImageOrientationPatient")
    if not corner or not axes:
        return 0.0
    normal = np.cross(np.float64(axes[:3]), np.float64(axes[3:]))
    return float(np.round(np.dot(np.float64(corner), normal), 9))


def _evenly(along: list[float]) -> float | None:
    """The distance of slices that lie at these places; None where it isn't one."""
    steps = np.diff(along)
    if not len(steps) or not steps.min() > 0 or np.ptp(steps) > 2 * EVENLY * steps.max():
        return None
    return float(steps.mean())


def _number(said: Any) -> float | None:
    value = float(said or 0)
    return value if 0 < value < np.inf else None


def _unit(data: Any) -> tuple[str, float]:
    """The unit of values, and what one of the file's is in it."""
    said = str(data.get("SeriesDescription", "")).rpartition(UNIT)[2]
    if str(data.get("Manufacturer")) == "stend":
        if said == "1/m":
            return "1/mm", 1e-3
        if said.startswith(THOUSANDTH):
            return printable(said.removeprefix(THOUSANDTH))[:LONGEST_UNIT], 1e-3
    return printable(str(data.get("RescaleType") or "HU"))[:LONGEST_UNIT], 1.0


def _window(data: Any, scale: float) -> tuple[float, float] | None:
    center, width = data.get("WindowCenter"), data.get("WindowWidth")
    if center is None or width is None:
        return None
    center, width = (float(np.atleast_1d(value)[0]) * scale for value in (center, width))
    return center - width / 2, center + width / 2
