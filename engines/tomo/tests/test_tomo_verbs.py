"""`stend-tomo` as a user meets it: from a scan to slices, and what is refused."""

import json
import re
import shlex
from pathlib import Path
from unittest.mock import Mock

import h5py
import numpy as np
import pytest
from PIL import Image

import stend_tomo as tomo
from stend_tomo.cli import run, verbs
from stend_tomo.errors import TomoError
from stend_tomo.phantoms import phantoms, rmse
from tomo_command import command

TOOTH = Path(__file__).parents[4] / "shared/data/tooth.h5"
needs_tooth = pytest.mark.skipif(not TOOTH.exists(), reason=f"{TOOTH} is not here")


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process; gives what it printed."""
    return command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def head(stend):
    """A scan of the head of 40 columns, beside it the exact slices."""
    stend("phantom", "shepp-logan-3d", "-o", "p.h5", "--columns", "40", "--exact", "exact.h5")
    return stend


def shapes_of(folder):
    return sorted({Image.open(path).size for path in Path(folder).glob("*.png")})


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_teaches_itself(stend, verb):
    shown = stend(verb, "--help")
    assert "usage:" in shown
    assert f"stend-tomo {verb} " in shown, "an example"


@pytest.mark.parametrize("verb", ["preview", "reconstruct"])
def test_help_has_every_algorithm_and_filter(stend, verb):
    words = re.findall(r"[\w-]+", stend(verb, "--help"))
    assert {*tomo.algorithms(), *tomo.filters()} <= set(words)


def test_a_file_that_may_not_be_read_is_a_sentence(stend, monkeypatch):
    Path("a.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    Path("a.h5").chmod(0)
    monkeypatch.setattr("os.access", lambda *asked, **how: False)  # as for others than root
    with pytest.raises(TomoError, match=r"a\.h5 can't be read"):
        stend("info", "a.h5")


def test_help_has_every_phantom(stend):
    words = set(re.findall(r"[\w-]+", stend("phantom", "--help")))
    assert {name.removesuffix("-3d") for name in phantoms()} <= words


def test_errors_name_options_not_arguments(stend):
    with h5py.File("large.h5", "w") as file:
        file.create_dataset("exchange/data", (400, 2000, 2000), "u2", chunks=(1, 20, 20))
    size = 2 * 400 * 2000 * 2000
    with pytest.raises(TomoError, match=f"read it with --limit {size}") as refused:
        stend("info", "large.h5")
    assert refused.value.exit_code == 4
    assert f"{size:,}" in str(refused.value)
    said = stend("info", "large.h5", "--limit", str(size))
    assert "no angles" in said
    assert "4,000,000 of 4,000,000 chunks of the projections hold only the fill value" in said
    with h5py.File("large.h5", "a") as file:
        file["exchange/theta"] = np.zeros(400)
    with pytest.raises(TomoError, match=r"give the right ones with --angles\."):
        stend("info", "large.h5", "--limit", str(size))


def test_slices_in_a_folder_are_not_taken_for_projections(stend):
    tomo.write("slices", np.ones((3, 4, 4), np.float32), format="png")
    with pytest.raises(TomoError, match=r"slices holds slices, not projections; .*tomo view"):
        stend("preview", "slices", "--angles", "0:180:3", "--line-integrals")


def test_a_wrong_choice_is_told_with_those_there_are(stend, capsys):
    with pytest.raises(SystemExit):
        run(["reconstruct", "x.h5", "-o", "o", "--format", "tif"])
    said = capsys.readouterr().err
    assert "--format: invalid choice: 'tif' (choose from 'dicom', 'png'" in said


def test_every_verb_is_documented():
    page = (Path(__file__).parents[1] / "docs/tomo.md").read_text("utf-8")
    assert all(f"stend-tomo {verb}" in page for verb in verbs())


def test_the_tutorials_commands_run(stend, tmp_path):
    page = (Path(__file__).parents[1] / "docs/tomo.md").read_text("utf-8")
    lines = "".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL)).splitlines()
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "stend-tomo"
        stend(*words)
    assert {path.name for path in tmp_path.iterdir()} == {
        "beetle.h5", "axes.png", "beetle-row68.png", "clean.png", "slices", "series",
        "half.h5", "wide", "cone.h5", "cone",
    }  # fmt: skip


@pytest.mark.parametrize("format", ["tiff", "hdf5", "zarr", "png", "dicom"])
def test_a_phantoms_slices_come_out_of_every_format(head, format):
    head("reconstruct", "p.h5", "-o", "out", "--format", format, "--pixel", "0.5")
    made, exact = tomo.read_volume("out"), tomo.read_volume("exact.h5")
    assert (made.unit, made.pixel, made.slices.shape) == ("1/mm", 0.5, (40, 40, 40))
    assert made.spacing == pytest.approx(0.5)
    assert rmse(made.slices.frame(20) * 0.5, exact.slices.frame(20)) < 0.06
    assert not Path("out.unfinished").exists()


def test_an_output_named_like_a_volume_of_hdf5_is_one(head):
    assert "a.h5 (hdf5)" in head("reconstruct", "p.h5", "-o", "a.h5", "--rows", "8:9")
    assert h5py.is_hdf5("a.h5")


def test_the_axis_may_be_beside_the_detector_and_the_filters_band_narrower(head):
    assert "axis at column 45, as given" in head("preview", "p.h5", "--center", "45")
    words = ["preview", "p.h5", "--center", "19.5", "--json"]
    sharp, smooth = (json.loads(head(*words, *more)) for more in ([], ["--cutoff", "0.3"]))
    head(*words, "--size", "60", "-o", "wide.png")
    assert Image.open("wide.png").size == (60, 60)
    assert abs(smooth["highest"] - sharp["highest"]) > 0.01


def test_the_last_line_says_how_many_slices_how_fast_and_where(head):
    shown = head("reconstruct", "p.h5", "-o", "out.tif", "--rows", "8:12", "--window", "0:0.5")
    assert "black 0, white 0.5 1/pixel" in shown
    assert re.match(r"4 slices of 40 × 40 in \d+\.\d s, [\d.e+]+ slices/s: out.tif \(tiff\)", shown)
    told = json.loads(head("reconstruct", "p.h5", "-o", "out", "--rows", "8:12", "--json"))
    assert (told["slices"], told["before"], told["shape"]) == (4, 0, [4, 40, 40])
    assert told["window"] == pytest.approx(tomo.read_volume("out").window)


def test_a_reconstructions_figures_have_the_axis_the_unit_and_the_pixel(head):
    words = ["reconstruct", "p.h5", "--rows", "8:9", "--json"]
    found = json.loads(head(*words, "-o", "a"))
    assert found["axis"]["center"] == pytest.approx(19.5, abs=0.1)
    assert 0 < found["axis"]["agreement"] <= 1
    assert found["axis"]["uncertainty"] > 0
    assert (found["unit"], found["pixel_mm"]) == ("1/pixel", None)
    given = json.loads(head(*words, "-o", "b", "--center", "19.5", "--pixel", "0.5"))
    assert given["axis"] == {
        "center": 19.5, "uncertainty": None, "agreement": None, "found": None,
    }  # fmt: skip
    assert (given["unit"], given["pixel_mm"]) == ("1/mm", 0.5)


def test_how_slices_were_made_stands_in_their_file(head):
    head("reconstruct", "p.h5", "-o", "out.h5", "--format", "hdf5", "--rows", "8:12",
         "--filter", "hann", "--stripes", "5", "--center", "19.5")  # fmt: skip
    about = json.loads(head("info", "out.h5", "--json"))["about"]
    assert about == {
        "sample": "shepp-logan-3d", "scan": "p.h5", "rows": "8:12", "algorithm": "dfr",
        "filter": "hann", "cutoff": "1.0", "center": "19.5", "taper": "0.0", "stripes": "5",
    }  # fmt: skip


def test_nothing_is_unpacked_for_a_method_that_can_not_be(head, monkeypatch):
    unpacking = Mock()
    monkeypatch.setattr("stend_tomo.reading.unpacked", unpacking)
    with pytest.raises(TomoError, match="there are dfr"):
        head("reconstruct", "p.h5", "-o", "o", "--scratch", ".", "--algorithm", "x")
    unpacking.assert_not_called()


def test_rows_are_those_of_the_whole_volume(head):
    head(
        "reconstruct",
        "p.h5",
        "-o",
        "some.h5",
        "--format",
        "hdf5",
        "--rows",
        "1:5",
        "--scratch",
        ".",
    )
    head("reconstruct", "p.h5", "-o", "all.h5", "--format", "hdf5")
    some, every = (tomo.read_volume(name).slices for name in ("some.h5", "all.h5"))
    np.testing.assert_allclose(some.frame(3), every.frame(4), atol=1e-5)
    assert some.frame(3).max() > 0.1


def test_info_says_what_a_scan_lacks(stend):
    np.savez("s.npz", projections=np.ones((20, 3, 8), np.uint16))
    told = json.loads(stend("info", "s.npz", "--json"))
    assert (told["images"], told["rows"], told["columns"], told["type"]) == (20, 3, 8, "uint16")
    assert told["bytes"] == 960
    assert [said.split(":")[0] for said in told["missing"]] == [
        "no angles", "no flat fields", "no dark fields", "no pixel size",
    ]  # fmt: skip
    assert "no angles: give --angles" in stend("info", "s.npz")


def test_info_tells_angles_and_those_that_see_a_direction_again(head):
    angles = json.loads(head("info", "p.h5", "--json"))["angles"]
    assert angles == pytest.approx(
        {"first": 0.5, "last": 210, "step": 0.5, "uniform": True, "repeated": 60}
    )
    assert "0.5° to 210°, evenly by 0.5°; 60 repeat a direction" in head("info", "p.h5")


def test_info_tells_directions_that_are_not_seen(head):
    lacking = head("info", "p.h5", "--angles", "0:60:420", "--json")
    assert "119.9° of half a turn are missing" in lacking
    assert "half a turn" not in head("info", "p.h5", "--angles", "10:220:420", "--json")


def test_info_takes_what_float32_cant_tell_from_0_for_0(stend):
    slices = np.zeros((1, 2, 2), np.float32)
    slices[0, 0] = -3.9e-17, 1
    tomo.write("v.h5", slices, format="hdf5")
    assert "0 to 1" in stend("info", "v.h5")
    assert json.loads(stend("info", "v.h5", "--json"))["middle"]["lowest"] < 0


def test_a_cameras_scan_has_its_axis_found_and_its_zingers_and_rings_removed(stend):
    stend("phantom", "may-beetle", "-o", "b.h5", "--columns", "160", "--noise", "20000",
          "--rings", "0.02", "--zingers", "1e-4", "--offset", "-7.3", "--rows", "80:85",
          "--exact", "exact.h5")  # fmt: skip
    held = json.loads(stend("info", "b.h5", "--json"))
    assert (held["kind"], held["flats"], held["darks"]) == ("intensities", 10, 10)
    assert held["pixel_mm"] == pytest.approx(0.009 * 1175 / 160)
    told = json.loads(stend("center", "b.h5", "--json"))
    assert told["found"]
    assert told["center"] == pytest.approx(79.5 - 7.3, abs=0.3)
    exact = tomo.read_volume("exact.h5").slices.frame(2)
    errors = []
    for steps in ([], ["--stripes", "9", "--zingers", "0.2"]):
        stend("reconstruct", "b.h5", "-o", f"out{len(steps)}", "--center", "72.2", *steps)
        errors.append(rmse(tomo.read_volume(f"out{len(steps)}").slices.frame(2), exact))
    assert errors[1] < 0.8 * errors[0]


def test_a_half_acquisition_shows_what_lies_beyond_the_detector(stend):
    stend("phantom", "may-beetle", "-o", "b.h5", "--columns", "160", "--angles", "0:359:360",
          "--noise", "20000", "--offset", "63.4", "--rows", "80:84", "--exact", "e.h5")  # fmt: skip
    wide = ["b.h5", "--half-acquisition"]
    found = json.loads(stend("center", *wide, "--json"))
    assert found["found"]
    assert found["center"] == pytest.approx(79.5 + 63.4, abs=0.1)
    assert "about axes from 138." in stend("center", *wide, "--montage", "axes.png")
    assert json.loads(stend("preview", *wide, "--json"))["center"] == pytest.approx(142.9, abs=0.1)
    exact = tomo.read_volume("e.h5").slices.frame(2)
    errors = []
    for words in (wide, ["b.h5", "--center", "142.9"]):
        out = f"out{len(words)}"
        stend("reconstruct", *words, "-o", out, "--size", "160", "--rows", "0:4")
        errors.append(rmse(tomo.read_volume(out).slices.frame(2), exact))
    assert errors[0] < 0.4 * errors[1]


def test_the_phase_is_retrieved_with_the_rows_around(stend):
    stend("phantom", "may-beetle", "-o", "b.h5", "--columns", "48", "--noise", "1000")
    words = ["b.h5", "--format", "hdf5", "--pixel", "0.01", "--phase", "20:500:100"]
    stend("reconstruct", *words, "-o", "all.h5")
    stend("reconstruct", *words, "-o", "some.h5", "--rows", "20:24")
    stend("reconstruct", *words[:-2], "-o", "noisy.h5", "--rows", "20:24")
    every, some, noisy = (
        tomo.read_volume(f"{name}.h5").slices for name in ("all", "some", "noisy")
    )
    np.testing.assert_allclose(some.frame(0), every.frame(20), atol=1e-3)
    assert some.frame(0).std() < 0.7 * noisy.frame(0).std()


def test_a_phantom_throws_nothing_unfinished_away(stend):
    words = ["phantom", "shepp-logan-3d", "--columns", "16", "-o", "p.h5"]
    volume = tomo.open_volume("e.h5", "hdf5", (16, 16, 16), origin={"from": "elsewhere"})
    volume.write(0, np.ones((4, 16, 16), np.float32))
    kept = Path("e.h5.unfinished/journal.json").read_text()
    with pytest.raises(TomoError, match="begun with other settings"):
        stend(*words, "--exact", "e.h5")
    assert Path("e.h5.unfinished/journal.json").read_text() == kept
    assert not Path("p.h5").exists()
    Path("p.h5.unfinished").write_text("another call's")
    with pytest.raises(TomoError, match=r"p\.h5\.unfinished exists"):
        stend(*words)
    assert Path("p.h5.unfinished").read_text() == "another call's"


def test_chance_is_the_same_again(stend):
    words = ["phantom", "shepp-logan", "--columns", "16", "--noise", "1000", "--seed", "3"]
    for name in ("a.h5", "b.h5"):
        told = json.loads(stend(*words, "-o", name, "--json"))
        assert (told["output"], told["shape"], told["center"]) == (name, [360, 1, 16], 7.5)
    one, other = (tomo.read(name).projections.rows(0, 1) for name in ("a.h5", "b.h5"))
    assert np.array_equal(one, other)


def test_a_preview_is_a_picture_with_its_window_and_figures(head):
    told = json.loads(head("preview", "p.h5", "-o", "a.png", "--row", "18", "--json"))
    with Image.open("a.png") as picture:
        assert (picture.size, picture.mode) == ((40, 40), "L")
        assert [float(end) for end in picture.text["Window"].split()] == told["window"]
    assert (told["row"], told["center"], told["unit"]) == (18, 19.5, "1/pixel")
    assert -0.2 < told["lowest"] < told["mean"] < told["highest"] < 1.5
    shown = head("preview", "p.h5")
    assert "row 20, axis at column 19.50" in shown
    assert re.search(r"p-row20\.png: black \S+, white \S+ 1/pixel", shown)
    head("preview", "p.h5")  # in place of the earlier one


def test_a_montage_shows_a_slice_about_several_axes(head):
    shown = head("center", "p.h5", "--montage", "axes.png", "--range", "17:22")
    assert "the axis is reliable" in shown
    assert "row 20 about axes from 17.00 to 22.00" in shown
    with Image.open("axes.png") as picture:
        assert picture.size == (848, 848), "3 of 7 × 40 pixels, and 2 gaps"
        middle = np.asarray(picture)[284 : 284 + 280, 284 : 284 + 280]
        blocks = middle[140:-7, 7:-7].reshape(19, 7, 38, 7)  # below what is written
        assert np.array_equal(blocks, np.broadcast_to(blocks[:, :1, :, :1], blocks.shape))
        assert middle[:3].min() == middle[:, -3:].min() == 255, "the one found is framed"


def test_axes_are_shown_where_none_can_be_found(head, capsys):
    words = ["p.h5", "--angles", "0:120:420", "--montage", "axes.png"]
    with pytest.raises(TomoError, match="takes half a turn"):
        head("center", *words)
    run(["center", *words, "--range", "17:22"])
    said = capsys.readouterr()
    assert "the axis was not found: The angles cover" in said.err
    assert said.out == "axes.png: row 20 about axes from 17.00 to 22.00\n"
    told = json.loads(head("center", *words, "--range", "17:22", "--json"))
    assert (told["row"], told["center"], told["found"]) == (20, None, False)


def test_an_axis_that_can_not_be_relied_on_is_told_and_not_used(stend, tmp_path):
    noise = np.random.default_rng(1).normal(1, 1, (60, 4, 32)).astype(np.float32)
    np.savez(tmp_path / "n.npz", projections=noise, angles=np.linspace(0, np.pi, 60))
    words = ["n.npz", "--line-integrals"]
    for verb, sentence in (
        ("center", "the axis is NOT reliable"),
        ("preview", "not found reliably"),
    ):
        shown = stend(verb, *words)
        assert sentence in shown
        assert "try --half-acquisition" in shown
    with pytest.raises(TomoError, match=r"not found reliably.*--montage.*--center COLUMN"):
        stend("reconstruct", *words, "-o", "out")
    stend("reconstruct", *words, "-o", "out", "--center", "15.5")


def test_slices_of_a_few_pixels_are_shown_and_made(stend):
    stend("phantom", "shepp-logan-3d", "-o", "p.h5", "--columns", "6")
    assert "mean" in stend("preview", "p.h5", "--center", "2.5")
    stend("reconstruct", "p.h5", "-o", "out", "--center", "2.5", "--size", "1")
    assert tomo.read_volume("out").slices.shape == (6, 1, 1)


@needs_tooth
def test_a_tooth_goes_from_scan_to_series(stend):
    told = json.loads(stend("center", str(TOOTH), "--json"))
    assert told["found"]
    assert told["center"] == pytest.approx(296, abs=0.5)
    stend("reconstruct", str(TOOTH), "-o", "ct", "--format", "dicom", "--pixel", "0.005")
    made = tomo.read_volume("ct")
    assert (made.slices.shape, made.unit) == ((2, 640, 640), "1/mm")
    assert made.window
    assert made.window[0] < 0 < 1 < made.window[1] < 3


REFUSED = {
    "no file": (["info", "no.h5"], 4, "no.h5 does not exist"),
    "no scan": (["preview", "text"], 4, "has none of the known formats"),
    "no angles": (["reconstruct", "i.npy", "-o", "o"], 2, "without its end: 0:171:20., or a file"),
    "no flats": (["preview", "i.npy", "--angles", "0:180:20"], 2, "give --flats FILE"),
    "angles": (["center", "p.h5", "--angles", "0:180"], 2, "neither a file nor FIRST:LAST:COUNT"),
    "count": (
        ["phantom", "shepp-logan", "-o", "o.h5", "--angles", "0:180:0"],
        2,
        "COUNT from 1",
    ),
    "endless": (["center", "p.h5", "--angles", "0:1:" + "9" * 5000], 2, "0:1:9{196}. is neither"),
    "their memory": (
        ["phantom", "shepp-logan", "-o", "o.h5", "--angles", f"0:180:{10**12}"],
        2,
        "from 1 to 10,000,000",
    ),
    "their number": (["center", "p.h5", "--angles", "0:180:9"], 2, "420 projections, and .* 9 "),
    "too little turn": (["center", "p.h5", "--angles", "0:90:420"], 2, "takes half a turn"),
    "rows": (["reconstruct", "p.h5", "-o", "o", "--rows", "30:50"], 2, "has 40, counted from 0"),
    "no rows": (["reconstruct", "p.h5", "-o", "o", "--rows", "x"], 2, "give FIRST:END"),
    "rows behind": (["reconstruct", "p.h5", "-o", "o", "--rows", "30:50"], 2, "END is at most 40"),
    "rows off": (["reconstruct", "p.h5", "-o", "o", "--rows", "50:60"], 2, "no rows 50 up to 60"),
    "one row": (["reconstruct", "p.h5", "-o", "o", "--rows", "9"], 2, "9:10 for this row alone"),
    "slices": (["reconstruct", "exact.h5", "-o", "o"], 2, "slices, not projections; look at them"),
    "its slices": (["preview", "exact.h5", "--angles", "0:180:9"], 2, "slices, not projections"),
    "row": (["preview", "p.h5", "--row", "40"], 2, "no row 40"),
    "center": (["preview", "p.h5", "--center", "nan"], 2, "give auto or a number"),
    "far center": (["preview", "p.h5", "--center", "-40"], 2, "it sees nothing of the slice"),
    "algorithm": (["reconstruct", "p.h5", "-o", "o", "--algorithm", "x"], 2, "there are dfr"),
    "filter": (["reconstruct", "p.h5", "-o", "o", "--filter", "x"], 2, "ram-lak"),
    "phase": (["preview", "p.h5", "--phase", "20:5"], 2, "not KEV:MM:RATIO"),
    "its pixel": (["preview", "p.h5", "--phase", "20:5:9"], 2, "has none; give --pixel MM"),
    "its light": (["preview", "p.h5", "--phase", "20:5:9", "--pixel", "1"], 2, "intensities"),
    "memory": (["reconstruct", "p.h5", "-o", "o", "--memory", "lots"], 2, "not a memory size"),
    "too little": (
        ["reconstruct", "p.h5", "-o", "o", "--memory", "1kB", "--center", "19.5"],
        2,
        "not even one slice",
    ),
    "nor its axis": (
        ["reconstruct", "p.h5", "-o", "o", "--memory", "1kB"],
        2,
        "Finding the axis.*give it with --center COLUMN",
    ),
    "large": (["reconstruct", "p.h5", "-o", "o", "--size", "30000"], 2, "not even one slice"),
    "no side": (["reconstruct", "p.h5", "-o", "o", "--pixel", "0"], 2, "not a pixel size"),
    "taper": (["reconstruct", "p.h5", "-o", "o", "--taper", "-1"], 2, "degrees from 0"),
    "hits": (["preview", "p.h5", "--zingers", "0.2"], 2, "needs intensities"),
    "no angle": (["center", "p.h5", "--angles", ""], 2, "neither a file nor FIRST:LAST:COUNT"),
    "half": (["center", "p.h5", "--half-acquisition"], 2, "209.5°; stitching takes a whole turn"),
    "no montage": (["center", "p.h5", "--range", "1:9"], 2, "give both"),
    "no window": (["preview", "p.h5", "--window", ""], 2, "give LOW:HIGH"),
    "no phase": (["preview", "p.h5", "--phase", ""], 2, "not KEV:MM:RATIO"),
    "one file": (["phantom", "shepp-logan", "-o", "q", "--exact", "q"], 2, "another name"),
    "window": (["reconstruct", "p.h5", "-o", "o", "--window", "2:1"], 2, "give LOW:HIGH"),
    "wide taper": (["reconstruct", "p.h5", "-o", "o", "--taper", "400"], 2, "from 0 to 360"),
    "no ends": (
        ["reconstruct", "p.h5", "-o", "o", "--angles", "0:180:420", "--taper", "9"],
        2,
        "more than half a turn, and there are 180°",
    ),
    "bits": (
        ["reconstruct", "p.h5", "-o", "o", "--format", "png", "--bits", "9"],
        2,
        "8 or 16 bits",
    ),
    "others' bits": (["reconstruct", "p.h5", "-o", "o", "--bits", "8"], 2, "requires --format png"),
    "others' water": (
        ["reconstruct", "p.h5", "-o", "o", "--water", "0.02"],
        2,
        "--water requires --format dicom",
    ),
    "no pixel": (["reconstruct", "p.h5", "-o", "o", "--format", "dicom"], 2, "give --pixel MM"),
    "an ending": (
        ["reconstruct", "p.h5", "-o", "a.h5", "--format", "tiff"],
        2,
        "a.h5 has the ending of hdf5, but --format is tiff",
    ),
    "one image": (
        ["reconstruct", "p.h5", "-o", "q.png", "--format", "png"],
        2,
        "q.png has the name of one image",
    ),
    "it exists": (["reconstruct", "p.h5", "-o", "text"], 2, "text exists"),
    "no folder": (["reconstruct", "p.h5", "-o", "no/o"], 4, "can't be written"),
    "no picture": (["preview", "p.h5", "-o", "p.h5"], 2, "ends in .png"),
    "other picture": (["preview", "p.h5", "-o", "text.png"], 2, "another kind of file"),
    "axes": (["center", "p.h5", "--montage", "m.png", "--range", "0:99"], 2, "columns 0 to 39"),
    "phantom": (["phantom", "x", "-o", "o.h5"], 2, "there are shepp-logan-3d, may-beetle"),
    "phantom there": (["phantom", "shepp-logan", "-o", "p.h5"], 2, "p.h5 exists"),
    "its folder": (["phantom", "shepp-logan", "-o", "no/o.h5"], 4, "No such file or directory"),
    "photons": (["phantom", "shepp-logan", "-o", "o.h5", "--noise", "1e6"], 2, "up to 40,000"),
    "zingers": (["phantom", "shepp-logan", "-o", "o.h5", "--zingers", "2"], 2, "not a share"),
}


def test_what_can_not_be_is_one_sentence_and_leaves_nothing(head, tmp_path):
    Path("text").write_text("no scan")
    Path("text.png").write_text("no picture")
    np.save("i.npy", np.ones((20, 3, 8), np.uint16))
    for what, (words, code, sentence) in REFUSED.items():
        with pytest.raises(TomoError, match=sentence) as refused:
            head(*words)
        assert refused.value.exit_code == code, what
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"exact.h5", "i.npy", "p.h5", "text", "text.png"}
