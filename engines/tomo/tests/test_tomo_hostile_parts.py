"""What is hostile behind a sound beginning: heaps of HDF5 texts, later files of a series."""

import logging
import subprocess
import sys
import threading
from pathlib import Path

import h5py
import numpy as np
import pydicom
import pytest

import stend_tomo
from scan_files import refused
from stend_tomo.errors import ScanFileError
from stend_tomo.reading.limits import told
from tomo_support import PATIENCE

IMAGES = np.arange(3 * 4 * 5, dtype="u2").reshape(3, 4, 5)

READ = """
import sys
import stend_tomo
from stend_tomo.errors import ScanFileError
for path in sys.argv[1:]:
    for read in (stend_tomo.read, stend_tomo.read_volume):
        try:
            read(path)
        except ScanFileError as error:
            print(error)
"""


def test_endless_heaps_of_texts_are_refused(tmp_path):
    with h5py.File(tmp_path / "good.h5", "w") as file:
        file["exchange/data"] = IMAGES
        file["exchange/data"].attrs["description"] = "intensities"
        file.attrs["default"] = "exchange"
        file["exchange"].attrs["default"] = "."
    good = (tmp_path / "good.h5").read_bytes()
    heap = good.index(b"GCOL")
    for number, size in enumerate((0, 2**64 - 16, 2**64 - 8, 2**32, 4096)):
        data = bytearray(good)
        data[heap + 24 : heap + 32] = size.to_bytes(8, "little")  # of the first object
        (tmp_path / f"{number}.h5").write_bytes(data)
    # In a process of its own, which can be ended: the library would not return.
    done = subprocess.run(
        [sys.executable, "-c", READ, *map(str, sorted(tmp_path.glob("[0-9].h5")))],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 10
    assert all("a heap of texts holds an object of an impossible size" in line for line in said)


def test_a_heap_of_many_texts_is_read(tmp_path):
    stend_tomo.write(
        tmp_path / "a.h5", IMAGES, format="hdf5", about={f"key {n}": "x" * n for n in range(900)}
    )
    about = stend_tomo.read_volume(tmp_path / "a.h5").about
    assert {len(about.get(f"key {n}", "")) for n in range(900)} == set(range(900))


def write_images(folder, storage, syntax=pydicom.uid.ExplicitVRLittleEndian):
    for number, image in enumerate(IMAGES):
        data = pydicom.Dataset()
        data.SOPClassUID, data.SOPInstanceUID = storage, f"1.2.{number}"
        data.SeriesInstanceUID, data.InstanceNumber = "1.3", number
        data.Rows, data.Columns = image.shape
        data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
        data.BitsAllocated, data.BitsStored, data.HighBit = 16, 16, 15
        data.PixelRepresentation, data.PixelData = 0, image.tobytes()
        data.file_meta = pydicom.dataset.FileMetaDataset()
        data.file_meta.TransferSyntaxUID = syntax
        data.save_as(folder / f"IM{number}.dcm", enforce_file_format=True)


CT, RADIOGRAPH = pydicom.uid.CTImageStorage, pydicom.uid.DigitalXRayImageStorageForProcessing


@pytest.mark.parametrize("storage", [CT, RADIOGRAPH])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Rows", 5, r"1 images of \(5, 5\) pixels .* among files with one of \(4, 5\)"),
        ("Rows", 65535, r"1 images of \(65535, 5\) pixels"),
        ("NumberOfFrames", 7, "7 images of"),
        ("NumberOfFrames", 2**31 - 1, "out of all proportion"),
        ("PixelRepresentation", 1, "of type int16 among files with one of .* of type uint16"),
        ("SamplesPerPixel", 3, "colour"),
        ("PixelData", b"", "can't be read as DICOM"),
        ("BitsAllocated", None, "without an image"),
    ],
)
def test_a_later_file_is_looked_at_before_it_is_unpacked(tmp_path, storage, name, value, said):
    write_images(tmp_path, storage)
    data = pydicom.dcmread(tmp_path / "IM1.dcm")
    if value is None:
        del data[name]
    else:
        setattr(data, name, value)
    data.save_as(tmp_path / "IM1.dcm")
    with pytest.raises(ScanFileError, match=rf"IM1\.dcm .*{said}"):
        (stend_tomo.read(tmp_path).projections if storage == RADIOGRAPH
         else stend_tomo.read_volume(tmp_path).slices).rows(0, 4)  # fmt: skip


def test_what_is_deflated_is_read_only_when_it_is_small(tmp_path):
    write_images(tmp_path, RADIOGRAPH, pydicom.uid.DeflatedExplicitVRLittleEndian)
    assert np.array_equal(stend_tomo.read(tmp_path).projections.frame(2), IMAGES[2])
    with (tmp_path / "IM0.dcm").open("ab") as file:
        file.truncate(1 << 21)
    refused(tmp_path / "IM0.dcm", "compressed as a whole .deflated.; decompress it with .*dcmconv")


def test_what_others_log_meanwhile_is_not_lost(caplog):
    entered, ended = threading.Event(), threading.Event()

    def read():
        with told(Path("a"), "x"):
            logging.getLogger("tifffile").warning("mine")
            entered.set()
            ended.wait(PATIENCE)

    reader = threading.Thread(target=read)
    reader.start()
    entered.wait(PATIENCE)
    logging.getLogger("tifffile").warning("another's")
    ended.set()
    reader.join()
    logging.getLogger("tifffile").warning("later")
    assert caplog.messages == ["another's", "later"]
