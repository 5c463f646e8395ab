"""A file → what the page shows of it, and whether the file is still the same."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from stend_tomo import BadProjections
from stend_tomo.errors import AxisNotFound, printable
from stend_tomo.preparation import Preparation
from stend_tomo.preparation.axis import found_axis
from stend_tomo.reading import is_volume, read, read_volume
from stend_tomo.view.scan_view import Method, ShownScan
from stend_tomo.view.volume_view import ShownVolume

if TYPE_CHECKING:
    from stend_tomo import Scan


class Watched:
    """A file or folder as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path.absolute(), printable(path.name)
        self._then = self._now()

    def fault(self) -> str | None:
        """Say what happened to it; None while it is the same.

        Of a folder's images only coming and going is seen.
        """
        now = self._now()
        if now == self._then:
            return None
        what = "was removed" if now is None else "has changed"
        return f"{self._name} {what} since it was opened: end stend-tomo view and start it again."

    def said(self, text: str) -> str:
        """Tell what went wrong with it: it was opened by the path that people know."""
        return text

    def _now(self) -> tuple[int, int, int] | None:
        try:
            told = self._path.stat()
        except OSError:
            return None
        return told.st_ino, told.st_mtime_ns, 0 if self._path.is_dir() else told.st_size


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
    warning = "The axis of rotation was not found for sure: change its column until no doubled "
    return column, "not sure", warning + "edges are left, and no half moons around points."
