"""DICOM → a scan of its projections, or a volume of a CT series' slices.

Projections are in a multi-frame file (angiography), or in a file an image (radiography). A CT
series is slices already, in a folder with a file each: values in Hounsfield units, or in what stend
wrote.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import Advice, library, printable
from stend_tomo.reading.angles import millimetres
from stend_tomo.reading.frames import Array, Chosen
from stend_tomo.reading.limits import UNASKED, fault, refuse_bomb, told
from stend_tomo.reading.tiff import Layout
from stend_tomo.scan import Scan, StoredVolume

KIND = "DICOM"
ABOUT = {
    "sample": "PatientName",
    "study": "StudyDescription",
    "series": "SeriesDescription",
    "kvp": "KVP",
    "distance source to detector": "DistanceSourceToDetector",
    "distance source to sample": "DistanceSourceToPatient",
    "instrument": "ManufacturerModelName",
    "date": "StudyDate",
}
DATE = re.compile(r"(\d{4})(\d\d)(\d\d)")
"""As a header has it (PS3.5, 6.2: VR DA)."""
SLICES = {"1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.2.1"}
"""CT Image Storage and its enhanced form (PS3.4, B.5)."""

DEFLATED = "1.2.840.10008.1.2.1.99"
"""Deflated Explicit VR Little Endian (PS3.5, A.5): all behind the first few elements is packed."""
DEFLATE = 1032
"""Times its size that deflate unpacks to at most."""


@contextmanager
def header(path: Path) -> Iterator[Any]:
    """Everything that stands before the pixels; what goes wrong is a ScanFileError."""
    with told(path, KIND):
        refuse_deflated(path)
        yield library("pydicom").dcmread(path, stop_before_pixels=True)


def refuse_deflated(path: Path) -> None:
    """Raise ScanFileError for a packed file that may unpack to more than any may without a reason.

    pydicom unpacks all of such a file before it tells anything of it.
    """
    if path.stat().st_size * DEFLATE < UNASKED:
        return
    meta = library("pydicom.filereader").read_file_meta_info(path)
    if str(meta.get("TransferSyntaxUID")) == DEFLATED:
        raise fault(
            path, "is compressed as a whole (deflated); decompress it with dcmtk's `dcmconv +te`."
        )


def layout_of(path: Path, limit: int | None) -> Layout:
    """Look at a file's header."""
    with header(path) as data:
        found = layout(path, data, limit)
        if str(data.get("SOPClassUID")) in SLICES:
            raise fault(
                path,
                "is of a CT series: slices, not projections; ",
                Advice("CT series", "read it with read_volume"),
                ".",
            )
        return found


def layout(path: Path, data: Any, limit: int | None) -> Layout:
    """What a header tells of the pixels behind it."""
    if "Rows" not in data or "Columns" not in data or "BitsAllocated" not in data:
        raise fault(path, "is a DICOM file without an image.")
    if int(data.get("SamplesPerPixel", 1)) != 1:
        raise fault(
            path, "holds colour images; only grey images, of one value per pixel, can be read."
        )
    bits = int(data.BitsAllocated)
    if bits not in (8, 16, 32):
        raise fault(path, f"holds pixels of {bits} bits; 8, 16 and 32 can be read.")
    dtype = np.dtype(f"{'i' if data.get('PixelRepresentation') else 'u'}{bits // 8}")
    images = int(data.get("NumberOfFrames") or 1)
    shape = (images, int(data.Rows), int(data.Columns))
    if min(shape) < 1:
        raise fault(path, f"declares images of shape {shape}.")
    refuse_bomb(path, shape, dtype, limit, path)
    return Layout(*shape, dtype, None, _pixel(data))


def _pixel(data: Any) -> float | None:
    """At the sample: the detector's spacing, made smaller as the image was made larger."""
    spacing = data.get("ImagerPixelSpacing") or data.get("PixelSpacing")
    if not spacing:
        return None
    side = float(spacing[0])
    detector, sample = data.get("DistanceSourceToDetector"), data.get("DistanceSourceToPatient")
    if "ImagerPixelSpacing" in data and detector and sample:
        side *= float(sample) / float(detector)
    return millimetres(side, "mm")


