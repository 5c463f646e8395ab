"""A folder of numbered images → a scan: what is a projection, a flat or a dark field by its name.

Files are taken in the order of the numbers in their names. A file or subfolder whose name begins
with a word of FLATS or DARKS holds those; everything else is projections, which may lie in one
subfolder as well. Files hold one image each, or many.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import Keyword, printable
from stend_tomo.reading import dicom, png, tiff
from stend_tomo.reading.angles import angles_in
from stend_tomo.reading.frames import Array, Chosen, Source, same_numbers
from stend_tomo.reading.limits import fault, refuse_bomb, told
from stend_tomo.reading.zarr_store import is_store
from stend_tomo.scan import Scan

JOURNAL = "journal.json"
"""What an unfinished volume has beside its slices (stend_tomo.writing)."""
UNFINISHED = "is an unfinished volume; the call that began it, repeated, finishes it."
FLATS = ("flat", "white", "ref", "open", "bright", "gain")
DARKS = ("dark", "offset")
ANGLES = re.compile(r"(angles?|theta)\.(txt|csv|npy)|.*\.(raw|r)?tlt", re.IGNORECASE)
KINDS = {".tif": "tiff", ".tiff": "tiff", ".png": "png", ".dcm": "dicom", ".ima": "dicom"}


READERS: dict[str, Any] = {"tiff": tiff, "png": png, "dicom": dicom}


@dataclass(frozen=True)
class Files:
    """A source of one image a file."""

    kind: str
    paths: tuple[Path, ...]
    layout: tiff.Layout

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return len(self.paths), self.layout.rows, self.layout.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.layout.dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        read = READERS[self.kind].read_one
        shape = (frames.stop - frames.start, rows.stop - rows.start, self.shape[2])
        out = np.empty(shape, self.dtype)
        for place, path in zip(out, self.paths[frames], strict=True):
            place[...] = read(path, self.layout, rows)
        return out


@dataclass(frozen=True)
class Joined:
    """Several sources, one behind the other."""

    sources: tuple[Source, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        return sum(s.shape[0] for s in self.sources), *self.sources[0].shape[1:]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of a pixel."""
        return self.sources[0].dtype

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        parts, begin = [], 0
        for source in self.sources:
            first = max(frames.start - begin, 0)
            last = min(frames.stop - begin, source.shape[0])
            if first < last:
                parts.append(source.part(slice(first, last), rows))
            begin += source.shape[0]
        return np.concatenate(parts)


def read_folder(path: Path, limit: int | None, angles_given: bool = False) -> Scan:
    """A folder of images; the angles beside them are not looked at where the user gives others.

    Raises:
        ScanFileError: there are none, or of several formats, or of several sizes.
    """
    if (path / JOURNAL).exists():
        raise fault(path, UNFINISHED)
    with told(path, "a folder of images"):
        groups = _groups(path)
        beside = () if angles_given else path.iterdir()
        lists = [file for file in beside if ANGLES.fullmatch(file.name) and file.is_file()]
    kind = kind_of_images(path, [file for files in groups.values() for file in files])
    if not groups["projections"]:
        raise fault(path, "holds no projections: all its images have names of flat or dark fields.")
    if len(lists) > 1:
        names = ", ".join(printable(file.name) for file in lists[:5])
        raise fault(
            path,
            f"holds several lists of angles ({names}); choose one with ",
            Keyword("angles"),
            ".",
        )
    if kind == "dicom":
        groups["projections"] = dicom.in_order(path, groups["projections"])
    sources = {
        name: source_of(path, kind, files, limit) if files else None
        for name, files in groups.items()
    }
    projections, flats, darks = (sources[name] for name in groups)
    assert projections is not None
    return Scan(
        projections=Chosen.all(projections),
        angles=angles_in(lists[0]) if lists else None,
        flats=Chosen.all(flats) if flats else None,
        darks=Chosen.all(darks) if darks else None,
        pixel=pixel_of(projections),
    )


def read_images(path: Path, limit: int | None) -> Chosen:
    """All images of a folder, whatever their names.

    Raises:
        ScanFileError: as `read_folder`.
    """
    with told(path, "a folder of images"):
        images = images_in(path)
    return Chosen.all(source_of(path, kind_of_images(path, images), images, limit))


