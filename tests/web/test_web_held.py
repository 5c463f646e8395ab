"""What a name of a folder of scans leads to is opened once, and no link is ever followed."""

import gc
import os
from pathlib import Path

import h5py
import numpy as np
import pydicom
import pytest
import tifffile

from stend.errors import StendError
from stend.web import scans
from stend.web.scans import Held, Scans
from stend_tomo.errors import ScanFileError
from stend_tomo.view import opened

OURS, SECRET = (np.full((3, 8, 8), value, np.uint16) for value in (1, 7))


def npy(path, images):
    with path.open("wb") as file:
        np.save(file, images)


def tiff(path, images):
    tifffile.imwrite(path, images, compression="zlib", photometric="minisblack")


def h5(path, images):
    with h5py.File(path, "w") as file:
        file["exchange/data"] = images


def dicom(path, images):
    data = pydicom.Dataset()
    data.SOPClassUID, data.SOPInstanceUID = pydicom.uid.XRayAngiographicImageStorage, "1.2"
    data.NumberOfFrames, data.Rows, data.Columns = images.shape
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 16, 15, 0
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.PixelData = images.tobytes()
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    data.save_as(path, enforce_file_format=True)


def exchanged(path, secret):
    """Put a link in its place, as who can write to the folder may at any moment."""
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(secret)


@pytest.mark.parametrize("write", [npy, tiff, h5, dicom])
def test_a_held_file_is_read_whatever_its_name_leads_to_meanwhile(tmp_path, write):
    path, secret = tmp_path / "scan", tmp_path / "secret"
    write(path, OURS)
    write(secret, SECRET)
    held = Held(tmp_path, "scan")
    exchanged(path, secret)
    shown = opened(held.path, "scan")
    assert np.all(shown.projection(0, {}).values == 1)
    assert np.all(shown.projection(2, {}).values == 1)
    assert "scan has changed since it was opened" in held.fault()


def test_a_name_exchanged_before_it_is_opened_is_refused_or_shows_what_it_was(
    tmp_path, monkeypatch
):
    npy(tmp_path / "scan", OURS)
    npy(tmp_path / "secret", SECRET)

    def late(path, *name):
        exchanged(tmp_path / "scan", tmp_path / "secret")
        return opened(path, *name)

    monkeypatch.setattr(scans, "opened", late)
    shown = Scans(tmp_path).viewer("scan").shown
    assert np.all(shown.projection(0, {}).values == 1)


def test_a_link_is_not_opened(tmp_path):
    (tmp_path / "scan").symlink_to("/etc/passwd")
    with pytest.raises(ScanFileError, match="scan can't be read: Too many levels of symbolic"):
        Held(tmp_path, "scan")


def test_a_folder_that_holds_a_link_at_any_depth_is_refused(tmp_path):
    (tmp_path / "store/c/0").mkdir(parents=True)
    (tmp_path / "store/c/0/1").symlink_to("/etc/shadow")
    with pytest.raises(
        ScanFileError, match="store holds a link, 1: replace it by what it leads to"
    ):
        Held(tmp_path, "store")


def test_a_folder_that_holds_a_pipe_is_refused(tmp_path):
    (tmp_path / "store/c").mkdir(parents=True)
    os.mkfifo(tmp_path / "store/c/0")
    with pytest.raises(ScanFileError, match="store holds 0, which is neither a file nor a folder"):
        Held(tmp_path, "store")


def test_a_folder_that_can_not_be_looked_through_is_refused(tmp_path, monkeypatch):
    (tmp_path / "store").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fwalk", lambda *_, onerror, **__: onerror(OSError(13, "Denied")))
        with pytest.raises(ScanFileError, match="store can't be searched: Denied"):
            Held(tmp_path, "store")


OME = """<?xml version="1.0"?>
<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">
<Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint16" SizeX="8" SizeY="8" SizeZ="2" SizeC="1"
SizeT="1"><TiffData IFD="0" FirstZ="0" PlaneCount="1"><UUID FileName="own">urn:uuid:1</UUID>
</TiffData><TiffData IFD="0" FirstZ="1" PlaneCount="1"><UUID FileName="OTHER">urn:uuid:2</UUID>
</TiffData></Pixels></Image></OME>"""


def test_a_file_that_a_tiff_names_is_not_opened(tmp_path):
    """tifffile opens those of OME-XML; a pipe would be waited for."""
    os.mkfifo(tmp_path / "pipe")
    said = OME.replace("OTHER", str(tmp_path / "pipe"))
    tifffile.imwrite(tmp_path / "scan", OURS[0], description=said, metadata=None)
    assert np.all(opened(Held(tmp_path, "scan").path).projection(0, {}).values == 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read whatever is named")
def test_root_reads_no_folder_whose_files_others_can_exchange(tmp_path):
    (tmp_path / "images/flats").mkdir(parents=True)
    Held(tmp_path, "images")
    (tmp_path / "images/flats").chmod(0o777)
    with pytest.raises(ScanFileError, match=r"images can be changed by other users.*as another"):
        Held(tmp_path, "images")


def test_errors_name_the_file_and_not_its_descriptor(tmp_path):
    (tmp_path / "scan").write_bytes(b"\x93NUMPY and no more")
    with pytest.raises(StendError, match=r"^scan can't be read") as raised:
        Scans(tmp_path).viewer("scan")
    assert "/dev/fd" not in str(raised.value)


def test_what_nobody_reads_any_more_is_closed(tmp_path):
    npy(tmp_path / "scan", OURS)
    for _ in range(5):
        held = Held(tmp_path, "scan")
        held.last_as_long_as(opened(held.path))
    del held
    gc.collect()
    open_now = [os.path.realpath(one) for one in Path("/dev/fd").iterdir()]
    assert str(tmp_path / "scan") not in open_now