@contextmanager
def image_of(path: Path, wanted: Layout) -> Iterator[tuple[Any, Array]]:
    """All of a file of one image, which is unpacked only if it looks like the first one."""
    with told(path, KIND):
        refuse_deflated(path)
        data = library("pydicom").dcmread(path)
        found = layout(path, data, None)
        size, others = (found.rows, found.columns), (wanted.rows, wanted.columns)
        if size != others or found.images != 1 or found.dtype != wanted.dtype:
            raise fault(
                path,
                f"holds {found.images} images of {size} pixels of type {found.dtype} among files "
                f"with one of {others} of type {wanted.dtype}; all must be of one size and type.",
            )
        yield data, library("pydicom.pixels").pixel_array(data, index=0, raw=True)


def read_one(path: Path, layout: Layout, rows: slice) -> Array:
    """Rows of the only image of a file that looks like `layout`."""
    with image_of(path, layout) as (_, image):
        return image[rows].astype(layout.dtype)


def _image(path: Path, layout: Layout, index: int) -> Array:
    """One of the images that `layout` tells of."""
    with told(path, KIND), path.open("rb") as file:  # pydicom would resolve its path once more
        image: Array = library("pydicom.pixels").pixel_array(file, index=index, raw=True)
        return image.astype(layout.dtype)


class Pages:
    """The images of one file. pydicom finds each by itself and unpacks no other."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._layout = path, layout

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return self._layout.images, self._layout.rows, self._layout.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self._layout.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        images = range(frames.start, frames.stop)
        return np.stack([_image(self._path, self._layout, index)[rows] for index in images])


def read_file(path: Path, limit: int | None) -> Scan:
    """One file with all projections; angles where it tells the first and the step."""
    layout = layout_of(path, limit)
    with header(path) as data:
        return Scan(
            projections=Chosen.all(Pages(path, layout)),
            angles=_angles(data, layout.images),
            pixel=layout.pixel,
            about=about(data),
        )


def _angles(data: Any, images: int) -> "np.ndarray[Any, np.dtype[np.float64]] | None":
    """Positioner Primary Angle and its increments, one an image (PS3.3, C.8.7.5), in degrees."""
    first, steps = data.get("PositionerPrimaryAngle"), data.get("PositionerPrimaryAngleIncrement")
    if first is None or steps is None:
        return None
    steps = np.atleast_1d(np.asarray(steps, np.float64))
    return np.radians(float(first) + steps) if len(steps) == images else None


def about(data: Any) -> dict[str, str]:
    """What else a header tells; where stend wrote it, also how slices were made (writing/)."""
    said = {key: printable(str(data.get(name) or "").strip(" ^")) for key, name in ABOUT.items()}
    said["date"] = DATE.sub(r"\1-\2-\3", said["date"])
    if str(data.get("Manufacturer")) == "stend":
        lines = str(data.get("ImageComments", "")).splitlines()
        told_there = (line.partition(": ") for line in lines)
        said |= {printable(key): printable(value) for key, _, value in told_there}
    return {key: value for key, value in said.items() if value}


def in_order(folder: Path, files: list[Path]) -> list[Path]:
    """Files of one series in the order of their instance numbers, then of their names."""
    numbers = {}
    for place, file in enumerate(files):
        with header(file) as data:
            numbers[file] = (int(data.get("InstanceNumber") or 0), place)
    return sorted(files, key=numbers.__getitem__)


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
                raise fault(file, "is not a CT image, so it holds no slice.")
            series.add(str(data.get("SeriesInstanceUID")))
            places[file] = (_place(data), int(data.get("InstanceNumber") or 0), number)
    if len(series) > 1:
        raise fault(path, f"holds {len(series)} series of slices; move each into its own folder.")
    ordered = tuple(sorted(files, key=places.__getitem__))
    with header(ordered[0]) as data:
        first = layout(ordered[0], data, limit)
        if first.images != 1:
            raise fault(
                ordered[0], "holds many slices in one file; only files of one slice can be read."
            )
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
