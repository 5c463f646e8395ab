"""Labels, the classes of pixels, written in every format that keeps bytes, and read again."""

import numpy as np
import pytest
from PIL import Image

import stend_tomo as tomo
from stend_tomo.errors import BadOption

LABELS = np.random.default_rng(1).integers(0, 4, (3, 5, 7), dtype=np.uint8)


def stored_type(slices):
    while hasattr(slices, "source"):
        slices = slices.source
    return slices.dtype


@pytest.mark.parametrize(
    ("name", "format"),
    [("v", "tiff"), ("v.tif", "tiff"), ("v.h5", "hdf5"), ("v.zarr", "zarr"), ("v", "png")],
)
def test_labels_are_bytes_and_read_again(tmp_path, name, format):
    tomo.write(tmp_path / name, LABELS, format=format, labels=True, pixel=0.5)
    volume = tomo.read_volume(tmp_path / name)
    assert stored_type(volume.slices) == np.uint8
    assert (volume.unit, volume.pixel) == ("class", 0.5)
    np.testing.assert_array_equal(volume.slices.images(0, 3), LABELS)


@pytest.mark.parametrize("white", [3, 5, 15, 17, 51, 85, 255])
def test_a_pngs_window_keeps_labels(tmp_path, white):
    tomo.write(tmp_path / "v", LABELS, format="png", labels=True, window=(0, white))
    shown = np.asarray(Image.open(tmp_path / "v" / "slice_00001.png"))
    np.testing.assert_array_equal(shown, LABELS[1] * (255 // white))
    read = tomo.read_volume(tmp_path / "v").slices.images(0, 3)
    np.testing.assert_array_equal(read, LABELS)


@pytest.mark.parametrize("window", [(0, 2), (0, 4), (1, 3), (0, 510)])
def test_a_window_that_would_spoil_labels_is_refused(tmp_path, window):
    with pytest.raises(BadOption, match=r"would change labels; it can be 0 to 1, 3, 5"):
        tomo.write(tmp_path / "v", LABELS, format="png", labels=True, window=window)


@pytest.mark.parametrize(
    "values", [LABELS.astype(float), LABELS.astype(int) - 1, LABELS.astype(int) + 255]
)
def test_what_no_byte_holds_is_no_label(tmp_path, values):
    with pytest.raises(BadOption, match="whole numbers from 0 to 255"):
        tomo.write(tmp_path / "v", values, format="tiff", labels=True)


def test_dicom_keeps_no_labels(tmp_path):
    with pytest.raises(BadOption, match="give another format"):
        tomo.write(tmp_path / "v", LABELS, format="dicom", labels=True, pixel=0.5)


def test_values_do_not_go_on_where_labels_were_begun(tmp_path):
    volume = tomo.open_volume(tmp_path / "v", "tiff", LABELS.shape, unit="class", labels=True)
    volume.write(0, LABELS[:1])
    with pytest.raises(BadOption, match="labels"):
        tomo.open_volume(tmp_path / "v", "tiff", LABELS.shape, unit="class")
