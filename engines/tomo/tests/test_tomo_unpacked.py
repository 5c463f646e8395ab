"""Projections that are unpacked once: the same pixels, and each image is asked for once."""

import errno

import numpy as np
import pytest
import tifffile

import stend_tomo
from scan_files import assert_holds, known, write_data_exchange, write_nxtomo
from stend_tomo.errors import OutputError, ScanFileError
from stend_tomo.reading.frames import Scratch


@pytest.mark.parametrize("write", [write_data_exchange, write_nxtomo])
def test_a_scan_is_the_same_unpacked_and_leaves_no_file(tmp_path, write):
    (tmp_path / "scratch").mkdir()
    scan = stend_tomo.unpacked(
        stend_tomo.read(write(tmp_path / "a.h5", known())), tmp_path / "scratch"
    )
    assert_holds(scan, known())
    assert list((tmp_path / "scratch").iterdir()) == []


class Counted:
    """Images that count how often each is asked for as a whole, and can't be read by rows."""

    shape, dtype = (7, 5, 8), np.dtype("u2")

    def __init__(self):
        self.asked = []

    def frame(self, index):
        self.asked.append(index)
        return known().projections[index]


def test_stacks_of_another_order_of_bytes_are_the_same_unpacked(tmp_path):
    for name, dtype in (("p0.tif", ">u2"), ("p1.tif", "<u2")):
        images = known().projections.astype(dtype)
        tifffile.imwrite(tmp_path / name, images, photometric="minisblack", byteorder=dtype[0])
    found = stend_tomo.unpacked(stend_tomo.read(tmp_path), tmp_path).projections.rows(0, 5)
    assert np.array_equal(found, np.concatenate(2 * [known().projections]))


def test_images_of_another_type_than_the_scan_says_are_refused(tmp_path):
    images = Counted()
    images.dtype = np.dtype("f4")
    with pytest.raises(ScanFileError, match=r"Projection 0 is of type uint16, and .* says float32"):
        stend_tomo.unpacked(stend_tomo.Scan(images), tmp_path)


def test_each_image_is_unpacked_once_however_many_slabs_are_read(tmp_path):
    images, told = Counted(), []
    scan = stend_tomo.unpacked(
        stend_tomo.Scan(images), tmp_path, progress=lambda *done: told.append(done)
    )
    for first in range(5):
        wanted = known().projections[:, first : first + 1]
        assert np.array_equal(scan.projections.rows(first, first + 1), wanted)
    assert images.asked == list(range(7))
    assert told == [(index + 1, 7) for index in range(7)]


def test_a_scratch_file_that_finds_no_room_is_one_sentence(tmp_path, monkeypatch):
    def full(file, image):
        raise OSError(errno.ENOSPC, "No space left on device")

    scan = stend_tomo.Scan(Counted())
    with pytest.raises(OutputError, match=r"into .*nowhere: No such file .* take 560 bytes"):
        stend_tomo.unpacked(scan, tmp_path / "nowhere")
    monkeypatch.setattr("stend_tomo.reading.frames._write", full)
    with pytest.raises(OutputError, match="No space left on device; they take 560 bytes"):
        stend_tomo.unpacked(scan, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_file_that_was_cut_is_told(tmp_path):
    with (tmp_path / "a").open("w+b") as file:
        file.write(bytes(2 * 3 * 4 - 1))
        file.flush()
        cut = Scratch(file, (2, 3, 4), np.dtype("u1"))
        assert cut.part(slice(0, 1), slice(0, 3)).shape == (1, 3, 4)
        with pytest.raises(ScanFileError, match="cut short"):
            cut.part(slice(0, 2), slice(0, 3))
