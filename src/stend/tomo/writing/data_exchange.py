"""A scan → HDF5 Data Exchange, a slab of detector rows at a time (reading/data_exchange.py).

Until it is whole it lies beside its place, as NAME.unfinished, and goes away when it won't be.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stend.errors import BadValue, OutputError, StendError
from stend.printable import printable
from stend.tomo.libraries import library
from stend.tomo.reading.data_exchange import LINE_INTEGRALS
from stend.tomo.writing.unfinished import no_room, synchronise

if TYPE_CHECKING:
    from stend.tomo.scan import Scan

IMAGES = {"projections": "data", "flats": "data_white", "darks": "data_dark"}


class ScanFile:
    """A file that is being written."""

    def __init__(self, file: Any, rows: int) -> None:
        self._file, self._rows, self._written = file, rows, 0

    def write(self, scan: "Scan") -> None:
        """Write the next rows: a scan of these rows alone; the first one says all but pixels."""
        first = self._written
        if not first:
            self._describe(scan)
        last = first + scan.projections.shape[1]
        for part, name in IMAGES.items():
            frames = getattr(scan, part)
            if frames is not None:
                self._put(name, first, frames.rows(0, last - first))
        self._written = last

    def _describe(self, scan: "Scan") -> None:
        self._file["implements"] = "exchange:measurement:process"
        exchange = self._file.create_group("exchange")
        for part, name in IMAGES.items():
            if (frames := getattr(scan, part)) is not None:
                number, _, columns = frames.shape
                exchange.create_dataset(name, (number, self._rows, columns), frames.dtype)
        if scan.normalized:
            exchange["data"].attrs["description"] = LINE_INTEGRALS
        if scan.angles is not None:
            exchange["theta"] = np.degrees(scan.angles)
            exchange["theta"].attrs["units"] = "degrees"
        if scan.pixel is not None:
            detector = self._file.create_group("measurement/instrument/detector")
            detector["pixel_size_x"] = scan.pixel
            detector["pixel_size_x"].attrs["units"] = "mm"
        if sample := scan.about.get("sample"):
            self._file["measurement/sample/name"] = sample

    def _put(self, name: str, first: int, pixels: NDArray[np.generic]) -> None:
        self._file[f"exchange/{name}"][:, first : first + pixels.shape[1]] = pixels


@contextmanager
def scan_file(path: Path, rows: int) -> Iterator[ScanFile]:
    """Write a scan of so many detector rows; it gets its name when the block ends well.

    Raises:
        BadValue: the path exists.
        OutputError: it can't be written.
    """
    part = path.with_name(path.name + ".unfinished")
    if path.exists() or path.is_symlink():
        raise BadValue(f"{printable(str(path))} exists; give another name or remove it.")
    h5py = library("h5py")
    try:
        with h5py.File(part, "w") as file:
            yield ScanFile(file, rows)
        synchronise(part)
        part.rename(path)
    except StendError:
        raise
    except (OSError, RuntimeError) as error:
        raise _unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _unwritable(path: Path, error: OSError | RuntimeError) -> OutputError:
    name = printable(str(path))
    if no_room(error):
        return OutputError(f"No space is left for {name}; nothing of it was kept.")
    code = getattr(error, "errno", None)  # HDF5 has it, and a text for programmers
    said = os.strerror(code) if code else error
    return OutputError(f"{name} can't be written: {printable(str(said))[:200]}.")
