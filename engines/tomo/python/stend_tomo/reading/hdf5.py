"""HDF5 without surprises: no other file, no endless heap, no chunk larger than it says.

Texts of any length lie in global heap collections. The library (2.0) walks a collection from object
to object by their sizes, and never returns from one whose size leads nowhere. So each collection is
walked here before the library sees it ("HDF5 File Format Specification", version 3.0, III.E).

The library inflates a chunk to its end, however far that is. So large ones are inflated here first,
up to their size and no further: once, as a slab of rows needs them again and again.

A file may name others: by external links, virtual datasets, or raw data kept outside. A file from
elsewhere could so read what only its reader may, so this is refused unless the user trusts it.
"""

import io
import math
import os
import struct
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import Keyword, library, printable
from stend_tomo.reading.frames import Array
from stend_tomo.reading.limits import (
    SMALL,
    SPARE,
    fault,
    refuse_bomb,
    refuse_bomb_chunks,
    refuse_other_types,
    told,
    unpacked,
)

COLLECTION = b"GCOL"
HEADER = 16
"""Bytes before the first object of a collection, and before the data of each object."""
EIGHT = 8
"""What an object's size is rounded up to."""


class Guarded(io.FileIO):
    """A file of which the library reads by `readinto`: a collection from its beginning on."""

    def readinto(self, buffer: Any) -> int:
        """Read as a file does.

        Raises:
            ValueError: what was read begins a collection with an object that can't be.
        """
        place = self.tell()
        count = super().readinto(buffer) or 0
        begins = bytes(memoryview(buffer).cast("B")[:HEADER])
        if count >= HEADER and begins.startswith(COLLECTION):
            self._walk(place, struct.unpack_from("<Q", begins, EIGHT)[0])
        return count

    def _walk(self, place: int, size: int) -> None:
        end = place + size
        place += HEADER
        while place + HEADER <= end:
            header = os.pread(self.fileno(), HEADER, place)
            if len(header) < HEADER:
                return  # cut short, which the library finds
            index, length = struct.unpack("<H6xQ", header)
            step = HEADER + -(-length // EIGHT) * EIGHT if index else length
            if not 0 < step <= end - place:
                raise ValueError("a heap of texts holds an object of an impossible size")
            place += step


DEFLATE, NBIT, SCALE_OFFSET = 1, 5, 6
"""Numbers of filters."""
TIMES = 1032
"""What deflate packs at most (zlib's Technical Details)."""
UNSEEN = 1 << 26
"""Bytes that a chunk may inflate to without being looked at: small ones are many."""


class Chunks:
    """The chunks of one dataset, and which of them are still to be looked at."""

    def __init__(self) -> None:
        self._large: set[tuple[int, ...]] | None = None
        """Corners of those that could inflate to more than they hold."""

    def refuse_bombs(self, path: Path, dataset: Any, box: tuple[slice, ...]) -> None:
        """Raise ScanFileError for a chunk that holds more than its size.

        Args:
            path: what the error names.
            dataset: open.
            box: what is to be read: a range along each axis.
        """
        filters = _filters(dataset)
        _refuse_other_sizes(path, dataset, filters)
        place = _place_of_deflate(path, filters)
        if place is None:
            return
        room = math.prod(dataset.chunks) * dataset.dtype.itemsize + SPARE
        if self._large is None:
            self._large = _large_chunks(dataset, max(UNSEEN, room))
        for corner in tuple(self._large):  # another thread may take some away
            if not _meet(corner, dataset.chunks, box):
                continue
            left_out, packed = dataset.id.read_direct_chunk(corner)
            if not left_out >> place & 1:
                unpacked(path, "zlib", packed, room)
            self._large.discard(corner)


def _large_chunks(dataset: Any, most: int) -> set[tuple[int, ...]]:
    """Corners of chunks that could inflate to more bytes.

    All are asked for at once: for a single one the library looks through all.
    """
    found = set()

    def seen(stored: Any) -> None:
        if stored.size * TIMES > most:
            found.add(tuple(stored.chunk_offset))

    dataset.id.chunk_iter(seen)
    return found


def _meet(corner: tuple[int, ...], sides: tuple[int, ...], box: tuple[slice, ...]) -> bool:
    """Whether a chunk has a part in a box."""
    places = zip(corner, sides, box, strict=True)
    return all(part.start - side < at < part.stop for at, side, part in places)


def whole(shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Give the box of all of it."""
    return tuple(slice(0, n) for n in shape)


def _filters(dataset: Any) -> list[tuple[int, tuple[int, ...]]]:
    """A dataset's filters in the order of writing: their numbers and parameters."""
    if not dataset.chunks:
        return []
    plan = dataset.id.get_create_plist()
    told = (plan.get_filter(place) for place in range(plan.get_nfilters()))
    return [(code, values) for code, _, values, _ in told]


def _place_of_deflate(path: Path, filters: list[tuple[int, tuple[int, ...]]]) -> int | None:
    places = [place for place, (code, _) in enumerate(filters) if code == DEFLATE]
    if len(places) > 1:
        raise fault(path, "has chunks that were deflated twice.")
    return places[0] if places else None


def _refuse_other_sizes(
    path: Path, dataset: Any, filters: list[tuple[int, tuple[int, ...]]]
) -> None:
    """Refuse filters that are told of more values than a chunk has: the library reads them all."""
    for code, values in filters:
        sizes = values[2:5:2]  # how many, and of how many bytes each
        if code in (NBIT, SCALE_OFFSET) and sizes != (
            math.prod(dataset.chunks),
            dataset.dtype.itemsize,
        ):
            raise fault(path, "has chunks that are packed as if they had other sizes.")


KIND = "HDF5"
MOST_LINKS = 32
"""Soft links in a row; more are taken for a circle."""
LONGEST_TEXT = 1000


@dataclass(frozen=True)
class File:
    """A file to read from, open only while it is read: it can be sent to other processes."""

    path: Path
    trusted: bool = False
    """Whether it may name other files."""
    limit: int | None = None

    @contextmanager
    def opened(self) -> Iterator["Inside"]:
        """Read pixels from it; what goes wrong is a ScanFileError."""
        h5py = library("h5py")
        with told(self.path, KIND), h5py.File(self.path, "r") as file:
            yield Inside(self, file)

    @contextmanager
    def described(self) -> Iterator["Inside"]:
        """Read texts from it, and all else that stands before the pixels.

        A file that is trusted is opened by the library, which then opens others in the same way.
        """
        h5py = library("h5py")
        if self.trusted:
            with self.opened() as inside:
                yield inside
            return
        with (
            told(self.path, KIND),
            Guarded(self.path) as guarded,
            h5py.File(guarded, "r") as file,
        ):
            yield Inside(self, file)


@dataclass(frozen=True)
class Inside:
    """An open file."""

    of: File
    root: Any

    def find(self, name: str) -> Any:
        """The object of this name, or None. Links are followed one by one."""
        here, parts, hops = self.root, deque(name.split("/")), 0
        while parts:
            part = parts.popleft()
            if part in ("", "."):
                continue
            if not hasattr(here, "keys") or not here.id.links.exists(part.encode()):
                return None
            target = self._soft_target(here, part)
            if target is None:
                here = here[part]
                continue
            hops += 1
            if hops > MOST_LINKS:
                raise fault(self.of.path, f"has links in a circle at {printable(name)}.")
            if target.startswith("/"):
                here = self.root
            parts.extendleft(reversed(target.split("/")))
        return here

    def _soft_target(self, group: Any, name: str) -> str | None:
        """Where a soft link leads; None for a hard link, or an external one that is trusted."""
        links, types = group.id.links, library("h5py").h5l
        kind = links.get_info(name.encode()).type
        if kind == types.TYPE_SOFT:
            target: str = links.get_val(name.encode()).decode()
            return target
        if kind == types.TYPE_EXTERNAL:
            self._refuse_other_file(links.get_val(name.encode())[0].decode())
        elif kind != types.TYPE_HARD:
            raise fault(self.of.path, f"has a link of an unknown kind at {printable(name)}.")
        return None

    def _refuse_other_file(self, name: str) -> None:
        if not self.of.trusted:
            raise fault(
                self.of.path,
                f"takes data from another file, {printable(name)}. If you trust it, read it with ",
                Keyword("external", True),
                ".",
            )

    def dataset(self, name: str) -> Any:
        """The dataset of this name, which keeps its data in this file; None if there is none."""
        found = self.find(name)
        if found is None or not hasattr(found, "dtype") or not hasattr(found, "shape"):
            return None
        if found.shape is None:
            raise fault(self.of.path, f"has an empty dataset at {printable(name)}.")
        refuse_bomb_chunks(self.of.path, found.chunks, found.dtype, self.of.limit)
        for other in found.external or ():
            self._refuse_other_file(str(other[0]))
        for source in found.virtual_sources() if found.is_virtual else ():
            if source.file_name != ".":
                self._refuse_other_file(source.file_name)
            else:
                self._refuse_by_way_of(name, source.dset_name)
        return found

    def _refuse_by_way_of(self, name: str, inner: str) -> None:
        """HDF5 follows a virtual dataset's source by itself, wherever that has its data."""
        if self.of.trusted:
            return
        found = None if "%" in inner else self.find(inner)
        if found is None or not hasattr(found, "is_virtual") or found.is_virtual or found.external:
            raise fault(
                self.of.path,
                f"has {printable(name)} made of {printable(inner)}, which may have its data in "
                "another file. If you trust it, read it with ",
                Keyword("external", True),
                ".",
            )
        refuse_bomb_chunks(self.of.path, found.chunks, found.dtype, self.of.limit)
        Chunks().refuse_bombs(self.of.path, found, whole(found.shape))

    def values(self, dataset: Any) -> Any:
        """All of a small dataset."""
        Chunks().refuse_bombs(self.of.path, dataset, whole(dataset.shape))
        return dataset[()]

    def children(self, name: str) -> list[str]:
        """Names in a group, in order; none if it is no group."""
        group = self.find(name)
        return sorted(group.keys()) if hasattr(group, "keys") else []

    def text(self, name: str) -> str | None:
        """A short text or number, on one line; None if there is none."""
        found = self.dataset(name)
        if found is None or found.size != 1 or found.dtype.kind not in "OSUuif":
            return None
        return plain(self.values(found))

    def attribute(self, name: str, attribute: str) -> str:
        """An attribute as text; empty when there is none."""
        found = self.find(name)
        if found is None or attribute not in found.attrs:
            return ""
        return plain(found.attrs[attribute]) or ""

    def numbers_of(self, name: str, attribute: str) -> list[float]:
        """A few numbers in an attribute; none when there is no such attribute."""
        found = self.find(name)
        value = None if found is None else found.attrs.get(attribute)
        array = np.ravel(np.asarray(value))
        return [float(x) for x in array[:10]] if array.dtype.kind in "uif" else []

    def number(self, name: str) -> tuple[float, str] | None:
        """A number with its unit (empty when it has none)."""
        found = self.dataset(name)
        if found is None or found.size != 1 or found.dtype.kind not in "uif":
            return None
        return float(np.ravel(self.values(found))[0]), self.attribute(name, "units")

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """A list of numbers."""
        found = self.dataset(name)
        if found is None:
            return None
        refuse_other_types(self.of.path, found.dtype, f"values at {printable(name)}")
        if found.size > SMALL:
            raise fault(self.of.path, f"has {found.size:,} values at {printable(name)}.")
        return np.ravel(self.values(found)).astype(np.float64)

    def images(self, name: str, *, one: bool = False) -> "Images | None":
        """Images that are read later; None if there is no such dataset.

        Axes of one element before the last three are left out; where `one` is enough, a single
        image may have two.
        """
        found = self.dataset(name)
        if found is None:
            return None
        path = self.of.path
        fewest = 2 if one else 3
        if len(found.shape) < fewest or any(n != 1 for n in found.shape[:-3]):
            raise fault(
                path,
                f"has data of shape {found.shape} at {printable(name)}; "
                "images are (number, rows, columns).",
            )
        refuse_other_types(path, found.dtype)
        refuse_bomb(path, found.shape, found.dtype, self.of.limit, path)
        self._refuse_unknown_filters(found)
        return Images(self.of, name, found.shape, found.dtype)

    def _refuse_unknown_filters(self, dataset: Any) -> None:
        h5z, plan = library("h5py").h5z, dataset.id.get_create_plist()
        for place in range(plan.get_nfilters()):
            code, _, _, label = plan.get_filter(place)
            if h5z.filter_avail(code) or (_plugins() and h5z.filter_avail(code)):
                continue
            raise fault(
                self.of.path,
                f"is compressed by a filter that is not installed, {printable(label.decode())} "
                f"({code}): try `pip install hdf5plugin`.",
            )


def _plugins() -> bool:
    """Whether there are filters for HDF5 to load; loads them."""
    try:
        import hdf5plugin  # noqa: F401 - what it does, it does when it is imported
    except ImportError:
        return False
    return True


@dataclass(frozen=True)
class Images:
    """A dataset of images; a box of it is a hyperslab, so nothing else is read."""

    file: File
    name: str
    full: tuple[int, ...]
    dtype: np.dtype[Any]
    chunks: Chunks = field(default_factory=Chunks, compare=False, repr=False)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        frames, rows, columns = (1, *self.full)[-3:]
        return frames, rows, columns

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        with self.file.opened() as file:
            dataset = file.dataset(self.name)
            if dataset is None or dataset.shape != self.full or dataset.dtype != self.dtype:
                raise fault(self.file.path, "was changed while it was read.")
            box = (*whole(self.full[:-3]), frames, rows, slice(0, self.full[-1]))
            self.chunks.refuse_bombs(self.file.path, dataset, box[-len(self.full) :])
            if len(self.full) == 2:
                return np.asarray(dataset[rows])[np.newaxis][frames]
            read: Array = dataset[(*(0,) * (len(self.full) - 3), frames, rows)]
            return read

    def unwritten(self) -> tuple[int, int]:
        """As stend_tomo.reading.frames has it; what lies in other files isn't looked at."""
        with self.file.opened() as file:
            dataset = file.dataset(self.name)
            if dataset is None or dataset.is_virtual or dataset.external:
                return 0, 0
            if not dataset.chunks:
                return int(not dataset.id.get_storage_size()), 1
            sides = zip(dataset.shape, dataset.chunks, strict=True)
            chunks = math.prod(-(-n // chunk) for n, chunk in sides)
            return chunks - dataset.id.get_num_chunks(), chunks


def other_files(frames: object) -> list[Path]:
    """Files that a dataset names to be read from in place of its own, of frames that have some."""
    images = getattr(frames, "source", None)
    if not isinstance(images, Images) or not images.file.trusted:
        return []
    with images.file.opened() as inside:
        dataset = inside.dataset(images.name)
        home = Path(dataset.file.filename)  # behind an external link another one
        named = [home, *(Path(raw[0]) for raw in dataset.external or ())]
        sources = dataset.virtual_sources() if dataset.is_virtual else ()
        named += [home.parent / source.file_name for source in sources]
    return [path for path in named if path.is_file()]


def plain(value: Any) -> str | None:
    """An attribute's or a scalar's value as one line of text."""
    value = np.ravel(np.asarray(value))
    if value.size != 1:
        return None
    item = value[0]
    said = item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)
    return printable(said.strip())[:LONGEST_TEXT]
