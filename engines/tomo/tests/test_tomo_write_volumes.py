"""Writing volumes: other libraries and programs read the same numbers and units."""

import subprocess
from datetime import UTC, date, datetime, timedelta

import h5py
import numpy as np
import pydicom
import pytest
import tifffile
import zarr
from PIL import Image

import stend_tomo
from stend_tomo.errors import BadOption
from stend_tomo.reading import is_volume, read_volume
from stend_tomo.writing import FORMATS, open_volume, write
from tomo_support import PATIENCE, needs

SHAPE = (5, 24, 32)
PIXEL = 0.0052


@pytest.fixture
def volume():
    """Attenuation of 0.02/mm with noise: a few values below zero, as reconstructions have."""
    return np.random.default_rng(6).normal(0.02, 0.01, SHAPE).astype(np.float32)


def read_dicom(folder):
    """Values, by pydicom, as the files have them; and the first header."""
    files = [pydicom.dcmread(path) for path in sorted(folder.iterdir())]
    files.sort(key=lambda data: data.InstanceNumber)
    values = [pydicom.pixels.apply_rescale(data.pixel_array, data) for data in files]
    return np.stack(values), files


def test_tiff_files_hold_the_same_numbers(tmp_path, volume):
    write(tmp_path / "a", volume, format="tiff", pixel=PIXEL, window=(0, 0.04))
    files = sorted((tmp_path / "a").iterdir())
    assert np.array_equal(tifffile.imread(files), volume)
    with tifffile.TiffFile(files[0]) as file:
        assert file.imagej_metadata["unit"] == "cm"
        assert file.imagej_metadata["values"] == "1/mm"
        assert (file.imagej_metadata["min"], file.imagej_metadata["max"]) == (0, 0.04)


def test_one_tiff_file_is_a_stack_for_imagej(tmp_path, volume):
    write(tmp_path / "a.tif", volume, format="tiff", pixel=PIXEL, about={"sample": "May beetle"})
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        assert np.array_equal(file.asarray(), volume)
        assert file.is_imagej
        assert file.imagej_metadata["slices"] == SHAPE[0]
        assert file.imagej_metadata["spacing"] == pytest.approx(PIXEL / 10)
        tags = file.pages[0].tags
        numerator, denominator = tags["XResolution"].value
        assert 10 * denominator / numerator == pytest.approx(PIXEL)
        assert tags["ResolutionUnit"].value.name == "CENTIMETER"


def test_a_stack_above_four_gigabytes_is_a_bigtiff(tmp_path):
    volume = open_volume(tmp_path / "a.tif", "tiff", (1100, 1000, 1000))
    slab = np.random.default_rng(1).random((1, 1000, 1000), np.float32)
    volume.write(0, slab)
    with tifffile.TiffFile(tmp_path / "a.tif.unfinished/output") as file:
        assert file.is_bigtiff
        assert len(file.pages) == 1100
        assert np.array_equal(file.pages[0].asarray(), slab[0])


def test_a_bigtiff_tells_its_unit_and_window_too(tmp_path, volume, monkeypatch):
    monkeypatch.setattr("stend_tomo.writing.tiff.LARGEST_CLASSIC", 1000)
    write(tmp_path / "a.tif", volume, format="tiff", pixel=PIXEL, window=(0.0, 2.0),
          about={"sample": "May beetle"})  # fmt: skip
    assert tifffile.TiffFile(tmp_path / "a.tif").is_bigtiff
    found = read_volume(tmp_path / "a.tif")
    assert (found.unit, found.window, found.about["sample"]) == ("1/mm", (0, 2), "May beetle")
    assert is_volume(tmp_path / "a.tif")


