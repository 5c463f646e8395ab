"""A small scan with known numbers, written into files by the libraries of each format."""

from pathlib import Path
from typing import NamedTuple

import h5py
import numpy as np
import pytest

import stend_tomo
from stend_tomo.errors import ScanFileError


class Known(NamedTuple):
    """What a file holds: images of 5 rows and 8 columns."""

    projections: np.ndarray
    flats: np.ndarray
    darks: np.ndarray
    degrees: np.ndarray


def known(dtype="uint16"):
    """Seven projections, two flats, three darks; no two pixels are alike."""
    numbers = np.arange(12 * 5 * 8).reshape(12, 5, 8).astype(dtype)
    return Known(numbers[:7], numbers[7:9], numbers[9:], np.linspace(0, 180, 7, endpoint=False))


def write_data_exchange(path: Path, scan: Known, **options) -> Path:
    """By h5py, laid out as De Carlo et al. 2014 say."""
    with h5py.File(path, "w") as file:
        file.create_dataset("exchange/data", data=scan.projections, **options)
        file["exchange/data_white"] = scan.flats
        file["exchange/data_dark"] = scan.darks
        file["exchange/theta"] = scan.degrees
        file["exchange/theta"].attrs["units"] = "degrees"
        file["measurement/sample/name"] = "May beetle"
        file["measurement/instrument/monochromator/energy"] = 24.9
        file["measurement/instrument/monochromator/energy"].attrs["units"] = "keV"
        name = "measurement/instrument/detection_system/objective/resolution"
        file[name] = 5.2
        file[name].attrs["units"] = "um"
    return path


def write_nxtomo(path: Path, scan: Known, entries=("entry",)) -> Path:
    """By h5py, as NXtomo has it: darks, flats, projections in one dataset."""
    parts = (scan.darks, scan.flats[:1], scan.projections, scan.flats[1:])
    keys = np.repeat([2, 1, 0, 1], [len(part) for part in parts])
    angles = np.zeros(len(keys))
    angles[keys == 0] = scan.degrees
    with h5py.File(path, "w") as file:
        for entry in entries:
            group = file.create_group(entry)
            group.attrs["NX_class"] = "NXentry"
            group["definition"] = "NXtomo"
            group["instrument/detector/data"] = np.concatenate(parts)
            group["instrument/detector/image_key"] = keys
            group["instrument/detector/x_pixel_size"] = 6.5e-6
            group["instrument/detector/x_pixel_size"].attrs["units"] = "m"
            group["sample/name"] = "bone"
            group["sample/rotation_angle"] = angles
            group["sample/rotation_angle"].attrs["units"] = "degree"
    return path


def assert_holds(scan, known: Known) -> None:
    """All images and angles, as a whole, by the row and by the frame."""
    for found, wanted in (
        (scan.projections, known.projections),
        (scan.flats, known.flats),
        (scan.darks, known.darks),
    ):
        assert found.shape == wanted.shape
        assert found.dtype == wanted.dtype
        assert np.array_equal(found.rows(0, 5), wanted)
        assert np.array_equal(found.rows(2, 4), wanted[:, 2:4])
        assert np.array_equal(found.frame(1), wanted[1])
    np.testing.assert_allclose(scan.angles, np.radians(known.degrees))


def read_all(path, **options):
    projections = stend_tomo.read(path, **options).projections
    return projections.rows(0, projections.shape[1])


def refused(path, match, **options):
    """Read everything; it ends with one sentence that names the file."""
    with pytest.raises(ScanFileError, match=match) as raised:
        read_all(path, **options)
    said = str(raised.value)
    assert said.isprintable()
    assert len(said) < 1000
    assert path.name.split(".")[0] in said
