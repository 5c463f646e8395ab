"""Reading scans: what other libraries wrote comes back, a slab at a time, with its units."""

import pickle
import tracemalloc
from pathlib import Path

import h5py
import numpy as np
import pydicom
import pytest
import tifffile
import zarr
from PIL import Image

import stend_tomo
from scan_files import assert_holds, known, refused, write_data_exchange, write_nxtomo
from stend_tomo.errors import BadOption, ScanFileError
from stend_tomo.reading.frames import unwritten

TOOTH = Path(__file__).parents[4] / "shared/data/tooth.h5"


@pytest.mark.parametrize("options", [{}, {"chunks": (1, 5, 8), "compression": "gzip"}])
def test_data_exchange_comes_back_with_its_units(tmp_path, options):
    scan = stend_tomo.read(write_data_exchange(tmp_path / "a.h5", known(), **options))
    assert_holds(scan, known())
    assert scan.pixel == pytest.approx(0.0052)
    assert scan.about == {"sample": "May beetle", "energy": "24.9 keV"}
    assert not scan.normalized


def test_one_dark_field_and_a_scan_of_several_axes_are_read(tmp_path):
    path = write_data_exchange(tmp_path / "a.h5", known())
    with h5py.File(path, "r+") as file:
        for name in ("data", "data_dark"):
            del file[f"exchange/{name}"]
        file["exchange/data"] = known().projections[np.newaxis]
        file["exchange/data_dark"] = known().darks[1]
    scan = stend_tomo.read(path)
    assert np.array_equal(scan.projections.rows(2, 4), known().projections[:, 2:4])
    assert np.array_equal(scan.projections.frame(3), known().projections[3])
    assert np.array_equal(scan.darks.rows(2, 4), known().darks[1:2, 2:4])
    assert np.array_equal(scan.darks.frame(0), known().darks[1])


def test_angles_in_radians_are_taken_as_they_are(tmp_path):
    path = write_data_exchange(tmp_path / "a.h5", known())
    with h5py.File(path, "r+") as file:
        file["exchange/theta"].attrs["units"] = "rad"
        file["exchange/theta"][...] = np.radians(known().degrees)
    assert_holds(stend_tomo.read(path), known())


ANGLES = ["exchange/theta", "entry/sample/rotation_angle", "theta"]


def write_without_units(path, name, scan):
    if name == "theta":
        root = zarr.open_group(str(path), mode="w")
        root.create_array("data", data=scan.projections)
        root.create_array("theta", data=scan.degrees)
        return
    write = write_data_exchange if name.startswith("exchange") else write_nxtomo
    with h5py.File(write(path, scan), "r+") as file:
        del file[name].attrs["units"]


@pytest.mark.parametrize("name", ANGLES)
def test_angles_that_tell_no_unit_are_degrees(tmp_path, name):
    write_without_units(tmp_path / "a", name, known())
    angles = stend_tomo.read(tmp_path / "a").angles
    np.testing.assert_allclose(angles, np.radians(known().degrees))


@pytest.mark.parametrize("name", ANGLES)
def test_angles_that_could_be_radians_have_to_tell_it_unless_others_are_given(tmp_path, name):
    radians = np.linspace(0, 2 * np.pi, 7)
    write_without_units(tmp_path / "a", name, known()._replace(degrees=radians))
    refused(tmp_path / "a", rf"angles up to 6\.283 at /?{name} and no units")
    assert np.array_equal(stend_tomo.read(tmp_path / "a", angles=radians).angles, radians)


@pytest.mark.parametrize("entry", ["entry", "entry1/tomo_entry"])
def test_nxtomo_is_parted_by_its_keys(tmp_path, entry):
    scan = stend_tomo.read(write_nxtomo(tmp_path / "a.nx", known(), [entry]))
    assert_holds(scan, known())
    assert scan.pixel == pytest.approx(0.0065)
    assert scan.about == {"sample": "bone"}


def test_the_pixel_at_the_sample_comes_before_the_detectors(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known())
    with h5py.File(path, "r+") as file:
        file["entry/sample/x_pixel_size"] = 1.3
        file["entry/sample/x_pixel_size"].attrs["units"] = "um"
    assert stend_tomo.read(path).pixel == pytest.approx(0.0013)


