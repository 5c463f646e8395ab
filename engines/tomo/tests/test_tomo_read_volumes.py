"""Volumes that stend wrote come back with their numbers and units; so do a scanner's CT series."""

import h5py
import numpy as np
import pydicom
import pytest
import tifffile
import zarr

import stend_tomo
from scan_files import known, write_data_exchange, write_nxtomo
from stend_tomo.errors import ScanFileError
from stend_tomo.writing import FORMATS

VALUES = np.random.default_rng(6).normal(0.02, 0.01, (4, 9, 11)).astype(np.float32)
WINDOW = (-0.03, 0.07)
NAMES = {"dicom": "a", "png": "a", "tiff": "a", "hdf5": "a.h5", "zarr": "a.zarr"}


def within(format):
    """Half a level of 16 bits; float32 is exact."""
    levels = {"dicom": np.ptp(VALUES) / 65535, "png": (WINDOW[1] - WINDOW[0]) / 65535}
    return 0.501 * levels.get(format, 0)


@pytest.mark.parametrize(("format", "name"), [*NAMES.items(), ("tiff", "a.tif")])
def test_numbers_and_units_come_back(tmp_path, format, name):
    stend_tomo.write(
        tmp_path / name, VALUES, format=format, pixel=0.0052, spacing=0.0104, window=WINDOW,
        about={"sample": "May beetle", "algorithm": "dfr", "rows": "60:64"},
    )  # fmt: skip
    volume = stend_tomo.read_volume(tmp_path / name)
    assert volume.slices.shape == VALUES.shape
    assert np.abs(volume.slices.rows(0, 9) - VALUES).max() <= within(format)
    assert np.abs(volume.slices.frame(2) - VALUES[2]).max() <= within(format)
    assert np.abs(volume.slices.rows(3, 5) - VALUES[:, 3:5]).max() <= within(format)
    assert (volume.unit, volume.pixel) == ("1/mm", pytest.approx(0.0052))
    assert volume.spacing == pytest.approx(0.0104)
    assert volume.window == pytest.approx(WINDOW)
    assert volume.about["sample"].rstrip("^") == "May beetle"
    assert (volume.about["algorithm"], volume.about["rows"]) == ("dfr", "60:64")
    assert stend_tomo.is_volume(tmp_path / name)


@pytest.mark.parametrize("format", ["png", "tiff", "hdf5", "zarr"])
def test_values_without_a_pixel_are_of_a_pixel(tmp_path, format):
    stend_tomo.write(tmp_path / "a", VALUES, format=format)
    volume = stend_tomo.read_volume(tmp_path / "a")
    assert (volume.unit, volume.pixel) == ("1/pixel", None)
    assert volume.slices.frame(0).dtype == np.float32


def test_hounsfield_units_stay_so(tmp_path):
    stend_tomo.write(tmp_path / "a", VALUES, format="dicom", pixel=0.1, water=0.02)
    volume = stend_tomo.read_volume(tmp_path / "a")
    assert volume.unit == "HU"
    np.testing.assert_allclose(volume.slices.frame(1), 1000 * (VALUES[1] / 0.02 - 1), atol=0.501)


@pytest.mark.parametrize("unit", ["1/cm", "g/cm3", "HU"])
def test_other_units_come_back_from_dicom(tmp_path, unit):
    values, step = (VALUES, np.ptp(VALUES) / 65535) if unit != "HU" else (1e5 * VALUES, 1)
    stend_tomo.write(tmp_path / "a", values, format="dicom", pixel=0.1, unit=unit)
    volume = stend_tomo.read_volume(tmp_path / "a")
    assert volume.unit == unit
    np.testing.assert_allclose(volume.slices.rows(0, 9), values, atol=0.501 * step)


@pytest.mark.parametrize("unit", ["micron", "um", "\\u00B5m"])
def test_imagejs_distance_of_slices_is_read(tmp_path, unit):
    tifffile.imwrite(tmp_path / "a.tif", VALUES, imagej=True, resolution=(0.5, 0.5),
                     metadata={"unit": unit, "spacing": 5.0})  # fmt: skip
    volume = stend_tomo.read_volume(tmp_path / "a.tif")
    assert (volume.pixel, volume.spacing) == (pytest.approx(0.002), pytest.approx(0.005))


def test_ome_zarrs_distance_of_slices_is_read(tmp_path):
    axes = [{"name": name, "type": "space", "unit": "micrometer"} for name in "zyx"]
    scale = {"type": "scale", "scale": [5.0, 2.0, 2.0]}
    levels = [{"path": "0", "coordinateTransformations": [scale]}]
    ome = {"version": "0.5", "multiscales": [{"axes": axes, "datasets": levels}]}
    root = zarr.open_group(str(tmp_path / "a.zarr"), mode="w", attributes={"ome": ome})
    root.create_array("0", data=VALUES)
    volume = stend_tomo.read_volume(tmp_path / "a.zarr")
    assert (volume.pixel, volume.spacing) == (pytest.approx(0.002), pytest.approx(0.005))


