"""Broken and hostile files: one printable sentence each, and nothing is opened, run or unpacked."""

import os
import re
import struct
import time
import zlib
from pathlib import Path

import h5py
import numpy as np
import pydicom
import pytest
import tifffile
import zarr
from PIL import Image

import stend_tomo
from scan_files import known, refused, write_data_exchange, write_nxtomo
from stend_tomo.errors import BadOption, Missing, ScanFileError
from stend_tomo.reading import limits


@pytest.fixture
def scan_file(tmp_path):
    return write_data_exchange(tmp_path / "a.h5", known())


def test_what_is_not_there_or_empty_or_unknown_is_refused(tmp_path):
    refused(tmp_path / "a", "does not exist")
    (tmp_path / "b").write_bytes(b"")
    refused(tmp_path / "b", "is empty")
    (tmp_path / "c.tif").write_bytes(b"GIF89a" * 100)
    refused(tmp_path / "c.tif", "none of the known formats")
    (tmp_path / "d").mkdir()
    refused(tmp_path / "d", r"holds no images \(\.tif")
    os.mkfifo(tmp_path / "e")
    refused(tmp_path / "e", "neither a file nor a folder")


def test_the_format_is_what_the_file_holds(scan_file, tmp_path):
    scan_file.rename(tmp_path / "a.png")
    assert stend_tomo.read(tmp_path / "a.png").projections.shape == (7, 5, 8)


def test_a_file_that_may_not_be_read_is_refused(scan_file):
    if os.geteuid() == 0:
        pytest.skip("root may read any file")
    scan_file.chmod(0)
    refused(scan_file, "Permission denied")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_hdf5_file_is_refused(scan_file, part):
    data = scan_file.read_bytes()
    scan_file.write_bytes(data[: int(len(data) * part)])
    refused(scan_file, "can't be read as HDF5: .*It may be incomplete")


def test_links_in_a_circle_are_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["exchange/data"] = h5py.SoftLink("/exchange/more")
        file["exchange/more"] = h5py.SoftLink("data")
    refused(tmp_path / "a.h5", "has links in a circle")


def test_a_link_to_nothing_is_no_data(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["exchange/data"] = h5py.SoftLink("/nowhere")
        file["exchange/theta"] = [1.0]
    refused(tmp_path / "a.h5", "neither Data Exchange .* nor NXtomo; at its top it has exchange")


def test_a_huge_shape_in_a_small_file_is_refused_until_it_is_asked_for(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("exchange/data", (10**5, 10**5, 10**5), "u2", chunks=(1, 64, 64))
    declared = 2 * 10**15
    refused(tmp_path / "a.h5", rf"{declared:,} bytes, .* read it with limit={declared}")
    refused(tmp_path / "a.h5", "above the limit of 5,000", limit=5000)
    frames = stend_tomo.read(tmp_path / "a.h5", limit=declared).projections
    assert frames.shape == (10**5, 10**5, 10**5)


def test_a_file_may_unpack_to_a_hundred_times_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "UNASKED", 1000)
    (tmp_path / "a").write_bytes(bytes(20))
    limits.refuse_bomb(tmp_path / "a", (500, 4), "u1", None, tmp_path / "a")
    with pytest.raises(ScanFileError, match="declares 501 × 4 values, 2,004 bytes, out of all"):
        limits.refuse_bomb(tmp_path / "a", (501, 4), "u1", None, tmp_path / "a")


def test_huge_chunks_of_a_small_array_are_refused_until_they_are_asked_for(tmp_path):
    options = {"shape": (4, 5, 6), "dtype": "f4", "chunks": (700, 700, 700)}
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("exchange/data", **options, maxshape=(None,) * 3)
    zarr.create_array(str(tmp_path / "b"), **options)
    for name in ("a.h5", "b"):
        refused(tmp_path / name, "declares chunks of 700 × 700 × 700 values, .* limit=1372000000")
        frames = stend_tomo.read(tmp_path / name, limit=1372000000).projections
        assert frames.shape == (4, 5, 6)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (np.zeros((3, 4)), r"shape \(3, 4\)"),
        (np.zeros((3, 0, 4)), "holds no projections"),
        (np.zeros((3, 4, 5), complex), "complex128; they must be integers or real"),
        (np.zeros((3, 4, 5), "S3"), r"type \|S3"),
        (np.zeros((3, 4, 5), [("a", "f4")]), "integers or real"),
    ],
)
def test_hdf5_data_of_another_kind_is_refused(tmp_path, data, said):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["exchange/data"] = data
    refused(tmp_path / "a.h5", said)


