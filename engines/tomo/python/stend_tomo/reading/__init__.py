"""Files of any format → a scan, of which nothing large is read before it is asked for.

`read` finds the format by what the file holds, not by its name:

    HDF5 (Data Exchange, NXtomo), TIFF, PNG, DICOM, NumPy's .npy and .npz, Zarr; folders of images

docs/tomo-files.md has what is read of each.
"""

from pathlib import Path

from stend_tomo.errors import ScanFileError, printable
from stend_tomo.reading import (
    arrays,
    data_exchange,
    dicom,
    nxtomo,
    stack,
    tiff,
    volumes,
    zarr_store,
)
from stend_tomo.reading import png as png_files
from stend_tomo.reading.angles import Angles
from stend_tomo.reading.assembly import assembled
from stend_tomo.reading.frames import Chosen, unpacked
from stend_tomo.reading.hdf5 import File
from stend_tomo.reading.kinds import kind_of
from stend_tomo.reading.limits import fault
from stend_tomo.scan import Frames, Scan, StoredVolume

__all__ = ["is_volume", "read", "read_frames", "read_volume", "unpacked"]


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
        angles: instead of the file's; radians, one a projection, or (first, last, how many), or a
            file of them (one a line; degrees, or `FILE:rad`).
        entry: the scan to take from a file that holds several (NXtomo).
        external: whether an HDF5 file may take data from other files.
        limit: bytes that the projections may claim to have; without it, 1 GiB or a hundred times
            what the file has on the disk, whichever is more.

    Raises:
        ScanFileError: the file can't be read, or makes no sense as a scan.
        BadOption: angles or entry don't fit the file.
        Missing: the library for this format is not installed.
    """
    path = Path(path)
    return assembled(path, _found(path, entry, external, limit, angles is not None), angles)


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
    volume = volumes.read_volume(Path(path), limit)
    if not all(volume.slices.shape):
        raise fault(Path(path), f"holds no slices: their shape is {volume.slices.shape}.")
    return volume


def is_volume(path: str | Path, *, limit: int | None = None) -> bool:
    """Whether a file says that it holds slices, and in which unit; else it may be a scan."""
    path = Path(path)
    try:
        if kind_of(path) == "hdf5" and _is_hdf5_scan(File(path, limit=limit)):
            return False  # NeXus' default data, in their unit, are a scan's as well
        return bool(read_volume(path, limit=limit).unit)
    except ScanFileError:
        return False


def _found(
    path: Path, entry: str | None, external: bool, limit: int | None, angles_given: bool
) -> Scan:
    match kind_of(path):
        case "hdf5":
            return _hdf5(File(path, external, limit), entry, angles_given)
        case "tiff":
            pages = tiff.layout_of(path, limit)
            return Scan(projections=Chosen.all(tiff.Pages(path, pages)), pixel=pages.pixel)
        case "png":
            image = png_files.layout_of(path, limit)
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


def _is_hdf5_scan(file: File) -> bool:
    with file.described() as inside:
        return data_exchange.is_data_exchange(inside) or bool(nxtomo.entries(inside))


def _hdf5(file: File, entry: str | None, angles_given: bool) -> Scan:
    with file.described() as inside:
        if data_exchange.is_data_exchange(inside):
            return data_exchange.scan_of(file, inside, angles_given)
        if nxtomo.entries(inside):
            return nxtomo.scan_of(file, inside, entry, angles_given)
        names = ", ".join(printable(name) for name in inside.children("")[:10]) or "nothing"
        raise fault(
            file.path,
            f"is neither Data Exchange (/exchange/data) nor NXtomo; at its top it has {names}.",
        )