def test_of_several_entries_one_must_be_named(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known(), entries=("entry0000", "entry0001"))
    with pytest.raises(
        ScanFileError, match="2 scans; choose one with entry=: entry0000, entry0001"
    ):
        stend_tomo.read(path)
    assert_holds(stend_tomo.read(path, entry="entry0001"), known())
    with pytest.raises(BadOption, match="no scan 'entry7'"):
        stend_tomo.read(path, entry="entry7")


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
@pytest.mark.parametrize(
    "options",
    [{}, {"rowsperstrip": 2}, {"compression": "zlib", "rowsperstrip": 3}, {"tile": (16, 16)}],
)
def test_a_folder_of_tiff_files_is_parted_by_names(tmp_path, dtype, options):
    scan = known(dtype)
    for number, image in enumerate(scan.projections):  # 10 comes behind 9, not behind 1
        tifffile.imwrite(tmp_path / f"tomo_{number + 5}.tif", image, **options)
    for name, images in (("flat", scan.flats), ("dark", scan.darks)):
        for number, image in enumerate(images):
            tifffile.imwrite(tmp_path / f"{name}{number}.tif", image, **options)
    lines = "\n".join(f"{n}, {angle}" for n, angle in enumerate(scan.degrees))
    (tmp_path / "angles.csv").write_text("image, degrees\n" + lines)
    assert_holds(stend_tomo.read(tmp_path), scan)


def test_flats_and_darks_may_be_in_folders_and_files_of_many_pages(tmp_path):
    for folder in ("flats", "darks"):
        (tmp_path / folder).mkdir()
    tifffile.imwrite(tmp_path / "flats/0001.tif", known().flats, photometric="minisblack")
    tifffile.imwrite(tmp_path / "darks/0001.tif", known().darks, photometric="minisblack")
    tifffile.imwrite(tmp_path / "a.tif", known().projections[:4], photometric="minisblack")
    tifffile.imwrite(tmp_path / "b.tif", known().projections[4:], photometric="minisblack")
    scan = stend_tomo.read(tmp_path, angles=np.radians(known().degrees))
    assert_holds(scan, known())
    assert np.array_equal(scan.projections.images(2, 6), known().projections[2:6])


@pytest.mark.parametrize(
    "options",
    [{"metadata": None}, {}, {"imagej": True}, {"bigtiff": True}, {"byteorder": ">"},
     {"compression": "zlib", "predictor": True}, {"compression": "lzw"},
     {"compression": "packbits"}, {"compression": "zstd"}],
)  # fmt: skip
def test_a_tiff_file_of_many_pages_is_a_scan(tmp_path, options):
    tifffile.imwrite(tmp_path / "a.tif", known().projections, photometric="minisblack", **options)
    frames = stend_tomo.read(tmp_path / "a.tif").projections
    assert frames.shape == (7, 5, 8)
    assert np.array_equal(frames.rows(1, 3), known().projections[:, 1:3])
    assert np.array_equal(frames.frame(6), known().projections[6])


def test_only_the_strips_that_are_asked_for_are_read(tmp_path):
    image = np.arange(6 * 8, dtype="u2").reshape(6, 8)
    tifffile.imwrite(tmp_path / "0.tif", image, rowsperstrip=2, compression="zlib")
    with tifffile.TiffFile(tmp_path / "0.tif") as file:
        last = file.pages[0].dataoffsets[2]
    data = bytearray((tmp_path / "0.tif").read_bytes())
    data[last : last + 4] = b"\xff" * 4  # no longer zlib's
    (tmp_path / "0.tif").write_bytes(data)
    frames = stend_tomo.read(tmp_path).projections
    assert np.array_equal(frames.rows(1, 4)[0], image[1:4])
    with pytest.raises(ScanFileError):
        frames.rows(3, 5)


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_a_folder_of_png_files_is_a_scan(tmp_path, dtype):
    scan = known(dtype)
    for name, images in (("p", scan.projections), ("ref", scan.flats), ("dark", scan.darks)):
        for number, image in enumerate(images):
            Image.fromarray(image).save(tmp_path / f"{name}{number}.png")
    np.save(tmp_path / "theta.npy", scan.degrees)
    assert_holds(stend_tomo.read(tmp_path), scan)


def test_the_pixel_of_an_image_is_in_its_tags_unless_it_is_a_screens(tmp_path):
    per_cm = (2000, 2000)
    image = known().projections[0]
    tifffile.imwrite(tmp_path / "a.tif", image, resolution=per_cm, resolutionunit="CENTIMETER")
    tifffile.imwrite(tmp_path / "b.tif", image, resolution=(96, 96), resolutionunit="INCH")
    Image.fromarray(image).save(tmp_path / "c.png", dpi=(5080, 2540))
    Image.fromarray(image).save(tmp_path / "d.png", dpi=(72, 72))
    pixels = [
        stend_tomo.read(tmp_path / name).pixel for name in ("a.tif", "b.tif", "c.png", "d.png")
    ]
    assert pixels == [pytest.approx(0.005), None, pytest.approx(0.005), None]