def test_a_filter_that_is_not_here_is_named(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        space = h5py.h5s.create_simple((4, 5, 6))
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_chunk((1, 5, 6))
        plan.set_filter(31999, h5py.h5z.FLAG_OPTIONAL, ())
        group = file.create_group("exchange")
        h5py.h5d.create(group.id, b"data", h5py.h5t.STD_U16LE, space, plan)
    refused(tmp_path / "a.h5", r"a filter that is not installed, .*\(31999\).*hdf5plugin")


def change_angles(path, angles, units="degrees"):
    with h5py.File(path, "r+") as file:
        file.pop("exchange/theta", None)
        if angles is not None:
            file["exchange/theta"] = angles
            file["exchange/theta"].attrs["units"] = units


@pytest.mark.parametrize(
    ("angles", "said"),
    [
        (np.arange(6.0), "6 angles for 7 projections"),
        (np.arange(8.0), "8 angles for 7 projections"),
        ([0, 1, 2, np.nan, 4, 5, 6], "angle of projection 3 is nan"),
        (np.full(7, 0.5), "all 7 angles are 0.00872665"),
        (np.zeros(7, "S2"), "values at exchange/theta of type"),
    ],
)
def test_angles_that_make_no_sense_are_refused(scan_file, angles, said):
    change_angles(scan_file, angles)
    refused(scan_file, said)


def test_angles_in_an_unknown_unit_are_refused(scan_file):
    change_angles(scan_file, np.arange(7.0), "furlongs")
    refused(scan_file, "angles in furlongs; only degrees and radians")


def test_missing_angles_are_none_and_the_users_come_first(scan_file):
    change_angles(scan_file, None)
    assert stend_tomo.read(scan_file).angles is None
    change_angles(scan_file, np.full(9, np.nan))
    scan = stend_tomo.read(scan_file, angles=np.arange(7) / 7)
    np.testing.assert_allclose(scan.angles, np.arange(7) / 7)


@pytest.mark.parametrize(
    ("angles", "said"),
    [
        ((0.0, 3.0, 6), "7 projections, and angles for 6"),
        (np.arange(8), "8 angles for 7"),
        ([0, 1, 2, 3, 4, 5, "x"], "must be numbers"),
        (np.full(7, np.inf), "projection 0 is inf"),
    ],
)
def test_the_users_angles_are_checked(scan_file, angles, said):
    with pytest.raises(BadOption, match=said):
        stend_tomo.read(scan_file, angles=angles)


@pytest.mark.parametrize("text", ["", "1\n2\nx\n", "angle\n", "\0\1", "1\n\n#2\n3"])
def test_a_file_that_is_no_list_of_angles_is_refused(scan_file, tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    refused(scan_file, "a list of angles|no list of angles", angles=tmp_path / "a.txt")


def test_only_a_file_beside_images_is_taken_for_their_angles(tmp_path):
    tifffile.imwrite(tmp_path / "p0.tif", np.zeros((5, 8), "u2"))
    os.mkfifo(tmp_path / "angles.txt")
    (tmp_path / "theta.csv").symlink_to("/dev/zero")
    assert stend_tomo.read(tmp_path).angles is None


def test_a_list_of_angles_without_an_end_is_refused(scan_file, tmp_path, monkeypatch):
    monkeypatch.setattr("stend_tomo.reading.angles.LARGEST", 1 << 20)
    refused(scan_file, "zero is too large for a list of angles", angles=Path("/dev/zero"))


def test_angles_may_come_through_a_pipe(scan_file):
    reading, writing = os.pipe()
    os.write(writing, b"\n".join(b"%d" % angle for angle in range(0, 70, 10)))
    os.close(writing)
    scan = stend_tomo.read(scan_file, angles=Path(f"/dev/fd/{reading}"))
    np.testing.assert_allclose(scan.angles, np.radians(range(0, 70, 10)))
    os.close(reading)


@pytest.mark.parametrize("name", ["a.npy", "a.txt"])
def test_a_list_that_could_be_radians_has_to_say_what_it_is(scan_file, tmp_path, name):
    path, angles = tmp_path / name, np.linspace(0, 4 * np.pi, 7, dtype=np.float32)
    np.save(path, angles) if name == "a.npy" else np.savetxt(path, angles)
    refused(scan_file, rf"up to 12.57 without saying .* {name}:rad", angles=path)
    for unit, factor in ((":rad", 1), (":deg", np.pi / 180)):
        scan = stend_tomo.read(scan_file, angles=f"{path}{unit}")
        np.testing.assert_allclose(scan.angles, angles * factor, rtol=1e-6)


def test_a_list_of_angles_in_radians_says_so(scan_file, tmp_path):
    lines = "\n".join(f"{n};{n / 7}" for n in range(7))
    (tmp_path / "a.csv").write_text("number;angle (rad)\n" + lines)
    np.testing.assert_allclose(
        stend_tomo.read(scan_file, angles=tmp_path / "a.csv").angles, np.arange(7) / 7
    )


def test_rad_within_another_word_is_no_unit(scan_file, tmp_path):
    lines = "\n".join(f"{n * 25}" for n in range(7))
    (tmp_path / "a.txt").write_text("# radiograph, angle in degrees\n" + lines)
    scan = stend_tomo.read(scan_file, angles=tmp_path / "a.txt")
    np.testing.assert_allclose(scan.angles, np.deg2rad(np.arange(7) * 25))
    (tmp_path / "b.txt").write_text("# from rad to deg\n" + lines)
    refused(scan_file, "both radians and degrees", angles=tmp_path / "b.txt")


def test_flats_of_another_size_are_refused(scan_file):
    with h5py.File(scan_file, "r+") as file:
        del file["exchange/data_white"]
        file["exchange/data_white"] = np.zeros((2, 5, 9))
    refused(scan_file, "flat fields of 5 × 9 pixels and projections of 5 × 8")


def test_keys_of_another_number_than_images_are_refused(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known())
    with h5py.File(path, "r+") as file:
        del file["entry/instrument/detector/image_key"]
        file["entry/instrument/detector/image_key"] = np.zeros(5, int)
    refused(path, "12 images and 5 keys")


def test_no_projections_among_the_images_is_refused(tmp_path):
    path = write_nxtomo(tmp_path / "a.nx", known())
    with h5py.File(path, "r+") as file:
        file["entry/instrument/detector/image_key"][...] = 1
    refused(path, "holds no projections")


def test_text_from_a_file_is_printable_and_short(scan_file):
    with h5py.File(scan_file, "r+") as file:
        file["measurement/sample/name"][...] = "\x1b[2J" + "x" * 5000
    said = stend_tomo.read(scan_file).about["sample"]
    assert said.startswith("\\x1b[2Jxxx")
    assert len(said) == 1000


def tiff_bytes(tags, little=True):
    """A TIFF of one directory: (tag, type, count, value) each."""
    order = "<" if little else ">"
    entries = b"".join(struct.pack(order + "HHII", *tag) for tag in tags)
    return struct.pack(order + "2sHIH", b"II", 42, 8, len(tags)) + entries


PLAIN = [(256, 4, 1, 8), (257, 4, 1, 5), (258, 3, 1, 16), (259, 3, 1, 1), (262, 3, 1, 1),
         (273, 4, 1, 400), (277, 3, 1, 1), (278, 4, 1, 5), (279, 4, 1, 80)]  # fmt: skip


def with_tag(number, value, count=1):
    return [
        (n, t, count if n == number else c, value if n == number else v) for n, t, c, v in PLAIN
    ]


@pytest.mark.parametrize(
    ("tags", "next_directory"),
    [
        (PLAIN, 8),
        (with_tag(256, 2**31), 0),
        (with_tag(257, 2**32 - 1), 0),
        (with_tag(258, 65535), 0),
        (with_tag(259, 777), 0),
        (with_tag(259, 5), 0),
        (with_tag(273, 2**32 - 1), 0),
        (with_tag(273, 8, 2**32 - 1), 0),
        (with_tag(277, 60000), 0),
        (with_tag(278, 0), 0),
        (with_tag(279, 2**32 - 1), 0),
        (PLAIN[:3], 0),
        ([], 0),
    ],
)
def test_a_tiff_file_that_makes_no_sense_is_refused_at_once(tmp_path, tags, next_directory):
    began = time.process_time()
    data = tiff_bytes(tags) + struct.pack("<I", next_directory)
    (tmp_path / "a.tif").write_bytes(data.ljust(440, b"\0"))
    refused(tmp_path / "a.tif", "a.tif")
    assert time.process_time() - began < 20


def test_a_truncated_tiff_file_is_refused(tmp_path):
    tifffile.imwrite(
        tmp_path / "a.tif", known().projections, metadata=None, photometric="minisblack"
    )
    data = (tmp_path / "a.tif").read_bytes()
    for size in (9, 200, len(data) - 100):
        (tmp_path / "a.tif").write_bytes(data[:size])
        refused(tmp_path / "a.tif", "a.tif")


def test_a_tiff_file_whose_packing_is_not_known_says_what_is_missing(tmp_path, monkeypatch):
    tifffile.imwrite(tmp_path / "a.tif", known().projections[0], compression="zlib")
    monkeypatch.setattr(tifffile.TIFF, "DECOMPRESSORS", {1: None})
    refused(
        tmp_path / "a.tif", "compressed by ADOBE_DEFLATE; to read it, `pip install imagecodecs`"
    )


def test_a_strip_that_unpacks_to_more_than_it_holds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("stend_tomo.reading.tiff.UNASKED", 1 << 20)
    strip = zlib.compress(bytes(1 << 22))
    tags = [(n, t, c, {259: 8, 279: len(strip)}.get(n, v)) for n, t, c, v in PLAIN]
    (tmp_path / "a.tif").write_bytes((tiff_bytes(tags) + bytes(4)).ljust(400, b"\0") + strip)
    refused(tmp_path / "a.tif", "more packed into a strip than the 80 bytes it has room for")


def test_images_of_several_sizes_are_refused(tmp_path):
    tifffile.imwrite(tmp_path / "p0.tif", np.zeros((5, 8), "u2"))
    tifffile.imwrite(tmp_path / "p1.tif", np.zeros((5, 9), "u2"))
    refused(tmp_path, r"p1\.tif holds an image of \(5, 9\)")


def test_stacks_of_several_types_are_refused(tmp_path):
    for name, dtype in (("p0.tif", "u2"), ("p1.tif", "f4")):
        tifffile.imwrite(tmp_path / name, np.zeros((3, 5, 8), dtype), photometric="minisblack")
    refused(tmp_path, r"p1\.tif holds images of \(5, 8\) pixels of type float32")


@pytest.mark.parametrize("first", ["u1", "?"])
def test_pngs_of_several_types_are_refused(tmp_path, first):
    Image.fromarray(np.ones((5, 8), first)).save(tmp_path / "p0.png")
    Image.fromarray(np.full((5, 8), 999, "u2")).save(tmp_path / "p1.png")
    refused(tmp_path, r"p1\.png is a picture .* kind I;16, among others of 5 × 8 of type uint8")


def test_images_of_several_formats_are_refused(tmp_path):
    tifffile.imwrite(tmp_path / "p0.tif", np.zeros((5, 8), "u2"))
    (tmp_path / "p1.png").write_bytes(b"")
    refused(tmp_path, "several formats: png, tiff")


def test_a_folder_of_flats_only_is_refused(tmp_path):
    tifffile.imwrite(tmp_path / "flat0.tif", np.zeros((5, 8), "u2"))
    refused(tmp_path, "all its images have names of flat or dark fields")


def png(columns, rows, data, bits=16, color=0):
    """A PNG of this header and these unpacked bytes."""

    def chunk(kind, content):
        crc = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", columns, rows, bits, color, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(data)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(30000, 30000, b""), "out of all proportion|can't be read as PNG"),
        (png(2**31 - 1, 2**31 - 1, b""), "out of all proportion|can't be read as PNG"),
        (png(8, 5, b"\0" * 200, bits=8, color=2), "kind RGB; only grey"),
        (png(8, 5, b"\0" * 85)[:48], "can't be read as PNG"),
    ],
)
def test_a_png_that_makes_no_sense_is_refused(tmp_path, data, said):
    (tmp_path / "a.png").write_bytes(data)
    refused(tmp_path / "a.png", said)


