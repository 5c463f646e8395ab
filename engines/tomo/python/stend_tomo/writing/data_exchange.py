"""A scan → HDF5 Data Exchange, a slab of detector rows at a time (reading/hdf5_scans.py).

Until it is whole it lies beside its place, as NAME.unfinished, and goes away when it won't be.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, OutputError, TomoError, printable
from stend_tomo.reading.hdf5_scans import LINE_INTEGRALS
from stend_tomo.writing.atomic_output import no_room
from stend_tomo.writing.durable_files import synchronise, synchronise_folder
from stend_tomo.writing.hdf5 import large_array, write_skeleton

if TYPE_CHECKING:
    from stend_tomo.scan import Frames, Scan

IMAGES = {"projections": "data", "flats": "data_white", "darks": "data_dark"}


class ScanFile:
    """A file that is being written."""

    def __init__(self, path: Path, rows: int) -> None:
        self._path, self._rows, self._written = path, rows, 0
        self._places: dict[str, int] = {}

    def write(self, scan: "Scan") -> None:
        """Write the next rows: a scan of these rows alone; the first one says all but pixels."""
        images = {part: frames for part in IMAGES if (frames := getattr(scan, part)) is not None}
        if not self._written:
            places = write_skeleton(self._path, lambda file: self._describe(file, scan, images))
            self._places = dict(zip(images, places, strict=True))
        rows = scan.projections.shape[1]
        with self._path.open("r+b") as file:
            for part, frames in images.items():
                self._put(file, self._places[part], frames.rows(0, rows))
        self._written += rows

    def _describe(self, file: Any, scan: "Scan", images: "dict[str, Frames]") -> list[Any]:
        file["implements"] = "exchange:measurement:process"
        exchange = file.create_group("exchange")
        arrays = [
            large_array(
                exchange, IMAGES[part], (frames.shape[0], self._rows, frames.shape[2]), frames.dtype
            )
            for part, frames in images.items()
        ]
        if scan.normalized:
            exchange["data"].attrs["description"] = LINE_INTEGRALS
        if scan.angles is not None:
            exchange["theta"] = np.degrees(scan.angles)
            exchange["theta"].attrs["units"] = "degrees"
        if scan.pixel is not None:
            detector = file.create_group("measurement/instrument/detector")
            detector["pixel_size_x"] = scan.pixel
            detector["pixel_size_x"].attrs["units"] = "mm"
        if sample := scan.about.get("sample"):
            file["measurement/sample/name"] = sample
        return arrays

    def _put(self, file: BinaryIO, begin: int, pixels: NDArray[np.generic]) -> None:
        """Write these rows of all images."""
        row = pixels.shape[2] * pixels.itemsize
        for number, image in enumerate(pixels):
            file.seek(begin + (number * self._rows + self._written) * row)
            file.write(np.ascontiguousarray(image).data)


@contextmanager
def scan_file(path: Path, rows: int) -> Iterator[ScanFile]:
    """Write a scan of so many detector rows; it gets its name when the block ends well.

    Raises:
        BadOption: the path exists, or a part of what another call writes there.
        OutputError: it can't be written.
    """
    part = _own_part(path)
    try:
        yield ScanFile(part, rows)
        synchronise(part)
        part.rename(path)
        synchronise_folder(path.parent)
    except TomoError:
        raise
    except (OSError, RuntimeError) as error:
        raise _unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _own_part(path: Path) -> Path:
    """Make the part of a file, which of several calls at once only one can."""
    part = refuse_taken(path)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        raise _taken(part) from None
    except OSError as error:
        raise _unwritable(path, error) from error
    if os.path.lexists(path):  # another call has finished just before the part was made
        part.unlink()
        raise _taken(path)
    return part


def refuse_taken(path: Path) -> Path:
    """Refuse a place where something is; gives the place of its part.

    Raises:
        BadOption: the path exists, or a part of what another call writes there.
    """
    refuse_existing(path)
    part = path.with_name(path.name + ".unfinished")
    refuse_existing(part)
    return part


def refuse_existing(path: Path) -> None:
    """Raise BadOption where something is."""
    if os.path.lexists(path):
        raise _taken(path)


def _taken(path: Path) -> BadOption:
    return BadOption(f"{printable(str(path))} exists; give another name or remove it.")


def _unwritable(path: Path, error: OSError | RuntimeError) -> OutputError:
    name = printable(str(path))
    if no_room(error):
        return OutputError(f"No space is left for {name}; nothing of it was kept.")
    said = error.strerror if isinstance(error, OSError) and error.strerror else error
    return OutputError(f"{name} can't be written: {printable(str(said))[:200]}.")
