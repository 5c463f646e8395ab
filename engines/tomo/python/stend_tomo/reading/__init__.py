"""Files of any format → a scan or a volume; nothing large is read before it is asked for.

`read` and `read_volume` find the format by what the file holds, not by its name:

    HDF5 (Data Exchange, NXtomo), TIFF, PNG, DICOM, NumPy's .npy and .npz, Zarr; folders of images

docs/tomo-files.md has what is read of each.
"""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import Keyword, ScanFileError, library, printable
from stend_tomo.reading import arrays, dicom, hdf5_scans, png, stack, tiff, zarr_store
from stend_tomo.reading.angles import Angles, given_angles, objection
from stend_tomo.reading.frames import Chosen, Scaled, Source, unpacked
from stend_tomo.reading.hdf5 import File, Inside
from stend_tomo.reading.limits import fault, told
from stend_tomo.reading.stack import UNFINISHED
from stend_tomo.scan import Frames, Scan, StoredVolume

__all__ = ["is_volume", "kind_of", "read", "read_frames", "read_volume", "unpacked"]

MAGIC = {
    b"\x89HDF\r\n\x1a\n": "hdf5",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
    b"II+\0": "tiff",  # BigTIFF
    b"MM\0+": "tiff",
    b"\x89PNG\r\n\x1a\n": "png",
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
}
HDF5, USER_BLOCKS = b"\x89HDF\r\n\x1a\n", (512, 1024, 2048)
"""HDF5 may begin behind a user's own bytes: at any power of two from 512."""
DICOM, PREAMBLE = b"DICM", 128
MOST_ARRAYS = 100
"""Of an HDF5 file's root that are looked at."""


def read(
    path: str | Path,
    *,
    angles: Angles | None = None,
    entry: str | None = None,
    external: bool = False,
    limit: int | None = None,
) -> Scan:
    """Read a scan: its projections, and whatever else the file tells.

    Args:
        path: a file, or a folder of numbered images.
        angles: instead of the file's; radians, one per projection, or (first, last, how many), or a
            file of them (one a line; degrees, or `FILE:rad`).
        entry: the scan to take from a file that holds several (NXtomo).
        external: whether an HDF5 file may take data from other files.
        limit: limit on the claimed size of the projections in bytes; without it, 1 GiB or a hundred
            times what the file has on the disk, whichever is more.

    Raises:
        ScanFileError: the file can't be read, or is not a valid scan.
        BadOption: angles or entry do not match the file.
        Missing: the library for this format is not installed.
    """
    path = Path(path)
    return _assembled(path, _found(path, entry, external, limit, angles is not None), angles)


def read_frames(path: str | Path, *, external: bool = False, limit: int | None = None) -> Frames:
    """Read flat or dark fields that lie in a file, or a folder, of their own: all images in it.

    Args:
        path: a file, whose projections are taken, or a folder of images, whatever their names.
        external: as for `read`.
        limit: as for `read`.

    Raises:
        ScanFileError: it can't be read, or holds no images.
        Missing: the library for this format is not installed.
    """
    path = Path(path)
    if kind_of(path) == "images":
        return stack.read_images(path, limit)
    frames = _found(path, None, external, limit, angles_given=True).projections
    if not all(frames.shape):
        raise fault(path, f"holds no images: their shape is {frames.shape}.")
    return frames


def read_volume(path: str | Path, *, limit: int | None = None) -> StoredVolume:
    """Read a volume of slices: what `stend_tomo.write` wrote, a CT series, or any stack of images.

    Args:
        path: a file or a folder.
        limit: bytes that the slices may claim to have, as for `read`.

    Raises:
        ScanFileError: it can't be read, or is not finished.
        Missing: the library for this format is not installed.
    """
    volume = _volume(Path(path), limit)
    if not all(volume.slices.shape):
        raise fault(Path(path), f"holds no slices: their shape is {volume.slices.shape}.")
    return volume


def is_volume(path: str | Path, *, limit: int | None = None) -> bool:
    """Whether a file says that it holds slices, and in which unit; else it may be a scan."""
    path = Path(path)
    try:
        if kind_of(path) == "hdf5" and hdf5_scans.is_scan(File(path, limit=limit)):
            return False  # NeXus' default data, in their unit, are a scan's as well
        return bool(read_volume(path, limit=limit).unit)
    except ScanFileError:
        return False