def test_hdf5_holds_the_same_numbers_and_units(tmp_path, volume):
    write(tmp_path / "a.h5", volume, format="hdf5", pixel=PIXEL, spacing=3 * PIXEL,
          about={"sample": "May beetle"})  # fmt: skip
    with h5py.File(tmp_path / "a.h5") as file:
        data = file[file.attrs["default"]]
        data = data[data.attrs["default"]]
        slices = data[data.attrs["signal"]]
        assert np.array_equal(slices[()], volume)
        assert slices.chunks is None  # one slice behind the other
        assert (slices.attrs["units"], slices.attrs["pixel_mm"]) == ("1/mm", PIXEL)
        assert list(data.attrs["axes"]) == ["z", "y", "x"]
        np.testing.assert_allclose(data["x"], (np.arange(SHAPE[2]) - 15.5) * PIXEL)
        np.testing.assert_allclose(data["y"], (11.5 - np.arange(SHAPE[1])) * PIXEL)
        np.testing.assert_allclose(data["z"], np.arange(SHAPE[0]) * 3 * PIXEL)
        assert file["entry/about"].attrs["sample"] == "May beetle"


def test_hdf5_lays_out_what_is_larger_than_memory(tmp_path):
    volume = open_volume(tmp_path / "a.h5", "hdf5", (10_000, 1000, 1000), pixel=PIXEL)
    slab = np.random.default_rng(1).random((2, 1000, 1000), np.float32)
    volume.write(0, slab)
    path = tmp_path / "a.h5.unfinished/output"
    assert path.stat().st_size > 4e10
    assert path.stat().st_blocks * 512 < 2 * slab.nbytes
    with h5py.File(path) as file:
        assert np.array_equal(file["entry/reconstruction/slices"][:2], slab)
        assert not file["entry/reconstruction/slices"][9_999].any()


def test_zarr_holds_the_same_numbers_and_units(tmp_path, volume):
    volume[2] = 0  # a chunk of nothing but one value is there all the same
    write(tmp_path / "a.zarr", volume, format="zarr", pixel=PIXEL, spacing=3 * PIXEL)
    root = zarr.open_group(str(tmp_path / "a.zarr"), mode="r")
    assert np.array_equal(root["0"][...], volume)
    assert root["0"].nchunks_initialized == SHAPE[0]
    assert (root.attrs["unit"], root.attrs["pixel_mm"]) == ("1/mm", PIXEL)
    image = root.attrs["ome"]["multiscales"][0]
    assert [axis["unit"] for axis in image["axes"]] == ["millimeter"] * 3
    assert image["datasets"][0]["coordinateTransformations"][0]["scale"] == [
        3 * PIXEL,
        PIXEL,
        PIXEL,
    ]


@pytest.mark.parametrize("bits", [8, 16])
def test_png_holds_the_numbers_to_half_a_grey_level(tmp_path, volume, bits):
    write(tmp_path / "a", volume, format="png", bits=bits, window=(-0.03, 0.07), pixel=PIXEL)
    white = 2**bits - 1
    for values, path in zip(volume, sorted((tmp_path / "a").iterdir()), strict=True):
        with Image.open(path) as image:
            low, high = map(float, image.text["Window"].split())
            back = low + (high - low) * np.asarray(image).astype(float) / white
            inside = (values >= low) & (values <= high)
            assert np.abs(back - values)[inside].max() <= 0.5001 * (high - low) / white
            assert image.text["Unit"] == "1/mm"
            assert image.info["dpi"][0] == pytest.approx(25.4 / PIXEL, rel=1e-4)


def test_png_keeps_texts_of_any_language_and_pictures_of_one_row(tmp_path):
    about = {"sample": "Жук", "note": "5 µm", "clé": "a\nb"}
    write(tmp_path / "a", [[[0.0, 1.0]]], format="png", window=(0, 1), about=about, unit="1/μm")
    with Image.open(tmp_path / "a/slice_00000.png") as image:
        image.load()
        assert image.text.items() >= {**about, "Unit": "1/μm"}.items()
        assert np.asarray(image).tolist() == [[0, 65535]]