def dicom(path, images, **elements):
    """An X-ray angiographic image by pydicom."""
    data = pydicom.Dataset()
    data.SOPClassUID = elements.pop("SOPClassUID", "1.2.840.10008.5.1.4.1.1.12.1")
    data.SOPInstanceUID = pydicom.uid.generate_uid()
    data.Rows, data.Columns = images.shape[-2:]
    data.NumberOfFrames = len(images)
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated = data.BitsStored = 16
    data.HighBit, data.PixelRepresentation = 15, 0
    for name, value in elements.items():
        setattr(data, name, value)
    data.PixelData = images.tobytes()
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    data.save_as(path, enforce_file_format=True)
    return path


def test_a_dicom_file_of_many_frames_is_a_scan(tmp_path):
    path = dicom(
        tmp_path / "a",
        known().projections,
        PositionerPrimaryAngle=10,
        PositionerPrimaryAngleIncrement=list(known().degrees),
        ImagerPixelSpacing=[0.2, 0.2],
        DistanceSourceToDetector=1000,
        DistanceSourceToPatient=250,
        PatientName="Phantom",
    )
    scan = stend_tomo.read(path)
    assert np.array_equal(scan.projections.rows(1, 4), known().projections[:, 1:4])
    np.testing.assert_allclose(np.degrees(scan.angles), known().degrees + 10)
    assert scan.pixel == pytest.approx(0.05)  # magnified four times
    assert scan.about["sample"] == "Phantom"


def test_pixels_with_a_sign_keep_it(tmp_path):
    images = known("int16").projections - 100
    path = dicom(tmp_path / "a", images, PixelRepresentation=1)
    assert np.array_equal(stend_tomo.read(path).projections.rows(0, 5), images)


def test_dicom_files_are_put_in_the_order_of_their_numbers(tmp_path):
    for number, image in enumerate(known().projections):
        dicom(tmp_path / f"{9 - number}.dcm", image[np.newaxis], InstanceNumber=number)
    assert np.array_equal(stend_tomo.read(tmp_path).projections.rows(0, 5), known().projections)


@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_is_a_scan(tmp_path, order):
    np.save(tmp_path / "a.npy", np.asarray(known().projections, order=order))
    scan = stend_tomo.read(tmp_path / "a.npy", angles=(0.0, np.pi, 7))
    assert np.array_equal(scan.projections.rows(0, 5), known().projections)
    np.testing.assert_allclose(scan.angles, np.linspace(0, np.pi, 7))


def test_a_sinogram_is_a_scan_of_one_row(tmp_path):
    np.save(tmp_path / "a.npy", known().projections[:, 0])
    assert stend_tomo.read(tmp_path / "a.npy").projections.shape == (7, 1, 8)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_is_a_scan(tmp_path, save):
    angles = np.radians(known().degrees)
    scan = dict(zip(("projections", "flats", "darks"), known()[:3], strict=True))
    save(tmp_path / "a.npz", **scan, theta=angles, pixel=0.01)
    assert_holds(stend_tomo.read(tmp_path / "a.npz"), known())
    assert stend_tomo.read(tmp_path / "a.npz").pixel == 0.01


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed, "zarr"])
def test_a_single_flat_may_be_one_image(tmp_path, save):
    arrays = {"projections": known().projections, "flats": known().flats[0]}
    if save == "zarr":
        root = zarr.open_group(str(tmp_path / "a.npz"), mode="w")
        for name, images in arrays.items():
            root.create_array(name, data=images)
    else:
        save(tmp_path / "a.npz", **arrays)
    flats = stend_tomo.read(tmp_path / "a.npz").flats
    assert flats.shape == (1, 5, 8)
    assert np.array_equal(flats.rows(2, 4), known().flats[:1, 2:4])


def test_flats_of_a_single_detector_row_are_one_a_line(tmp_path):
    np.savez(tmp_path / "a.npz", data=known().projections[:, 0], flats=known().flats[:, 0])
    flats = stend_tomo.read(tmp_path / "a.npz").flats
    assert np.array_equal(flats.rows(0, 1), known().flats[:, :1])


@pytest.mark.parametrize("pixel", [np.nan, np.inf, -1.0])
def test_a_pixel_that_is_no_length_is_none(tmp_path, pixel):
    np.savez(tmp_path / "a.npz", data=known().projections, pixel=pixel)
    assert stend_tomo.read(tmp_path / "a.npz").pixel is None


def test_a_dicom_pixel_that_is_no_length_is_none(tmp_path):
    path = dicom(
        tmp_path / "a", known().projections, ImagerPixelSpacing=[0.2, 0.2],
        DistanceSourceToDetector=-1000, DistanceSourceToPatient=250,
    )  # fmt: skip
    assert stend_tomo.read(path).pixel is None


