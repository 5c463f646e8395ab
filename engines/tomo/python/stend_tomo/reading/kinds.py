"""What kind of file this is, by its first bytes."""

from pathlib import Path

from stend_tomo.reading.limits import fault, told
from stend_tomo.reading.zarr_store import is_store

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


def kind_of(path: Path) -> str:
    """hdf5, tiff, png, npy, npz, dicom; of a folder, zarr or images."""
    with told(path, "a scan"):
        if path.is_dir():
            return "zarr" if is_store(path) else "images"
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
    raise fault(path, "is of no format that is known: HDF5, TIFF, PNG, DICOM, NumPy or Zarr.")
