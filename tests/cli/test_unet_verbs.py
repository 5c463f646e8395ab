"""`stend unet` as a user meets it: from slices to labels and pictures, and what is refused."""

import json
import re
from pathlib import Path

import h5py
import numpy as np
import pytest
from PIL import Image

import stend_unet as unet
from small_unets import with_ending
from stend import tomo
from stend.cli import app
from stend.errors import StendError, TomoError

PROPERTIES = {"stend.normalization": "percentiles 10 95", "stend.classes": "grain"}
SLICES = np.random.default_rng(2).normal(size=(5, 20, 24)).astype(np.float32)

ERRORS = (StendError, TomoError, unet.UnetError)


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in a folder with slices and a model; gives what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("m.onnx").write_bytes(with_ending("Sigmoid", PROPERTIES))
    tomo.write("v.h5", SLICES, format="hdf5", pixel=0.5)

    def call(*words):
        app(["unet", *words], standalone_mode=False)
        return capsys.readouterr().out

    return call


@pytest.fixture(scope="module")
def labels():
    return unet.segment(SLICES, unet.read_model(with_ending("Sigmoid", PROPERTIES)))


def read(path):
    slices = tomo.read_volume(path).slices
    return slices.images(0, slices.shape[0])


def test_segment_teaches_itself(stend):
    shown = stend("segment", "--help")
    assert "Usage" in shown
    assert "stend unet segment" in shown, "an example"


@pytest.mark.parametrize(
    ("output", "options"),
    [("l", ()), ("l.tif", ()), ("l.h5", ()), ("l.zarr", ()), ("l", ("--format", "png"))],
)
def test_labels_are_written_in_every_format_that_has_them(stend, labels, output, options):
    said = stend("segment", "v.h5", "--model", "m.onnx", "-o", output, *options)
    assert f"labels: {output}" in said
    assert np.array_equal(read(output), labels)
    volume = tomo.read_volume(output)
    assert (volume.unit, volume.pixel) == ("class", 0.5)
    assert volume.about["labels of"] == "v.h5"


def test_labels_of_two_classes_are_black_and_white_in_a_png(stend, labels):
    stend("segment", "v.h5", "--model", "m.onnx", "-o", "l", "--format", "png")
    assert np.array_equal(np.asarray(Image.open("l/slice_00002.png")), 255 * labels[2])


def test_what_was_found_is_counted(stend, labels):
    said = stend("segment", "v.h5", "--model", "m.onnx", "--threads", "1")
    assert "5 slices of 20 × 24" in said
    assert f"{int(labels.sum()):,} pixels" in said
    assert f"{labels.mean():.2%}" in said
    told = json.loads(stend("segment", "v.h5", "--model", "m.onnx", "--json"))
    assert told["classes"] == ["background", "grain"]
    (image,) = told["images"]
    assert image["pixels"] == [labels.size - int(labels.sum()), int(labels.sum())]
    assert [slice_[1] for slice_ in image["pixels_by_slice"]] == labels.sum(axis=(1, 2)).tolist()
    assert sum(image["shares"]) == pytest.approx(1)
    assert image["seconds_a_slice"] > 0


def test_the_slice_with_most_is_drawn_in_place_of_an_earlier_picture(stend, labels):
    for _ in range(2):
        said = stend("segment", "v.h5", "--model", "m.onnx", "--overlay", "o.png")
    richest = int(labels.sum(axis=(1, 2)).argmax())
    assert f"overlay of slice {richest}: o.png" in said
    expected = unet.overlay(
        SLICES[richest], labels[richest], ("background", "grain"), pixel=0.5, unit="1/mm"
    )
    assert np.array_equal(np.asarray(Image.open("o.png")), expected)
    assert sorted(path.name for path in Path().iterdir()) == ["m.onnx", "o.png", "v.h5"]


def test_several_images_have_places_by_their_names(stend, labels):
    np.save("one.npy", SLICES[0])
    said = stend(
        "segment", "v.h5", "one.npy", "--model", "m.onnx", "-o", "found", "--overlay", "o.png"
    )
    assert said.count("grain") == 2
    assert np.array_equal(read("found/v.tif"), labels)
    assert np.array_equal(read("found/one.tif"), labels[:1])
    assert {path.name for path in Path().glob("o*.png")} == {"o-v.png", "o-one.png"}


def test_what_was_cut_short_is_kept_and_gone_on_with(stend, labels, monkeypatch, capsys):
    whole = unet.Segmenter.labels

    def cut(self, values, name="The slice"):
        if name.startswith("Slice 3"):
            raise KeyboardInterrupt
        return whole(self, values, name)

    command = ("segment", "v.h5", "--model", "m.onnx", "-o", "l.h5", "--json")
    with monkeypatch.context() as patched:
        patched.setattr(unet.Segmenter, "labels", cut)
        assert app(["unet", *command], standalone_mode=False) == 130
    assert "3 of 5 slices are kept in l.h5.unfinished" in capsys.readouterr().err
    assert not Path("l.h5").exists()
    (image,) = json.loads(stend(*command))["images"]
    assert image["before"] == 3
    assert image["pixels"][1] == int(labels.sum()), "of earlier slices, too"
    assert np.array_equal(read("l.h5"), labels)
    assert not Path("l.h5.unfinished").exists()


