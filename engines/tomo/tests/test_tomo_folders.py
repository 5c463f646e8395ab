"""`stend-tomo` on folders of images: what they hold, and where nothing is written."""

import json
import os
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import tifffile

import stend_tomo as tomo
from stend_tomo.cli import run
from stend_tomo.errors import TomoError
from stend_tomo.writing import WrittenVolume


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process; gives what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words):
        run(words)
        return capsys.readouterr().out

    return call


def test_slices_of_a_folder_are_gone_on_with_only_if_its_images_are_the_same(stend, monkeypatch):
    images = np.random.default_rng(1).random((20, 2, 16), np.float32)
    Path("scan").mkdir()
    for number, image in enumerate(images):
        tifffile.imwrite(f"scan/p{number}.tif", image)
    words = ["reconstruct", "scan", "--angles", "0:171:20", "--line-integrals", "--center", "7.5"]
    words += ["-o", "scan/out"]
    with monkeypatch.context() as cut_short:
        cut_short.setattr(WrittenVolume, "finish", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            stend(*words, "--restart")
    changed = Path("scan/p3.tif").stat().st_mtime_ns
    os.utime("scan/p3.tif", ns=(changed, changed + 1))
    with pytest.raises(TomoError, match="begun with other settings"):
        stend(*words)
    os.utime("scan/p3.tif", ns=(changed, changed))
    assert "(and 2 before)" in stend(*words)


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        (".", ["reconstruct", "scan", "-o", "scan/out.tif"]),
        (".", ["reconstruct", "scan", "-o", "scan/reference"]),
        ("tomo", ["reconstruct", "scan", "-o", "scan/slices"]),
        (".", ["preview", "scan", "-o", "scan/row.png"]),
        (".", ["center", "scan", "--montage", "scan/axes.png"]),
    ],
)
def test_nothing_is_written_where_it_would_be_read_as_projections(stend, folder, words):
    Path("scan", folder).mkdir(parents=True)
    for number in range(5):
        tifffile.imwrite(f"scan/{folder}/p{number}.tif", np.ones((2, 16), np.float32))
    with pytest.raises(TomoError, match="would be read as part of"):
        stend(*words, "--angles", "0:144:5", "--line-integrals")
    assert len(list(Path("scan").rglob("*.tif"))) == 5


def test_a_preview_of_the_folder_one_is_in_is_not_written_among_its_images(stend, monkeypatch):
    Path("scan").mkdir()
    monkeypatch.chdir("scan")
    for number in range(5):
        tifffile.imwrite(f"p{number}.tif", np.ones((2, 16), np.float32))
    with pytest.raises(TomoError, match=r"scan-row1\.png would be read"):
        stend("preview", ".", "--angles", "0:144:5", "--line-integrals")


def test_info_takes_files_of_other_programs_for_slices_if_told(stend):
    np.save("v.npy", np.ones((3, 4, 5), np.float32))
    assert "if these are slices, --volume" in " ".join(stend("info", "v.npy").split())
    assert "slices        3 of 4 rows × 5 columns" in stend("info", "v.npy", "--volume")


def test_info_tells_what_is_on_the_disk(stend):
    tomo.write("ct", np.ones((3, 8, 8), np.float32), format="png", window=(0, 2))
    told = json.loads(stend("info", "ct", "--json"))
    size = sum(path.stat().st_size for path in Path("ct").glob("*.png"))
    assert (told["format"], told["stored"], told["disk"]) == ("png", "uint16", size)
    shown = stend("info", "ct")
    assert "ct (png)" in shown
    assert "uint16, read as float32, " in shown