def test_keywords_of_png_are_what_they_may_be(tmp_path):
    about = {"": "a", "  two \n\0 words\xa0": "b", "μm": "c", "k" * 78 + " long": "d"}
    write(tmp_path / "a", [[[0.0, 1.0]]], format="png", window=(0, 1), about=about)
    with Image.open(tmp_path / "a/slice_00000.png") as image:
        kept = {key: value for key, value in image.text.items() if value in about.values()}
    assert kept == {"?": "a", r"two \n\x00 words?": "b", "?m": "c", "k" * 78: "d"}


def test_texts_are_cut_to_what_their_format_holds(tmp_path):
    about = {"sample": "s" * 100, "k" * 100: "a\0b" * 5000}
    said = {"pixel": 1.0, "window": (0, 1), "about": about}
    for format in ("png", "dicom"):
        write(tmp_path / format, [[[0.0, 1.0]]], format=format, **said)
    with Image.open(tmp_path / "png/slice_00000.png") as image:
        image.load()
        assert image.text["k" * 79] == r"a\x00b" * 5000
    data = pydicom.dcmread(tmp_path / "dicom/slice_00000.dcm")
    assert (data.PatientID, data.PatientName) == ("s" * 64, "s" * 63 + "^")
    assert 10200 < len(data.ImageComments) <= 10240


def test_png_shows_what_is_outside_the_window_black_or_white(tmp_path):
    write(tmp_path / "a", [[[-1.0, 0.0, 0.5, 1.0, 9.0]]], format="png", bits=8, window=(0, 1))
    with Image.open(tmp_path / "a/slice_00000.png") as image:
        assert np.asarray(image).tolist() == [[0, 0, 128, 255, 255]]


def test_dicom_holds_attenuation_a_thousandfold(tmp_path, volume):
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, window=(0, 0.05))
    values, files = read_dicom(tmp_path / "a")
    steps = np.array([float(data.RescaleSlope) for data in files])[:, None, None]
    assert (np.abs(values / 1000 - volume) <= 0.5001 * steps / 1000).all()
    assert steps.max() < 1000 * np.ptp(volume) / 65000  # all 16 bits are used
    assert {(d.WindowCenter, d.WindowWidth) for d in files} == {(25, 50)}
    assert {d.SeriesDescription for d in files} == {"Slices, stored values in 1/m"}


def test_dicom_with_the_attenuation_of_water_holds_hounsfield_units(tmp_path, volume):
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, water=0.02)
    values, files = read_dicom(tmp_path / "a")
    np.testing.assert_allclose(values, 1000 * (volume - 0.02) / 0.02, atol=0.5001)
    assert {(d.RescaleType, d.RescaleSlope, d.RescaleIntercept) for d in files} == {("HU", 1, 0)}


def test_hounsfield_units_beyond_sixteen_bits_are_not_clipped(tmp_path, volume):
    volume[2, 3, 4], volume[3, 5, 6] = 2.0, -1.0
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, water=0.02)
    values, files = read_dicom(tmp_path / "a")
    assert [data.RescaleSlope for data in files] == [1, 1, 4, 2, 1]
    np.testing.assert_allclose(values, 1000 * (volume - 0.02) / 0.02, atol=2.0001)


def test_a_dicom_series_is_one_and_lies_in_space(tmp_path, volume):
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, spacing=3 * PIXEL,
          about={"sample": "Жук \\ beetle"})  # fmt: skip
    _, files = read_dicom(tmp_path / "a")
    for name in ("StudyInstanceUID", "SeriesInstanceUID", "FrameOfReferenceUID"):
        (uid,) = {data[name].value for data in files}
        assert uid.startswith("2.25.")
    assert len({data.SOPInstanceUID for data in files}) == SHAPE[0]
    assert [data.InstanceNumber for data in files] == [1, 2, 3, 4, 5]
    corners = np.array([data.ImagePositionPatient for data in files])
    np.testing.assert_allclose(np.diff(corners, axis=0), [[0, 0, 3 * PIXEL]] * 4, atol=1e-9)
    assert {data.SpacingBetweenSlices for data in files} == {3 * PIXEL}
    np.testing.assert_allclose(corners[0], [-15.5 * PIXEL, -11.5 * PIXEL, 0])
    assert files[0].PatientName == "Жук / beetle^"