def _found(
    path: Path, entry: str | None, external: bool, limit: int | None, angles_given: bool
) -> Scan:
    match kind_of(path):
        case "hdf5":
            return hdf5_scans.read_file(File(path, external, limit), entry, angles_given)
        case "tiff":
            pages = tiff.layout_of(path, limit)
            return Scan(projections=Chosen.all(tiff.Pages(path, pages)), pixel=pages.pixel)
        case "png":
            image = png.layout_of(path, limit)
            one = stack.Files("png", (path,), image)
            return Scan(projections=Chosen.all(one), pixel=image.pixel)
        case "dicom":
            return dicom.read_file(path, limit)
        case "npy":
            return arrays.read_npy(path, limit)
        case "npz":
            return arrays.read_npz(path, limit)
        case "zarr":
            return zarr_store.read_store(path, limit, angles_given)
        case _:
            return stack.read_folder(path, limit, angles_given)


def _assembled(path: Path, scan: Scan, angles: Angles | None) -> Scan:
    """Check sizes and angles; the user's angles replace the file's."""
    frames, rows, columns = scan.projections.shape
    if not frames * rows * columns:
        raise fault(path, f"holds no projections: their shape is {scan.projections.shape}.")
    scan = replace(scan, flats=_fitting(path, "flat", scan.flats, scan.projections))
    scan = replace(scan, darks=_fitting(path, "dark", scan.darks, scan.projections))
    if angles is not None:
        return replace(scan, angles=given_angles(angles, frames))
    if scan.angles is not None and (why := objection(scan.angles, frames)):
        raise fault(path, f"holds {why}; give the right ones with ", Keyword("angles"), ".")
    return scan


def _fitting(path: Path, which: str, images: Frames | None, projections: Frames) -> Frames | None:
    if images is None or not images.shape[0]:
        return None
    if images.shape[1:] != projections.shape[1:]:
        size, wanted = images.shape[1:], projections.shape[1:]
        raise fault(
            path,
            f"holds {which} fields of {size[0]} × {size[1]} pixels and projections of "
            f"{wanted[0]} × {wanted[1]}; they must have the same size.",
        )
    return images


def _volume(path: Path, limit: int | None) -> StoredVolume:
    match kind_of(path):
        case "hdf5":
            return _hdf5_volume(File(path, limit=limit))
        case "zarr":
            return _zarr(path, limit)
        case "npy":
            return StoredVolume(arrays.read_npy(path, limit, single=True).projections)
        case "npz":
            scan = arrays.read_npz(path, limit)
            return StoredVolume(scan.projections, pixel=scan.pixel)
        case "dicom":
            return dicom.read_series(path, [path], limit)
        case "tiff":
            layout = tiff.layout_of(path, limit)
            return _tiff(tiff.Pages(path, layout), path, layout.pixel)
        case "png":
            return _png(path, [path], limit)
        case _:
            return _folder(path, limit)


def _folder(path: Path, limit: int | None) -> StoredVolume:
    if (path / stack.JOURNAL).exists():
        raise fault(path, UNFINISHED)
    with told(path, "a folder of slices"):
        files = stack.images_in(path)
    match stack.kind_of_images(path, files):
        case "dicom":
            return dicom.read_series(path, files, limit)
        case "png":
            return _png(path, files, limit)
        case kind:
            source = stack.source_of(path, kind, files, limit)
            return _tiff(source, files[0], stack.pixel_of(source))


def _tiff(source: Source, first: Path, pixel: float | None) -> StoredVolume:
    with tiff.opened(first) as file:
        said = tiff.described(file)
        about = json.loads(said.get("Info", "{}")) if "values" in said else {}
        return StoredVolume(
            slices=Chosen.all(source),
            unit=printable(str(said.get("values", ""))),
            pixel=pixel,
            spacing=tiff.spacing_in(said),
            window=_window([said.get("min"), said.get("max")]),
            about={printable(str(key)): printable(str(value)) for key, value in about.items()},
        )