def write_series(folder, images, places, **others):
    """As scanners write it."""
    for number, (image, z) in enumerate(zip(images, places, strict=True)):
        data = pydicom.Dataset()
        data.SOPClassUID, data.SOPInstanceUID = pydicom.uid.CTImageStorage, f"1.2.{number}"
        data.SeriesInstanceUID, data.InstanceNumber = "1.3", number
        data.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
        data.ImagePositionPatient, data.PixelSpacing = [0, 0, z], [0.5, 0.5]
        data.RescaleSlope, data.RescaleIntercept = 2, -1024
        data.Rows, data.Columns = image.shape
        data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
        data.BitsAllocated, data.BitsStored, data.HighBit = 16, 16, 15
        data.PixelRepresentation, data.PixelData = 1, image.tobytes()
        data.file_meta = pydicom.dataset.FileMetaDataset()
        data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        for name, value in others.items():
            setattr(data, name, value)
        data.save_as(folder / f"IM{number}", enforce_file_format=True)


def test_a_scanners_series_is_in_the_order_of_space(tmp_path):
    images = np.arange(3 * 4 * 5, dtype="i2").reshape(3, 4, 5)
    places = (30.0, 10.0, 20.0)
    write_series(tmp_path, images, places, SliceThickness=12.5, SpacingBetweenSlices=12.5)
    volume = stend_tomo.read_volume(tmp_path)
    assert np.array_equal(volume.slices.rows(0, 4), images[[1, 2, 0]] * 2.0 - 1024)
    assert (volume.unit, volume.pixel, volume.spacing) == ("HU", 0.5, 10.0)
    with pytest.raises(ScanFileError, match="CT series: slices, not projections"):
        stend_tomo.read(tmp_path)


def test_slices_without_a_place_are_in_the_order_of_their_numbers(tmp_path):
    images = np.arange(3 * 4 * 5, dtype="i2").reshape(3, 4, 5)
    write_series(tmp_path, images, (0, 0, 0), ImagePositionPatient=None)
    (tmp_path / "IM0").rename(tmp_path / "IM9")
    volume = stend_tomo.read_volume(tmp_path)
    assert np.array_equal(volume.slices.rows(0, 4), images * 2.0 - 1024)


def test_slices_that_are_not_evenly_apart_have_no_distance(tmp_path):
    write_series(tmp_path, np.zeros((3, 4, 5), "i2"), (10.0, 20.0, 40.0))
    assert stend_tomo.read_volume(tmp_path).spacing is None


def test_several_series_in_a_folder_are_refused(tmp_path):
    for name in "ab":
        stend_tomo.write(tmp_path / name, VALUES[:1], format="dicom", pixel=1.0)
        (tmp_path / name / "slice_00000.dcm").rename(tmp_path / f"{name}.dcm")
    with pytest.raises(ScanFileError, match="holds 2 series of slices"):
        stend_tomo.read_volume(tmp_path)


@pytest.mark.parametrize("format", FORMATS)
def test_an_unfinished_volume_is_not_taken_for_a_whole_one(tmp_path, format):
    volume = stend_tomo.open_volume(tmp_path / "a", format, (4, 9, 11), pixel=1.0, window=WINDOW)
    volume.write(0, VALUES[:2])
    with pytest.raises(ScanFileError, match="is an unfinished volume"):
        stend_tomo.read_volume(tmp_path / "a.unfinished")


def test_a_volume_of_nothing_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["entry/reconstruction/data"] = np.zeros((3, 0, 4), np.float32)
    with pytest.raises(ScanFileError, match=r"holds no slices: their shape is \(3, 0, 4\)"):
        stend_tomo.read_volume(tmp_path / "a.h5")


def test_a_scan_is_no_volume(tmp_path):
    assert not stend_tomo.is_volume(write_data_exchange(tmp_path / "a.h5", known()))
    (tmp_path / "b").mkdir()
    tifffile.imwrite(tmp_path / "b/0.tif", known().projections[0])
    assert not stend_tomo.is_volume(tmp_path / "b")
    assert not stend_tomo.is_volume(tmp_path / "nothing")


def test_default_data_in_a_unit_are_still_a_scans_projections(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known())
    with h5py.File(path, "r+") as file:
        file.attrs["default"], file["entry"].attrs["default"] = "entry", "instrument/detector"
        file["entry/instrument/detector/data"].attrs["units"] = "counts"
    assert stend_tomo.read_volume(path).unit == "counts"
    assert not stend_tomo.is_volume(path)


def test_a_volume_of_many_files_tells_of_itself_in_a_line(tmp_path):
    slices = np.zeros((40, 8, 9), np.float32)
    stend_tomo.write(tmp_path / "a", slices, format="tiff", pixel=0.01)
    said = repr(stend_tomo.read_volume(tmp_path / "a"))
    assert said.startswith("StoredVolume(slices=<40 images of 8 × 9 pixels, float32>, unit=")
    assert len(said) < 200


def test_an_array_of_two_sides_is_one_slice(tmp_path):
    values = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    np.save(tmp_path / "one.npy", values)
    slices = stend_tomo.read_volume(tmp_path / "one.npy").slices
    assert slices.shape == (1, 3, 4)
    np.testing.assert_array_equal(slices.frame(0), values)