@pytest.fixture
def cut_short(stend, monkeypatch):
    """Give a command whose labels are all there, but not finished."""
    command = ("segment", "v.h5", "--model", "m.onnx", "-o", "l.h5")
    with monkeypatch.context() as patched:
        patched.setattr("stend.cli.unet.slices.SECONDS", 0.0)
        patched.setattr(tomo.WrittenVolume, "finish", lambda self: sentence())
        with pytest.raises(ERRORS, match="the power went"):
            stend(*command)
    return command


def test_labels_of_other_slices_are_not_gone_on_with(stend, cut_short):
    tomo.write("w.h5", SLICES + 1, format="hdf5")
    Path("w.h5").replace("v.h5")
    with pytest.raises(ERRORS, match=r"other settings .* over with --restart"):
        stend(*cut_short)


def test_labels_of_a_network_taught_anew_are_not_gone_on_with(stend, cut_short):
    Path("m.onnx").write_bytes(with_ending("Sigmoid", PROPERTIES, seed=2))
    with pytest.raises(ERRORS, match=r"other settings \(the network's weights\)"):
        stend(*cut_short)
    assert "5 slices" in stend(*cut_short, "--restart")


def sentence():
    raise TomoError("the power went.")


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("nothing.h5",), "nothing.h5 does not exist", 4),
        (("m.onnx",), "none of the known formats", 4),
        (("v.h5", "-o", "v.h5"), "v.h5 exists; give another name", 2),
        (("v.h5", "-o", "l", "--format", "dicom"), "give another --format", 2),
        (("v.h5", "--format", "png"), "requires -o; give both", 2),
        (("v.h5", "-o", "l.png"), "has the name of one image", 2),
        (("v.h5", "--overlay", "o.jpg"), "ends in .png", 2),
        (("v.h5", "--overlay", "none/o.png"), "none/o.png can't be written: its folder", 4),
        (("v.h5", "v.h5", "-o", "l"), "Several images are named v", 2),
        (("v.h5", "n.npy", "-o", "m.onnx/l"), "m.onnx/l can't be a folder", 4),
        (("v.h5", "--threads", "0"), "must be 1 to 4096", 2),
        (("v.h5", "--model", "v.h5"), "no ONNX model", 4),
        (("v.h5", "--model", "none.onnx"), "can't be opened", 4),
        (("n.npy",), r"Slice 1 of n.npy has the value nan at \[2, 3\]", 4),
        (("v.h5", "-o", "l.npy"), r"l.npy has the name of a file of an unknown format", 2),
        (("v.h5", "n.npy", "-o", "l.npy"), "labels of several images need a folder", 2),
        (("v.h5", "none.h5", "-o", "l"), "none.h5 does not exist", 4),
    ],
)
def test_what_can_not_be_is_a_sentence_and_a_code(stend, words, said, code):
    bad = SLICES.copy()
    bad[1, 2, 3] = np.nan
    np.save("n.npy", bad)
    model = () if "--model" in words else ("--model", "m.onnx")
    with pytest.raises(ERRORS, match=said) as refused:
        stend("segment", *words, *model)
    assert refused.value.exit_code == code


@pytest.mark.parametrize(
    "words",
    [
        ("a.png", "--overlay", "a.png"),
        ("a.png", "--overlay", "link.png"),
        ("a.png", "o-a.png", "--overlay", "o.png"),
    ],
)
def test_no_image_is_replaced_by_a_picture(stend, words):
    for name in ("a.png", "o-a.png"):
        Image.fromarray(np.eye(8, dtype=np.uint8)).save(name)
    Path("link.png").symlink_to("a.png")
    with pytest.raises(ERRORS, match="is one of the images"):
        stend("segment", *words, "--model", "m.onnx")
    for name in ("a.png", "o-a.png"):
        assert Image.open(name).mode == "L"


def test_a_picture_among_the_slices_is_refused(stend):
    tomo.write("s", SLICES, format="tiff")
    with pytest.raises(ERRORS, match="give a place outside s"):
        stend("segment", "v.h5", "s", "--overlay", "s/o.png", "--model", "m.onnx")
    with pytest.raises(ERRORS, match="give a place outside s"):
        stend("segment", "s", "--model", "m.onnx", "--overlay", "s/o.png")


def test_no_folder_is_left_where_an_image_is_missing(stend):
    with pytest.raises(ERRORS, match="does not exist"):
        stend("segment", "v.h5", "none.h5", "-o", "found", "--model", "m.onnx")
    assert not Path("found").exists()


def test_slices_are_called_so_whatever_they_lack(stend):
    colours = np.zeros((8, 8, 3), np.uint8)
    Image.fromarray(colours).save("c.png")
    Image.fromarray(colours).save("c.tif")
    np.save("c.npy", np.zeros((2, 2, 2, 2)))
    np.savez("c.npz", mine=np.zeros((2, 2, 2)))
    for name in ("c.png", "c.tif", "c.npy", "c.npz"):
        with pytest.raises(ERRORS, match=r"^c\.") as refused:
            stend("segment", name)
        assert not re.search("scan|projections are|angles", str(refused.value))


def test_an_hdf5_file_with_one_array_needs_no_names(stend, labels):
    with h5py.File("w.h5", "w") as file:
        file["volume"] = SLICES
        file["note"] = "of another program"
    stend("segment", "w.h5", "--model", "m.onnx", "-o", "l.h5")
    assert np.array_equal(read("l.h5"), labels)
    with h5py.File("w.h5", "a") as file:
        file["other"] = SLICES
    with pytest.raises(ERRORS, match="nor one array of images; its root has note, other"):
        stend("segment", "w.h5")
