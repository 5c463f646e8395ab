"""HDF5: a volume as NeXus has images (/entry/reconstruction/slices), or a scan as Data Exchange.

A file is laid out in memory, and the arrays' values are written into it without the library: on a
full disk that can neither close the file nor be used again in the process. Nothing but values is
written after the beginning, so that who is killed leaves a sound file. Values are float32, labels
bytes.

A scan (reading/hdf5_scans.py) is written a slab of detector rows at a time. Until it is whole it
lies beside its place, as NAME.unfinished, and goes away when it won't be.
"""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from stend_tomo.errors import BadOption, OutputError, TomoError, library, printable
from stend_tomo.scan import LINE_INTEGRALS, Frames, Scan
from stend_tomo.writing.atomic_output import no_room
from stend_tomo.writing.durable_files import is_whole, synchronise, synchronise_folder, write_at
from stend_tomo.writing.volume import Plan, Values, software


class Sparse(io.RawIOBase):
    """A file in memory that keeps only the pieces that were written, wherever they are."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[tuple[int, bytes]] = []
        self._place = 0

    @property
    def end(self) -> int:
        """Where the last piece ends."""
        return max((place + len(piece) for place, piece in self.pieces), default=0)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place, from the beginning or the end."""
        self._place = offset + (self.end if whence == os.SEEK_END else 0)
        return self._place

    def tell(self) -> int:
        """The place."""
        return self._place

    def readinto(self, out: Any) -> int:
        """What was written there, zeros elsewhere."""
        view = memoryview(out).cast("B")
        view[:] = bytes(len(view))
        for place, piece in self.pieces:
            first, last = max(place, self._place), min(place + len(piece), self._place + len(view))
            if first < last:
                view[first - self._place : last - self._place] = piece[first - place : last - place]
        self._place += len(view)
        return len(view)

    def write(self, data: Any) -> int:
        """Keep a piece."""
        piece = bytes(data)
        self.pieces.append((self._place, piece))
        self._place += len(piece)
        return len(piece)

    def truncate(self, size: int | None = None) -> int:
        """Nothing is behind the last piece."""
        return self.end if size is None else size


def large_array(group: Any, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> Any:
    """A dataset that has its place from the beginning, one value behind the other."""
    h5py = library("h5py")
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    kind, space = h5py.h5t.py_create(dtype, logical=True), h5py.h5s.create_simple(shape)
    h5py.h5d.create(group.id, name.encode(), kind, space, layout)
    return group[name]


def write_skeleton(path: Path, describe: Callable[[Any], list[Any]]) -> list[int]:
    """Write a file; the places of its large arrays' values come back.

    Args:
        path: of the file.
        describe: puts everything into an open h5py.File and gives its large arrays.
    """
    memory = Sparse()
    with library("h5py").File(memory, "w") as file:
        arrays = describe(file)
        places = [array.id.get_offset() for array in arrays]
        ends = [place + array.nbytes for place, array in zip(places, arrays, strict=True)]
    with path.open("wb") as out:
        for place, piece in memory.pieces:
            out.seek(place)
            out.write(piece)
        out.flush()
        out.truncate(max(memory.end, *ends))
    return places


class Dataset:
    """A file with one volume."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        self._path, self._plan, self._kept = path, plan, kept

    def begin(self) -> None:
        """Make the file with all but the values in it."""
        (self._kept["offset"],) = write_skeleton(self._path, self._describe)
        self._kept["bytes"] = self._path.stat().st_size
        synchronise(self._path)

    def holds(self, written: int) -> bool:
        """Whether the file is as long as it was laid out."""
        return is_whole(self._path, self._kept.get("bytes"))

    def _describe(self, file: Any) -> list[Any]:
        plan = self._plan
        now = datetime.now(UTC).isoformat(timespec="seconds")
        file.attrs.update({"default": "entry", "creator": software(), "file_time": now})
        entry = _group(file, "entry", "NXentry", default="reconstruction")
        images = _group(entry, "reconstruction", "NXdata", signal="slices")
        slices = large_array(images, "slices", plan.shape, plan.dtype)
        slices.attrs["units"] = plan.unit
        if plan.window:
            slices.attrs["window"] = plan.window
        if plan.pixel and plan.spacing:
            slices.attrs.update({"pixel_mm": plan.pixel, "spacing_mm": plan.spacing})
            images.attrs["axes"] = ["z", "y", "x"]
            slices_, rows, columns = plan.shape
            images["z"] = (plan.first + np.arange(slices_)) * plan.spacing
            images["y"] = ((rows - 1) / 2 - np.arange(rows)) * plan.pixel
            images["x"] = (np.arange(columns) - (columns - 1) / 2) * plan.pixel
            for axis in "zyx":
                images[axis].attrs["units"] = "mm"
        if plan.about:
            _group(entry, "about", "NXcollection").attrs.update(plan.about)
        return [slices]

    def put(self, first: int, slices: Values) -> None:
        """Write slices at their places."""
        write_at(
            self._path,
            self._kept["offset"] + first * slices[0].nbytes,
            slices.astype(self._plan.dtype, copy=False),
        )


def _group(parent: Any, name: str, kind: str, **attributes: str) -> Any:
    group = parent.create_group(name)
    group.attrs.update({"NX_class": kind, **attributes})
    return group


IMAGES = {"projections": "data", "flats": "data_white", "darks": "data_dark"}


class ScanFile:
    """A file that is being written."""

    def __init__(self, path: Path, rows: int) -> None:
        self._path, self._rows, self._written = path, rows, 0
        self._places: dict[str, int] = {}

    def write(self, scan: Scan) -> None:
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

    def _describe(self, file: Any, scan: Scan, images: dict[str, Frames]) -> list[Any]:
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
