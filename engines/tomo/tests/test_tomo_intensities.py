"""`stend-tomo` on scans of intensities: what the flat fields and the counts lack is told."""

import json
import shutil

import h5py
import numpy as np
import pytest
import tifffile

import stend_tomo as tomo
from stend_tomo.cli import run
from stend_tomo.errors import TomoError


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A scan of 32 rows by a camera."""
    path = tmp_path_factory.mktemp("counted") / "b.h5"
    words = ["phantom", "may-beetle", "-o", str(path), "--columns", "32", "--noise", "20000"]
    run(words)
    return path


@pytest.fixture
def scan(counted, tmp_path, monkeypatch):
    """The scan, to be changed."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(counted, "b.h5")
    with h5py.File("b.h5", "r+") as file:
        yield file["exchange"]


@pytest.fixture
def stend(scan, capsys):
    """Call a verb in this process; gives what it printed."""

    def call(*words):
        scan.file.flush()
        run(words)
        return capsys.readouterr().out

    return call


def test_rows_that_the_beam_does_not_reach_are_refused_before_anything_is_made(
    stend, scan, tmp_path
):
    rows = scan["data"].shape[1]
    for name in ("data", "data_white"):
        scan[name][:, 12:] = scan["data_dark"][0, 12:]
    words = ["reconstruct", "b.h5", "-o", "out"]
    with pytest.raises(TomoError, match=rf"dark in rows 12 to {rows - 1}, .* --rows 0:12\."):
        stend(*words)
    assert [path.name for path in tmp_path.iterdir()] == ["b.h5"]
    stend(*words, "--rows", "0:12")
    with pytest.raises(TomoError, match=r"dark in row 20, .* give --row 0 to 11\."):
        stend("preview", "b.h5", "--row", "20", "--center", "15.5")
    assert json.loads(stend("center", "b.h5", "--json"))["row"] == 6
    scan["data_white"][:] = 0
    with pytest.raises(TomoError, match="The flat fields are nowhere brighter"):
        stend("reconstruct", "b.h5", "-o", "none")


def test_what_was_mended_is_told_each_row_once(stend, scan):
    columns = scan["data"].shape[2]
    words = ["b.h5", "--center", "15.5"]
    assert "mended" not in stend("preview", *words)
    scan["data"][7] = 0
    scan["data_white"][:, 3, 4] = scan["data_dark"][0, 3, 4]
    assert f"mended: {columns} values without light limited" in stend("preview", *words)
    assert f"mended: {5 * columns} values" in stend("center", "b.h5")
    rows = ["reconstruct", *words, "--rows", "2:6"]
    assert f"mended: 1 dead pixels, {4 * columns - 1} values" in stend(*rows, "-o", "some")
    told = json.loads(stend(*rows, "-o", "again", "--json"))
    assert told["mended"] == {"dead": 1, "limited": 4 * columns - 1, "zingers": 0}


def test_flat_and_dark_fields_may_lie_in_files_of_their_own(stend, scan, tmp_path):
    words = ["b.h5", "--center", "15.5", "--rows", "3:5"]
    stend("reconstruct", *words, "-o", "one.h5")
    np.save("flats.npy", scan["data_white"][:])
    (tmp_path / "d").mkdir()
    for number, image in enumerate(scan["data_dark"]):
        tifffile.imwrite(f"d/dark{number}.tif", image)
    del scan["data_white"], scan["data_dark"]
    with pytest.raises(TomoError, match="give --flats FILE, or --white 1"):
        stend("reconstruct", *words, "-o", "two.h5")
    stend("reconstruct", *words, "-o", "two.h5", "--flats", "flats.npy", "--darks", "d")
    one, two = (tomo.read_volume(f"{name}.h5") for name in ("one", "two"))
    np.testing.assert_array_equal(one.slices.rows(0, 32), two.slices.rows(0, 32))
    assert (two.about["flats"], two.about["darks"]) == ("flats.npy", "d")
    np.save("small.npy", np.ones((2, 3, 4), np.uint16))
    with pytest.raises(TomoError, match=r"small\.npy has images of 3 rows and 4 columns, the"):
        stend("preview", "b.h5", "--flats", "small.npy")


def test_transmission_is_normalised_by_one_value(stend, scan):
    flat, dark = (scan[name][:].mean(axis=0) for name in ("data_white", "data_dark"))
    transmission = ((scan["data"] - dark) / (flat - dark)).astype(np.float32)
    words = ["preview", "--center", "15.5", "--json"]
    counted = json.loads(stend(*words, "b.h5"))
    angles = np.radians(scan["theta"][:])
    np.savez("t.npz", projections=100 * transmission, angles=angles, darks=np.ones_like(dark[None]))
    given = json.loads(stend(*words, "t.npz", "--white", "100", "--pixel", str(_pixel(stend))))
    assert given["highest"] == pytest.approx(counted["highest"], rel=1e-3)
    for word in (["--white", "0"], ["--white", "1", "--flats", "x"]):
        with pytest.raises(TomoError, match="--white"):
            stend("info", "t.npz", *word)
    with pytest.raises(TomoError, match="--line-integrals says"):
        stend("info", "t.npz", "--white", "1", "--line-integrals")


def _pixel(stend):
    return json.loads(stend("info", "b.h5", "--json"))["pixel_mm"]