def _png(path: Path, files: list[Path], limit: int | None) -> StoredVolume:
    source = stack.source_of(path, "png", files, limit)
    with told(files[0], png.KIND), library("PIL.Image").open(files[0], formats=["PNG"]) as image:
        said = dict(image.text)
    window = _window(said.get("Window", "").split())
    if window is None:
        return StoredVolume(Chosen.all(source), pixel=stack.pixel_of(source))
    step = (window[1] - window[0]) / np.iinfo(source.dtype).max
    exact = [_number(said.get(name, "").removesuffix(" mm")) for name in ("Pixel", "Spacing")]
    own = ("Window", "Unit", "Slice", "Pixel", "Spacing", "Software")
    return StoredVolume(
        slices=Chosen.all(Scaled(source, window[0], step)),
        unit=printable(said.get("Unit", "")),
        pixel=exact[0] or stack.pixel_of(source),
        spacing=exact[1],
        window=window,
        about={printable(k): printable(str(v)) for k, v in said.items() if k not in own},
    )


def _hdf5_volume(file: File) -> StoredVolume:
    """NeXus: the default data's signal, as the attributes lead there from the file's root.

    Without them the only array of images at the root.
    """
    with file.described() as inside:
        entry = inside.attribute("", "default") or "entry"
        data = f"{entry}/{inside.attribute(entry, 'default') or 'reconstruction'}"
        name = f"{data}/{inside.attribute(data, 'signal') or 'data'}"
        if inside.find(name) is None:
            name = _only_images(inside)
        images = inside.images(name, one=True)
        if images is None:
            names = ", ".join(printable(child) for child in inside.children("")[:10]) or "nothing"
            raise fault(
                file.path,
                f"has no default data (NXdata), nor one array of images; its root has {names}.",
            )
        window = inside.numbers_of(name, "window")
        return StoredVolume(
            slices=Chosen.all(images),
            unit=inside.attribute(name, "units"),
            pixel=_number(inside.attribute(name, "pixel_mm")),
            spacing=_number(inside.attribute(name, "spacing_mm")),
            window=_window(window),
            about=_about(inside, f"{entry}/about"),
        )


def _only_images(inside: Inside) -> str:
    """The name of the root's only array of two sides or more; none if there are several."""
    names = inside.children("")[:MOST_ARRAYS]
    found = [name for name in names if len(getattr(inside.dataset(name), "shape", ())) > 1]
    return found[0] if len(found) == 1 else ""


def _about(inside: Inside, name: str) -> dict[str, str]:
    group = inside.find(name)
    keys = [] if group is None else list(group.attrs)
    return {printable(key): inside.attribute(name, key) for key in keys if key != "NX_class"}


def _zarr(path: Path, limit: int | None) -> StoredVolume:
    with zarr_store.opened(path) as root:
        scan = zarr_store.read_store(path, limit, angles_given=True)  # slices have none
        said = dict(root.attrs)
        about = said.get("about")
        return StoredVolume(
            slices=scan.projections,
            unit=printable(str(said.get("unit", ""))),
            pixel=scan.pixel,
            spacing=zarr_store.spacing_in(said),
            window=_window(said.get("window")),
            about={printable(str(k)): printable(str(v)) for k, v in about.items()}
            if isinstance(about, dict)
            else {},
        )


def _number(said: str) -> float | None:
    try:
        value = float(said)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _window(said: Any) -> tuple[float, float] | None:
    try:
        low, high = map(float, said)
    except (TypeError, ValueError):
        return None
    return (low, high) if -math.inf < low < high < math.inf else None


def kind_of(path: Path) -> str:
    """hdf5, tiff, png, npy, npz, dicom; of a folder, zarr or images."""
    with told(path, "a scan"):
        if path.is_dir():
            return "zarr" if zarr_store.is_store(path) else "images"
        if not path.is_file() and path.exists():
            raise fault(path, "is neither a file nor a folder.")
        with path.open("rb") as file:
            first = file.read(USER_BLOCKS[-1] + len(HDF5))
    if not first:
        raise fault(path, "is empty.")
    for magic, kind in MAGIC.items():
        if first.startswith(magic):
            return kind
    if first[PREAMBLE:].startswith(DICOM):
        return "dicom"
    if any(first[place:].startswith(HDF5) for place in USER_BLOCKS):
        return "hdf5"
    raise fault(path, "has none of the known formats: HDF5, TIFF, PNG, DICOM, NumPy or Zarr.")