@pytest.mark.parametrize("version", [2, 3])
def test_zarr_is_a_scan(tmp_path, version):
    root = zarr.open_group(str(tmp_path / "a"), mode="w", zarr_format=version)
    for name, images in zip(("data", "data_white", "data_dark"), known()[:3], strict=True):
        root.create_array(name, data=images, chunks=(2, 3, 8))
    root.create_array("theta", data=known().degrees).attrs["units"] = "deg"
    root.attrs["pixel_mm"] = 0.02
    assert_holds(stend_tomo.read(tmp_path / "a"), known())
    assert stend_tomo.read(tmp_path / "a").pixel == 0.02


def test_a_plain_zarr_array_with_leading_axes_is_a_scan(tmp_path):
    zarr.create_array(str(tmp_path / "a"), data=known().projections[np.newaxis, np.newaxis])
    assert np.array_equal(
        stend_tomo.read(tmp_path / "a").projections.rows(2, 5), known().projections[:, 2:5]
    )


@pytest.mark.parametrize("name", ["a.h5", "a.tif", "a.npy", "a.npz", "a.zarr"])
def test_a_slab_costs_no_more_memory_than_itself(tmp_path, name):
    images = np.zeros((64, 256, 256), "u2")  # 8 MB; a row of each is 32 KB
    path = tmp_path / name
    match path.suffix:
        case ".h5":
            with h5py.File(path, "w") as file:
                file["exchange/data"] = images
        case ".tif":
            tifffile.imwrite(path, images, photometric="minisblack", metadata=None, rowsperstrip=8)
        case ".npy":
            np.save(path, images)
        case ".npz":
            np.savez(path, data=images)
        case ".zarr":
            zarr.create_array(str(path), data=images, chunks=(8, 8, 256))
    frames = stend_tomo.read(path, angles=np.arange(64)).projections
    frames.rows(0, 1)  # what is imported then
    tracemalloc.start()
    try:
        assert frames.rows(100, 101).shape == (64, 1, 256)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_scan_can_be_sent_to_another_process(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known())
    assert_holds(pickle.loads(pickle.dumps(stend_tomo.read(path))), known())


def test_rows_and_images_that_are_not_there_are_refused(tmp_path):
    frames = stend_tomo.read(write_data_exchange(tmp_path / "a.h5", known())).projections
    with pytest.raises(IndexError, match="rows 0 to 5, not 3 to 6"):
        frames.rows(3, 6)
    with pytest.raises(IndexError, match="images 0 to 6, not 7"):
        frames.frame(7)


def test_the_real_scan_of_a_tooth_is_read():
    if not TOOTH.exists():
        pytest.skip(f"the scan of a tooth is not at {TOOTH}")
    scan = stend_tomo.read(TOOTH)
    with h5py.File(TOOTH) as file:
        assert np.array_equal(scan.projections.rows(1, 2), file["exchange/data"][:, 1:2])
        assert np.array_equal(scan.flats.frame(3), file["exchange/data_white"][3])
        np.testing.assert_allclose(np.degrees(scan.angles), file["exchange/theta"][()])
    assert scan.about["sample"] == "Tooth"


@pytest.mark.parametrize("kind", ["whole", "shards", "chunks", "virtual", "hdf5", "nothing"])
def test_chunks_that_a_file_lacks_are_counted(tmp_path, kind):
    shape, chunks = (7, 5, 8), None if kind in ("whole", "nothing") else (2, 5, 8)
    if kind in ("shards", "chunks"):
        within = {"chunks": (1, 5, 8), "shards": chunks} if kind == "shards" else {"chunks": chunks}
        zarr.create_array(str(tmp_path / "a"), shape=shape, dtype="u2", **within)[:2] = 1
    else:
        with h5py.File(tmp_path / "a", "w") as file:
            images = file.create_dataset("exchange/data", shape, "u2", chunks=chunks)
            if kind != "nothing":
                images[:2] = 1
            if kind == "virtual":
                file.move("exchange/data", "parts")
                layout = h5py.VirtualLayout(shape, "u2")
                layout[:] = h5py.VirtualSource(".", "parts", shape)
                file.create_virtual_dataset("exchange/data", layout)
    lacking = {
        "whole": (0, 1), "shards": (0, 0), "chunks": (3, 4), "virtual": (0, 0), "hdf5": (3, 4),
        "nothing": (1, 1),
    }  # fmt: skip
    assert unwritten(stend_tomo.read(tmp_path / "a").projections) == lacking[kind]