def test_parts_of_a_scan_lie_beside_each_other_in_space(tmp_path, volume):
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, first=60)
    _, files = read_dicom(tmp_path / "a")
    assert [data.SliceLocation for data in files[:2]] == pytest.approx([60 * PIXEL, 61 * PIXEL])
    assert files[0].ImagePositionPatient[2] == files[0].SliceLocation
    write(tmp_path / "a.h5", volume, format="hdf5", pixel=PIXEL, first=60)
    with h5py.File(tmp_path / "a.h5") as file:
        z = file["entry/reconstruction/z"][()]
    np.testing.assert_allclose(z, np.arange(60, 65) * PIXEL)


def test_a_series_tells_its_day_and_no_sample_that_is_not_known(tmp_path, volume):
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL)
    about = read_volume(tmp_path / "a").about
    assert about.keys() == {"series", "date"}
    assert abs(date.fromisoformat(about["date"]) - datetime.now(UTC).date()) <= timedelta(days=1)


@pytest.mark.parametrize(("water", "high"), [(None, 0.0003), (0.02, 0.03)])
def test_a_dicom_series_is_valid(tmp_path, volume, water, high):
    volume[3] = 0.01  # a slice of one value
    write(tmp_path / "a", volume, format="dicom", pixel=PIXEL, water=water, window=(0, high),
          about={"sample": "x", "algorithm": "dfr", "rows": "60:80"})  # fmt: skip
    files = sorted(map(str, (tmp_path / "a").iterdir()))
    for file in files:
        said = program("dciodvfy", "dicom3tools", file)
        assert said.returncode == 0
        assert "Error" not in said.stderr
        assert "CTImage" in said.stderr
    assert program("dcentvfy", "dicom3tools", *files).returncode == 0
    dump = program("dcmdump", "dcmtk", "+P", "Modality", "+P", "PixelSpacing", files[0])
    assert (dump.returncode, dump.stderr) == (0, "")
    assert "[CT]" in dump.stdout
    assert f"[{PIXEL}\\{PIXEL}]" in dump.stdout


