"""The formats that slices are written in, by name."""

from enum import StrEnum


class FormatName(StrEnum):
    """A format of `stend.tomo.open_volume`."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    HDF5 = "hdf5"
    ZARR = "zarr"