def files_of(path: Path) -> list[Path]:
    """Files that a scan is read from: the file, all of a Zarr store, or a folder's images."""
    if not path.is_dir():
        return [path]
    if is_store(path):
        return sorted(file for file in path.rglob("*") if file.is_file())
    return [file for files in _groups(path).values() for file in files]


def is_read(path: Path, name: str) -> bool:
    """Whether a file or folder of this name, made in or below a folder of images, is read with it.

    Where projections lie in a subfolder, there must not be another one of images.
    """
    if Path(name).suffix.lower() in KINDS or _group(name) != "projections":
        return True
    return any(file.parent != path for file in _groups(path)["projections"])


def images_in(folder: Path) -> list[Path]:
    """Files that are images, in the order of the numbers in their names."""
    images = [file for file in folder.iterdir() if _kind_of_file(file)]
    return sorted(images, key=lambda file: _natural(file.name))


def _kind_of_file(file: Path) -> str | None:
    """By its name; scanners often give DICOM files none that ends with .dcm."""
    if file.name.startswith(".") or not file.is_file():
        return None
    if file.suffix.lower() in KINDS:
        return KINDS[file.suffix.lower()]
    if file.suffix and not file.suffix[1:].isdecimal():
        return None
    with file.open("rb") as content:
        return "dicom" if content.read(132)[128:] == b"DICM" else None


def _groups(path: Path) -> dict[str, list[Path]]:
    """Files of each kind, from the folder and from its subfolders with a telling name."""
    groups: dict[str, list[Path]] = {"projections": [], "flats": [], "darks": []}
    for file in images_in(path):
        groups[_group(file.name)].append(file)
    others = []
    for folder in sorted(sub for sub in path.iterdir() if sub.is_dir()):
        if (group := _group(folder.name)) != "projections":
            groups[group] += images_in(folder)
        elif found := images_in(folder):
            others.append(found)
    if not groups["projections"] and len(others) > 1:
        names = ", ".join(printable(files[0].parent.name) for files in others[:5])
        raise fault(path, f"holds several folders of projections ({names}); give one of them.")
    if not groups["projections"] and others:
        (groups["projections"],) = others
    return groups


def _group(name: str) -> str:
    if name.lower().startswith(FLATS):
        return "flats"
    return "darks" if name.lower().startswith(DARKS) else "projections"


def kind_of_images(path: Path, files: Iterable[Path]) -> str:
    """The one format of these files."""
    kinds = sorted({kind for file in files if (kind := _kind_of_file(file))})
    if not kinds:
        raise fault(path, f"holds no images ({', '.join(KINDS)}).")
    if len(kinds) > 1:
        raise fault(path, f"holds images of several formats: {', '.join(kinds)}.")
    return kinds[0]


def source_of(path: Path, kind: str, files: list[Path], limit: int | None) -> Source:
    """Images of one group; only the first is looked at, unless it holds many pages."""
    layout = READERS[kind].layout_of(files[0], limit)
    if layout.images == 1:
        refuse_bomb(path, (len(files), layout.rows, layout.columns), layout.dtype, limit, path)
        return Files(kind, tuple(files), layout)
    pages = READERS[kind].Pages
    sources = tuple(pages(file, READERS[kind].layout_of(file, limit)) for file in files)
    for file, source in zip(files, sources, strict=True):
        size, others = source.shape[1:], sources[0].shape[1:]
        if size != others or not same_numbers(source.dtype, sources[0].dtype):
            raise fault(
                file,
                f"holds images of {size} pixels of type {source.dtype}, and the first file of "
                f"{others} of type {sources[0].dtype}; all must be of one size and type.",
            )
    return Joined(sources)


def pixel_of(source: Source) -> float | None:
    """The pixel's side that the first of many files tells."""
    return source.layout.pixel if isinstance(source, Files) else None


def _natural(name: str) -> list[tuple[int, str]]:
    """By which names are sorted: n2 before n10."""
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"([0-9]+)", name)]
