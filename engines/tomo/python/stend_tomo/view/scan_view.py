"""A scan to be shown: projections, sinograms, and slices reconstructed when asked for.

`opened` gives what the page shows of a file, with the axis of rotation where it can be found.
"""

import math
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo import Reconstructor, algorithms, filters
from stend_tomo.errors import AxisNotFound, BadOption, BadProjections, printable
from stend_tomo.iterations import ITERATIONS
from stend_tomo.preparation import Fields, Preparation, fields, normalize, remove_stripes
from stend_tomo.preparation.axis import found_axis
from stend_tomo.reading import is_volume, read, read_volume
from stend_tomo.view.volume_view import (
    SLAB,
    Overview,
    Plane,
    ShownVolume,
    Slabs,
    averaged,
    checked,
    step_for,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo import Frames, Scan


@dataclass(frozen=True)
class Method:
    """What tells one reconstruction of a scan from another."""

    center: float
    """The detector column of the axis of rotation."""
    algorithm: str = "dfr"
    filter: str = "ram-lak"
    cutoff: float = 1.0
    stripes: int | None = None
    """Columns of the median against stripes; None: they stay."""


def shown_algorithms() -> list[str]:
    """Names of those that a page can wait for."""
    return [name for name in algorithms() if name not in ITERATIONS]


def method_of(asked: Mapping[str, str], columns: int, default: Method) -> Method:
    """Give what was asked for; what was not is the default's.

    Raises:
        BadOption: a name or number that can't be.
    """
    unknown = asked.keys() - {"algorithm", "filter", "cutoff", "center", "stripes"}
    if unknown:
        raise BadOption(f"A slice has no setting {printable(min(unknown))}.")
    if asked.get("algorithm", default.algorithm) in ITERATIONS:
        raise BadOption(
            f"The page does not offer {' and '.join(ITERATIONS)}, which iterate; "
            "`stend-tomo preview` and `reconstruct` have them."
        )
    said = {name: str(getattr(default, name)) for name in ("algorithm", "filter", "cutoff")}
    said |= {"center": str(default.center), "stripes": str(default.stripes or "")} | dict(asked)
    return Method(
        center=_center(said["center"], columns),
        algorithm=_one_of(said["algorithm"], shown_algorithms(), "algorithm"),
        filter=_one_of(said["filter"], filters(), "filter"),
        cutoff=_number(said["cutoff"], 0.05, 1, "cutoff"),
        stripes=_stripes(said["stripes"]),
    )


def _center(said: str, columns: int) -> float:
    """The axis may be beside the detector, as long as that sees some of a slice."""
    beside = int(columns / math.sqrt(2))
    return _number(said, -beside, columns - 1 + beside, "center")


def _one_of(name: str, names: list[str], what: str) -> str:
    if name not in names:
        raise BadOption(f"There is no {what} {printable(name)}; there are {', '.join(names)}.")
    return name


def _number(said: str, low: float, high: float, what: str) -> float:
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise BadOption(f"The {what} {printable(said)} is not from {low:g} to {high:g}.")
    return value


def _stripes(said: str) -> int | None:
    """None for an empty word; that a number can be is checked where stripes are removed."""
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise BadOption(f"The width of stripes {printable(said)} is not a number of columns.")
    return int(said)


KEPT_SINOGRAMS, KEPT_TABLES, KEPT_OVERVIEWS = 8, 4, 2


class ShownScan:
    """What the server asks of a scan; no request's path or name reaches its file."""

    def __init__(
        self,
        scan: "Scan",
        name: str,
        method: Method,
        prepare: Preparation | None = None,
        *,
        center_said: str = "as given",
        warning: str | None = None,
        command: str = "",
    ) -> None:
        """Read nothing yet.

        Args:
            scan: its pixel is the one to reckon with.
            name: shown.
            method: how slices are reconstructed until the page asks for another.
            prepare: how counts become line integrals; its stripes give way to the method's.
            center_said: how the method's center is known.
            warning: a sentence about that, to be seen.
            command: what would write the slices, without the words that the method makes.

        Raises:
            BadOption: the method can't be.
        """
        self._scan, self._name, self._method = scan, name, method
        self._prepare = prepare or Preparation()
        self._said = {"center_said": center_said, "warning": warning, "command": command}
        method_of({}, scan.projections.shape[2], method)
        self._integrals = scan.normalized or scan.flats is not None
        self._lacking = _lacking(scan)
        self._sinogram = lru_cache(KEPT_SINOGRAMS)(self._read_sinogram)
        self._tables = lru_cache(KEPT_TABLES)(self._made_tables)
        self._fields = lru_cache(1)(self._read_fields)
        self._lock = threading.Lock()
        self._overviews: dict[Method, Overview] = {}

    def about(self) -> dict[str, Any]:
        """What the page has to know."""
        scan = self._scan
        projections, rows, columns = scan.projections.shape
        return {
            "kind": "scan",
            "name": self._name,
            "projections": projections,
            "slices": rows,
            "columns": columns,
            "height": columns,
            "width": columns,
            "unit": "1/mm" if scan.pixel else "1/pixel",
            "integrals": "line integral" if self._integrals else "counts",
            "pixel": scan.pixel,
            "window": None,
            "angles": None if scan.angles is None else np.degrees(scan.angles).tolist(),
            "method": asdict(self._method),
            **self._said,
            "algorithms": shown_algorithms(),
            "filters": filters(),
            "about": dict(scan.about),
            "lacking": self._lacking,
        }

    def projection(self, index: int, asked: Mapping[str, str]) -> Plane:
        """Give one projection: line integrals, (rows, columns), or counts without flat fields.

        It is only normalised: the other steps need more than one image.
        """
        place = checked(index, self._scan.projections.shape[0], "projection")
        image = self._scan.projections.frame(place).astype(np.float32)
        if self._integrals and not self._scan.normalized:
            image = normalize(image[np.newaxis], self._fields(), logarithm=True)[0][0]
        return Plane(image)

    def sinogram(self, row: int, asked: Mapping[str, str]) -> Plane:
        """Give the sinogram of a detector row: (angles, columns), without the method's stripes."""
        method = method_of(asked, self._scan.projections.shape[2], self._method)
        return Plane(self._clean(checked(row, self._scan.projections.shape[1], "row"), method))

    def slice(self, row: int, asked: Mapping[str, str]) -> Plane:
        """Reconstruct one slice in full."""
        method = self._method_of(asked)
        sinogram = self._clean(checked(row, self._scan.projections.shape[1], "slice"), method)
        reconstructor = self._tables(replace(method, stripes=None), 1)
        return Plane(reconstructor(sinogram[np.newaxis], sinogram_order=True)[0])

    def overview(self, asked: Mapping[str, str]) -> Overview:
        """Give what planes across the slices are cut from; it is made meanwhile."""
        method = self._method_of(asked)
        with self._lock:
            if method not in self._overviews:
                while len(self._overviews) >= KEPT_OVERVIEWS:
                    self._overviews.pop(next(iter(self._overviews))).stop()
                self._overviews[method] = self._begun(method)
            return self._overviews[method]

    def close(self) -> None:
        """End what is under way, and let go of what was kept."""
        with self._lock:
            for overview in self._overviews.values():
                overview.stop()
            self._overviews.clear()
        for kept in (self._sinogram, self._tables, self._fields):
            kept.cache_clear()

    def _method_of(self, asked: Mapping[str, str]) -> Method:
        if self._lacking:
            raise BadOption(self._lacking)
        return method_of(asked, self._scan.projections.shape[2], self._method)

    def _integrals_of(self, first: int, last: int, stripes: int | None) -> "NDArray[np.float32]":
        if self._integrals:
            return replace(self._prepare, stripes=stripes)(self._scan, first, last)
        return self._scan.projections.rows(first, last).astype(np.float32)

    def _read_sinogram(self, row: int) -> "NDArray[np.float32]":
        """With its stripes: all that takes reading is done once, whatever their width is."""
        return self._integrals_of(row, row + 1, None)

    def _clean(self, row: int, method: Method) -> "NDArray[np.float32]":
        sinogram = self._sinogram(row)
        if method.stripes is not None and self._integrals:
            sinogram = remove_stripes(sinogram, method.stripes)
        return sinogram[:, 0]

    def _read_fields(self) -> Fields:
        """Flat and dark fields of all rows, averaged an image at a time."""
        assert self._scan.flats is not None
        darks = None if self._scan.darks is None else _mean(self._scan.darks)
        return fields(_mean(self._scan.flats), darks)

    def _made_tables(self, method: Method, step: int) -> Reconstructor:
        """For projections whose columns were averaged, `step` of them to one."""
        assert self._scan.angles is not None
        return Reconstructor(
            self._scan.projections.shape[2] // step,
            self._scan.angles,
            algorithm=method.algorithm,
            filter=method.filter,
            cutoff=method.cutoff,
            center=(method.center - (step - 1) / 2) / step,
            pixel=(self._scan.pixel or 1.0) * step,
        )

    def _begun(self, method: Method) -> Overview:
        angles, rows, columns = self._scan.projections.shape
        step = step_for((rows, columns, columns))
        across, size = min(step, rows), columns // step
        count = rows // across
        # The middle of a slice is the axis, however large its pixels are.
        corner = (columns - 1) / 2 - step * (size - 1) / 2
        together = max(1, SLAB // (4 * across * angles * columns))

        def slabs() -> Slabs:
            reconstructor = self._tables(replace(method, stripes=None), step)
            for first in range(0, count, together):
                last = min(first + together, count)
                integrals = self._integrals_of(first * across, last * across, method.stripes)
                yield reconstructor(averaged(integrals, (1, across, step)))

        return Overview((count, size, size), step, ((across - 1) / 2, corner, corner), slabs)


def _lacking(scan: "Scan") -> str | None:
    """Why there are no slices."""
    if scan.angles is None:
        count = scan.projections.shape[0]
        return (
            "The file has no angles, so there are no slices; give --angles FIRST:LAST:COUNT, "
            f"both ends included (half a turn without its end: 0:{180 - 180 / count:.6g}:{count})."
        )
    if scan.flats is None and not scan.normalized:
        return (
            "The file has no flat fields, so there are no slices; give --flats FILE, or --white 1 "
            "if projections are already divided by them, or --line-integrals if the logarithm is "
            "taken as well."
        )
    return None


def _mean(frames: "Frames") -> "NDArray[np.float64]":
    total = np.zeros(frames.shape[1:], np.float64)
    for index in range(frames.shape[0]):
        total += frames.frame(index)
    return total / frames.shape[0]


def opened(path: Path, name: str = "") -> ShownScan | ShownVolume:
    """Open a scan or a volume as its file tells it; `name` is shown, or else the file's.

    Raises:
        ScanFileError: it can't be read.
        Missing: the library for its format is not installed.
    """
    name = printable(name or path.name)
    if is_volume(path):
        return ShownVolume(read_volume(path), name)
    scan, prepare = read(path), Preparation()
    column, said, warning = sought_axis(scan, prepare)
    return ShownScan(scan, name, Method(center=column), prepare, center_said=said, warning=warning)


def sought_axis(
    scan: "Scan", prepare: Preparation, words: Mapping[str, str] = MappingProxyType({})
) -> tuple[float, str, str | None]:
    """Give the axis, how it is known, and a sentence where it is to be looked for by eye.

    What can't be found is no reason to show nothing: it is on the page that people choose it. By
    `words` the sentence is a command's, as `TomoError.sentence`.
    """
    _, rows, columns = scan.projections.shape
    middle = (columns - 1) / 2
    if scan.angles is None or (scan.flats is None and not scan.normalized):
        return middle, "the detector's middle", None
    try:
        found = found_axis(scan, prepare, rows // 2)
    except (AxisNotFound, BadProjections) as error:
        why = error.sentence(words)
        return middle, "the detector's middle", f"The axis of rotation was not found: {why}"
    column = round(found.position, 3)
    if found.found:
        return column, f"found, ± {found.uncertainty:.2g}", None
    warning = "The axis of rotation was not found reliably: change its column until no doubled "
    return column, "not sure", warning + "edges are left, and no half moons around points."