@pytest.mark.filterwarnings("ignore:End of file reached")
def test_what_only_looks_like_dicom_is_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"\0" * 128 + b"DICM" + os.urandom(0) + b"\xff" * 300)
    refused(tmp_path / "a", "can't be read as DICOM|without an image")
    (tmp_path / "b").write_bytes(b"\0" * 128 + b"DICM")
    refused(tmp_path / "b", "can't be read as DICOM|without an image")


def ct_slice(path, **elements):
    data = pydicom.Dataset()
    data.SOPClassUID, data.SOPInstanceUID = pydicom.uid.CTImageStorage, "1.2"
    data.Rows, data.Columns, data.BitsAllocated, data.PixelRepresentation = 5, 8, 16, 0
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsStored, data.HighBit = 16, 15
    for name, value in elements.items():
        setattr(data, name, value)
    data.PixelData = b"\0" * 80
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    data.save_as(path, enforce_file_format=True)
    return path


XRAY = {"SOPClassUID": "1.2.840.10008.5.1.4.1.1.12.1"}


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ({}, "CT series: slices, not projections"),
        ({"Rows": 0}, r"shape \(1, 0, 8\)"),
        ({"NumberOfFrames": 10**9}, "out of all proportion"),
        ({**XRAY, "SamplesPerPixel": 3}, "colour"),
        ({**XRAY, "BitsAllocated": 12}, "12 bits"),
        ({**XRAY, "Rows": 0}, r"shape \(1, 0, 8\)"),
        ({**XRAY, "NumberOfFrames": 10**9}, "out of all proportion"),
        ({**XRAY, "NumberOfFrames": 3}, "can't be read as DICOM"),
        ({**XRAY, "Rows": 50}, "can't be read as DICOM"),
    ],
)
def test_dicom_that_holds_no_projections_is_refused(tmp_path, elements, said):
    refused(ct_slice(tmp_path / "a.dcm", **elements), said)


def test_a_library_that_is_not_installed_is_one_sentence(scan_file, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(Missing, match=re.escape("pip install 'stend-tomo[files]'")):
        stend_tomo.read(scan_file)
