"""The formats that slices are written in, by name or told by the output's ending."""

import re
from enum import StrEnum
from pathlib import Path

from stend_tomo.errors import BadOption
from stend_tomo.text import printable


class FormatName(StrEnum):
    """A format of `stend_tomo.open_volume`."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    HDF5 = "hdf5"
    ZARR = "zarr"


ENDINGS = {
    ".h5": FormatName.HDF5,
    ".hdf5": FormatName.HDF5,
    ".zarr": FormatName.ZARR,
    ".tif": FormatName.TIFF,
    ".tiff": FormatName.TIFF,
}
"""What names of outputs say."""
OF_ONE_SLICE = {".png": FormatName.PNG, ".dcm": FormatName.DICOM}
"""Endings of files that these formats fill a folder with."""
OF_A_FILE = re.compile(r"\.[a-z]\w{1,5}", re.ASCII)
"""How the name of a file ends, and hardly that of a folder: .npy, .raw, .nii, but not .3."""


def format_of(output: Path, given: FormatName | None) -> FormatName:
    """Give the format that was named, or else the one that the output's ending tells.

    Raises:
        BadOption: they contradict each other, or the ending is that of one slice, or of a file that
            is not written.
    """
    ending, name = output.suffix.lower(), printable(str(output))
    if ending in OF_ONE_SLICE:
        raise BadOption(
            f"{name} is named like one image, and slices are a folder of them; give a name "
            f"without {ending}, and --format {OF_ONE_SLICE[ending]}."
        )
    told = ENDINGS.get(ending)
    if not (given or told) and OF_A_FILE.fullmatch(ending):
        raise BadOption(
            f"{name} is named like a file that is not written here; give a name that ends with "
            ".h5, .tif or .zarr, or one without an ending for a folder of TIFFs (with --format a "
            "folder may have any name)."
        )
    if given and told and given != told:
        raise BadOption(
            f"{name} is named like {told}, and --format is {given}; leave --format out, or give "
            "another name."
        )
    return given or told or FormatName.TIFF
