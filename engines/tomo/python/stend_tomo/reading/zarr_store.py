"""Zarr, format 2 or 3 (also OME-Zarr), in a folder → a scan or an array to read later.

The codecs that a store names run when it is read, and there are some that run what they are given
(numcodecs' pickle): only those are allowed that just pack numbers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import library, printable
from stend_tomo.reading.angles import millimetres, told_angles
from stend_tomo.reading.frames import Array, Chosen
from stend_tomo.reading.limits import (
    SMALL,
    fault,
    refuse_bomb,
    refuse_bomb_chunks,
    refuse_other_types,
    told,
)
from stend_tomo.scan import Frames, Scan

KIND = "Zarr"
MARKERS = ("zarr.json", ".zarray", ".zgroup")
NAMES = {
    "projections": ("projections", "exchange/data", "data", "0"),
    "angles": ("angles", "theta", "exchange/theta"),
    "flats": ("flats", "data_white", "exchange/data_white"),
    "darks": ("darks", "data_dark", "exchange/data_dark"),
}
"""What is looked for in a group, in this order."""
PACKING = {
    "bytes", "transpose", "sharding_indexed", "blosc", "zstd", "gzip", "zlib", "lz4", "lzma", "bz2",
    "crc32", "crc32c", "adler32", "fletcher32", "jenkins_lookup3", "delta", "shuffle", "bitround",
    "fixedscaleoffset", "quantize", "astype", "packbits", "zfpy", "pcodec",
}  # fmt: skip
"""Codecs that turn numbers into bytes and back, and do nothing else."""


def is_store(path: Path) -> bool:
    """Whether a folder is a Zarr array or group."""
    return any((path / name).is_file() for name in MARKERS)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open an array or a group; what goes wrong is a ScanFileError."""
    zarr = library("zarr")
    with told(path, KIND):
        yield zarr.open(str(path), mode="r")


def read_store(path: Path, limit: int | None, angles_given: bool) -> Scan:
    """A scan: the array itself, or arrays of a group by the names that NAMES has.

    Its angles are not looked at where the user gives others.
    """
    with opened(path) as root:
        if hasattr(root, "shape"):
            return Scan(projections=Chosen.all(images(path, "", root, limit)))
        found = {what: _first(root, names) for what, names in NAMES.items()}
        if found["projections"] is None:
            raise fault(path, "has no array named data or projections.")
        angles = None if angles_given else found["angles"]
        return Scan(
            projections=Chosen.all(images(path, *found["projections"], limit)),
            angles=_angles(path, *angles) if angles else None,
            flats=_fields(path, found["flats"], limit),
            darks=_fields(path, found["darks"], limit),
            pixel=_step(dict(root.attrs), "pixel_mm", -1),
            about={
                printable(key): printable(value)
                for key, value in dict(root.attrs).items()
                if isinstance(value, str)
            },
        )


def _first(root: Any, names: tuple[str, ...]) -> tuple[str, Any] | None:
    return next(
        ((name, root[name]) for name in names if name in root and hasattr(root[name], "shape")),
        None,
    )


def _fields(path: Path, found: tuple[str, Any] | None, limit: int | None) -> Frames | None:
    return Chosen.all(images(path, *found, limit, one=True)) if found else None


def images(path: Path, name: str, array: Any, limit: int | None, *, one: bool = False) -> "Images":
    """Images that are read later; axes of one element before the last three are left out.

    Where `one` is enough, a single image may have two.
    """
    shape = tuple(int(n) for n in array.shape)
    if len(shape) < (2 if one else 3) or any(n != 1 for n in shape[:-3]):
        raise fault(path, f"has data of shape {shape}; images are (number, rows, columns).")
    refuse_other_types(path, array.dtype)
    refuse_bomb(path, shape, array.dtype, limit, path)
    refuse_bomb_chunks(path, array.shards or array.chunks, array.dtype, limit)
    refuse_other_codecs(path, array.metadata.to_dict())
    return Images(path, name, shape, np.dtype(array.dtype))


def refuse_other_codecs(path: Path, metadata: Any) -> None:
    """Raise ScanFileError for a codec, at any depth, that PACKING lacks."""
    for name in _codecs(
        [metadata.get(key) for key in ("codecs", "compressor", "filters", "compressors")]
    ):
        if name.removeprefix("numcodecs.") not in PACKING:
            raise fault(path, f"is packed by {printable(name)}, which is not known to be safe.")


def _codecs(given: Any) -> Iterator[str]:
    if isinstance(given, dict):
        name = given.get("name", given.get("id"))
        if isinstance(name, str):
            yield name
        for inner in given.values():
            yield from _codecs(inner)
    elif isinstance(given, list | tuple):
        for inner in given:
            yield from _codecs(inner)
    elif hasattr(given, "to_dict"):
        yield from _codecs(given.to_dict())
    elif hasattr(given, "get_config"):
        yield from _codecs(given.get_config())


def _angles(path: Path, name: str, array: Any) -> NDArray[np.float64]:
    refuse_other_types(path, array.dtype, "angles")
    refuse_other_codecs(path, array.metadata.to_dict())
    if np.prod(array.shape, dtype=object) > SMALL:
        raise fault(path, f"has angles of shape {array.shape}.")
    refuse_bomb_chunks(path, array.shards or array.chunks, array.dtype, None)
    unit = str(array.attrs.get("units", array.attrs.get("unit", "")))
    values = np.ravel(_bounded(path, array)[...]).astype(np.float64)
    return told_angles(path, name, values, unit)


def _bounded(path: Path, array: Any) -> Any:
    """The array to read from, whose chunks are looked at before they are unpacked."""
    from stend_tomo.reading.zarr_codecs import bounded  # zarr is installed, as it opened this

    return bounded(path, array)


def spacing_in(attributes: dict[str, Any]) -> float | None:
    """The distance of slices in mm."""
    return _step(attributes, "spacing_mm", -3)


def _step(attributes: dict[str, Any], name: str, axis: int) -> float | None:
    """A side or a distance in mm, from our own attribute or from OME's axes and scale."""
    try:
        if name in attributes:
            return millimetres(float(attributes[name]), "mm")
        scales = (attributes.get("ome") or attributes)["multiscales"][0]
        unit = scales["axes"][axis]["unit"]
        (scale,) = scales["datasets"][0]["coordinateTransformations"][:1]
        return millimetres(float(scale["scale"][axis]), unit)
    except (KeyError, IndexError, TypeError, ValueError):
        return None  # it is not told, or not as it should be


@dataclass(frozen=True)
class Images:
    """An array of which only the chunks are unpacked that are asked for."""

    path: Path
    name: str
    full: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        frames, rows, columns = (1, *self.full)[-3:]
        return frames, rows, columns

    def part(self, frames: slice, rows: slice) -> Array:
        """A box of it."""
        with opened(self.path) as root:
            array = _bounded(self.path, root[self.name] if self.name else root)
            if len(self.full) == 2:
                return np.asarray(array[rows])[np.newaxis][frames]
            before = (0,) * (len(self.full) - 3)
            return np.asarray(array[(*before, frames, rows, slice(None))])

    def unwritten(self) -> tuple[int, int]:
        """As stend_tomo.reading.frames has it; those of shards are counted by some zarr only."""
        with opened(self.path) as root:
            array = root[self.name] if self.name else root
            if array.shards:
                return 0, 0
            return array.nchunks - array.nchunks_initialized, array.nchunks