def program(name, package, *words):
    return subprocess.run(
        [needs(name, package), *words], capture_output=True, text=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_tells_the_version_that_wrote_it(tmp_path, volume, format):
    write(tmp_path / "a", volume, format=format, pixel=PIXEL)
    match format:
        case "dicom":
            said = pydicom.dcmread(tmp_path / "a/slice_00000.dcm").SoftwareVersions
        case "png":
            said = Image.open(tmp_path / "a/slice_00000.png").text["Software"]
        case "tiff":
            said = tifffile.TiffFile(tmp_path / "a/slice_00000.tif").pages[0].software
        case "hdf5":
            said = h5py.File(tmp_path / "a").attrs["creator"]
        case "zarr":
            said = zarr.open_group(str(tmp_path / "a"), mode="r").attrs["software"]
    assert said == f"stend-tomo {stend_tomo.__version__}"
    assert "Software" not in read_volume(tmp_path / "a").about


@pytest.mark.parametrize("format", FORMATS)
def test_what_exists_is_not_replaced(tmp_path, volume, format):
    (tmp_path / "a").mkdir()
    with pytest.raises(BadOption, match="a exists; give another name or remove it"):
        write(tmp_path / "a", volume, format=format, pixel=PIXEL)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("format", ["png", "dicom"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_integers_can_not_hold_is_refused(tmp_path, volume, format, bad):
    volume[3, 1, 1] = bad
    with pytest.raises(BadOption, match="Slice 3 holds values that are not numbers"):
        write(tmp_path / "a", volume, format=format, pixel=PIXEL, window=(0, 1))
    assert [path.name for path in tmp_path.iterdir()] == ["a.unfinished"]


@pytest.mark.parametrize(
    ("format", "settings", "said"),
    [
        ("jpeg", {}, "no format 'jpeg'; there are dicom, png, tiff, hdf5, zarr"),
        ("dicom", {}, "DICOM needs the pixel size"),
        ("dicom", {"pixel": 0.0}, "value of pixel is 0.0"),
        ("png", {"window": (2, 1)}, "window"),
        ("png", {"window": (0, 1e-320)}, "at least 1.2e-38 apart"),
        ("png", {"window": (-1e308, 1e308)}, "window"),
        ("png", {"window": (0, float("nan"))}, "window"),
        ("dicom", {"pixel": 1, "water": 1e-320}, "water is 1e-320; it must be from"),
        ("dicom", {"pixel": 1e-20}, "value of pixel is 1e-20"),
        ("dicom", {"pixel": 1e300}, r"value of pixel is 1e\+300"),
        ("png", {"window": (1,)}, "window"),
        ("tiff", {"pixel": "wide"}, "value of pixel is 'wide'"),
        ("tiff", {"pixel": 10**400}, "value of pixel is 1000000"),
        ("tiff", {"first": 1.5}, "value of first is 1.5; it must be a whole number"),
        ("tiff", {"pixel": 1, "water": 0.02}, "water= is for DICOM"),
        ("dicom", {"pixel": 1, "water": 0.02, "unit": "HU"}, "already in Hounsfield units"),
        ("tiff", {"first": -1}, "can't belong to row -1"),
        ("png", {"bits": 12}, "8 or 16 bits"),
        ("tiff", {"spacing": 0.1}, "needs the pixel size"),
        ("tiff", {"pixel": 0.1, "spacing": 0.0}, "value of spacing is 0.0"),
        ("dicom", {"pixel": 0.1, "unit": "a\\b"}, r"is not a unit: give at most 32"),
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path, volume, format, settings, said):
    with pytest.raises(BadOption, match=said):
        write(tmp_path / "a", volume, format=format, **settings)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", FORMATS)
def test_numbers_of_numpy_are_as_good_as_pythons(tmp_path, volume, format):
    one = np.float32(0.5)
    window = np.percentile(volume, (1, 99))
    write(tmp_path / "a", volume, format=format, pixel=one, window=window, bits=np.int64(8),
          first=np.uint8(2), about={"energy": 25, "sample": "a\udcff\x1b"})  # fmt: skip
    back = read_volume(tmp_path / "a")
    assert back.window == pytest.approx(tuple(window))
    assert back.about["energy"] == "25"
    assert back.about["sample"] == "a\\udcff\\x1b"
    assert np.allclose(back.slices.rows(0, SHAPE[1]), volume.clip(*window), atol=0.1)


@pytest.mark.parametrize(
    ("slices", "said"),
    [
        (np.ones((2, 3, 3), complex), "real numbers, not complex128"),
        (np.ma.masked_less(np.ones((2, 3, 3)), 2), "masked"),
        (np.zeros((2, 3, 3), "M8[s]"), r"real numbers, not datetime64"),
        (np.zeros((2, 3, 3), [("a", "f4")]), "real numbers, not "),
        ([[[1, 2], [3]]], "are not an array"),
        (np.ones((0, 3, 3)), r"each 1 or more, not \(0, 3, 3\)"),
    ],
)
def test_slices_are_not_written_without_what_they_hold(tmp_path, slices, said):
    with pytest.raises(BadOption, match=said):
        write(tmp_path / "a", slices, format="png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_is_refused(path):
    with pytest.raises(BadOption, match="not the name of a file or folder"):
        write(path, np.ones((2, 3, 3)), format="tiff")


@pytest.mark.parametrize("format", ["tiff", "hdf5", "zarr"])
def test_slices_of_no_numbers_are_written_where_they_can_be(tmp_path, format):
    write(tmp_path / "a", np.full(SHAPE, np.nan), format=format)
    assert np.isnan(read_volume(tmp_path / "a").slices.rows(0, SHAPE[1])).all()
