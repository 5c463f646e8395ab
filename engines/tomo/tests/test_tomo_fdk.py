"""`stend-tomo fdk` as a user meets it: from a cone beam's scan to slices, and what is refused."""

import json
import shlex
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo.errors import TomoError
from stend_tomo.phantoms import rmse
from stend_tomo.writing import WrittenVolume
from tomo_command import command

GEOMETRY = ["--source-to-axis", "100", "--source-to-detector", "150"]


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process; gives what it printed."""
    return command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def cone(stend):
    """The scan of a head by a cone beam, beside it the exact slices."""
    stend("phantom", "shepp-logan-3d", "-o", "cone.h5", "--columns", "40", "--angles", "0:357:120",
          "--exact", "exact.h5", *GEOMETRY)  # fmt: skip
    return stend


def test_a_phantoms_slices_come_out_in_1_over_mm_and_with_their_voxels(cone):
    shown = cone("fdk", "cone.h5", "-o", "out.h5", *GEOMETRY)
    assert "40 slices of 40 × 40 in " in shown
    assert "out.h5 (hdf5)\naxis of rotation: column 19.5, source's plane: row 19.5\n" in shown
    assert "pixels of 1 mm on the detector, from the file; voxels of 0.666667 mm" in shown
    made, exact = tomo.read_volume("out.h5"), tomo.read_volume("exact.h5")
    assert (made.unit, made.slices.shape) == ("1/mm", (40, 40, 40))
    assert [made.pixel, made.spacing, exact.pixel] == pytest.approx([2 / 3] * 3)
    middle = exact.slices.frame(20)
    assert 1.4 < middle.max() < 1.6  # the phantom's value 1, 0.67 mm being one
    assert rmse(made.slices.frame(20), middle, margin=4) < 0.1


def test_slices_are_what_the_library_makes_of_the_same_numbers(cone):
    cone("fdk", "cone.h5", "-o", "out.h5", *shlex.split(
        "--source-to-axis 100 --source-to-detector 150 --pitch 0.9 --center 20.25 --center-row 18 "
        "--size 30 --slices 9 --voxel 0.7 --filter hann --cutoff 0.8 --stripes 5"
    ))  # fmt: skip
    scan = tomo.read("cone.h5")
    beam = tomo.ConeBeam(
        source_to_axis=100, source_to_detector=150, pitch=0.9, center=20.25, center_row=18
    )
    rows = tomo.preparation.Preparation(stripes=5)(scan, 0, 40)
    expected = tomo.fdk(
        rows, scan.angles, beam, size=30, slices=9, voxel=0.7, filter="hann", cutoff=0.8
    )
    made = tomo.read_volume("out.h5")
    found = np.stack([made.slices.frame(index) for index in range(9)])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert made.about == {
        "sample": "shepp-logan-3d", "scan": "cone.h5", "algorithm": "fdk", "filter": "hann",
        "cutoff": "0.8", "center": "20.25", "center row": "18.0", "source to axis": "100.0",
        "source to detector": "150.0", "pitch": "0.9", "stripes": "5",
    }  # fmt: skip


def test_figures_come_as_json_and_what_was_cut_short_is_gone_on_with(cone, monkeypatch):
    words = ["fdk", "cone.h5", "-o", "series", "--format", "dicom", "--slices", "4", *GEOMETRY]
    with monkeypatch.context() as cut_short:
        cut_short.setattr(WrittenVolume, "finish", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            cone(*words)
    assert Path("series.unfinished").is_dir()
    with pytest.raises(TomoError, match=r"begun with other settings.*start over with --restart"):
        cone(*words, "--pitch", "1.1")
    told = json.loads(cone(*words, "--json"))
    assert (told["slices"], told["before"], told["shape"]) == (0, 4, [4, 40, 40])
    assert (told["unit"], told["pixel_mm"]) == ("1/mm", pytest.approx(2 / 3))
    assert told["axis"]["center"] == 19.5


REFUSED = {
    "a parallel beam's scan": (
        "fdk p.h5 -o o --source-to-axis 100 --source-to-detector 150 --pitch 1 --angles 0:179:120",
        r"goes 18\d.* around; a short scan takes .*--angles; scans of a parallel beam are for",
    ),
    "pitch": (
        "fdk p.h5 -o o --source-to-axis 100 --source-to-detector 150",
        "has no pixel size; give --pitch MM, the size on the detector itself",
    ),
    "no pitch": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --pitch 0",
        "--pitch is 0; it must be above 0",
    ),
    "axis": (
        "fdk cone.h5 -o o --source-to-axis -1 --source-to-detector 150",
        "--source-to-axis is -1",
    ),
    "detector": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 50",
        "only [0-9]+; --source-to-detector counts from the source",
    ),
    "center": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --center 500",
        "--center is 500, more than a detector's width away",
    ),
    "row": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --center-row 500",
        "--center-row is 500, more than a detector's height",
    ),
    "voxel": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --voxel 9",
        "source is 100.* away; .* check the distances, or give .*--voxel",
    ),
    "size": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --size 0",
        "--size is 0; it must be 1 to",
    ),
    "memory": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --memory 1kB",
        "not even one slice can be made",
    ),
    "bits": (
        "fdk cone.h5 -o o --source-to-axis 100 --source-to-detector 150 --bits 8",
        "requires --format png",
    ),
    "place": ("fdk cone.h5 -o p.h5 --source-to-axis 100 --source-to-detector 150", "p.h5 exists"),
    "a phantom's": ("phantom may-beetle -o o.h5 --source-to-axis 9", "needs both"),
    "its detector": (
        "phantom may-beetle -o o.h5 --source-to-axis 9 --source-to-detector 8",
        "only [0-9]+; --source-to-detector counts",
    ),
}


def test_what_can_not_be_is_one_sentence_in_the_options_words_and_leaves_nothing(cone, tmp_path):
    cone("phantom", "shepp-logan", "-o", "p.h5", "--columns", "40", "--angles", "0:179:120")
    for what, (words, sentence) in REFUSED.items():
        with pytest.raises(TomoError, match=sentence) as refused:
            cone(*shlex.split(words))
        assert refused.value.exit_code == 2, what
    assert {path.name for path in tmp_path.iterdir()} == {"cone.h5", "exact.h5", "p.h5"}
