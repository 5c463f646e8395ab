"""`stend-unet` as a user meets it: networks described and timed, images segmented, refusals."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import stend_unet as unet
from small_unets import with_ending
from stend_unet.cli import info, main

PROPERTIES = {"stend.normalization": "percentiles 10 95", "stend.classes": "grain"}
SLICES = np.random.default_rng(2).normal(size=(3, 20, 24)).astype(np.float32)


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run it in a folder with slices and a model; gives what it printed."""
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(with_ending("Sigmoid", PROPERTIES))
    np.save("v.npy", SLICES)
    Image.fromarray((SLICES[0] * 40 + 128).clip(0, 255).astype(np.uint8)).save("a.png")

    def call(*words, code=0):
        assert main(words) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    return call


@pytest.fixture
def info_of(command):
    def call(*words):
        return json.loads(command("info", "m.onnx", *words, "--json"))

    return call


def test_info_tells_what_a_network_is_made_of(command, info_of):
    model = unet.read_model("m.onnx")
    said = command("info", "m.onnx", "--size", "40x48")
    assert f"{model.parameters:,} ({4e-6 * model.parameters:.3g} MB)" in said, "however small"
    assert all(layer.name in said for layer in model.layers)
    assert "percentiles 10 95" in said
    told = info_of("--size", "40x48")
    assert told["flop"] == model.direct_flops(40, 48) == sum(x["flop"] for x in told["layers"])
    assert told["memory"] > 4 * told["parameters"]
    last = told["layers"][-1]
    assert (last["height"], last["width"]) == (40, 48)


def test_info_shows_names_that_a_file_gives_without_control_characters(command):
    Path("m.onnx").write_bytes(with_ending(properties={"\x1b]0;t\x07a": "\x1b[31mb"}))
    shown = command("info", "m.onnx", "--size", "16")
    assert "\\x1b]0;t\\x07a" in shown
    assert "\\x1b[31mb" in shown
    assert shown.replace("\n", "").isprintable()


def test_info_says_what_a_network_is_for(command, info_of):
    assert "background, grain" in command("info", "m.onnx", "--size", "16")
    Path("m.onnx").write_bytes(with_ending(inputs=2))
    shown = command("info", "m.onnx", "--size", "16")
    assert "can't use it: The model takes images of 2 channels" in shown
    told = info_of("--size", "16")
    assert told["classes"] is None
    assert "2 channels" in told["not_for_slices"]


def test_info_runs_the_variant_that_was_asked_for(command, info_of):
    assert info_of("--size", "16", "--variant", "direct")["variant"] == "direct"
    said = command("info", "m.onnx", "--variant", "fast", code=2)
    assert 'no variant "fast" of float32' in said


def test_info_times_every_layer(command, info_of, monkeypatch):
    monkeypatch.setattr(info, "SECONDS", 0.0)  # the fewest runs will do
    told = info_of("--size", "32", "--time")
    names = " + ".join(part["layers"] for part in told["parts"])
    assert all(layer["name"] in names for layer in told["layers"])
    assert told["seconds"] == pytest.approx(sum(part["seconds"] for part in told["parts"]))
    assert "GFLOP/s" in command("info", "m.onnx", "--size", "32", "--time")


@pytest.mark.parametrize("size", ["0", "x", "8x", "8x0", "40000", "1x2x3", "٢٥٦"])
def test_a_size_that_is_none_is_a_sentence(command, size):
    assert "as 512 or 480x640" in command("info", "m.onnx", "--size", size, code=2)


def test_slices_are_segmented_counted_and_drawn(command):
    told = json.loads(
        command(
            "segment", "v.npy", "--model", "m.onnx", "-o", "l.npy", "--overlay", "o.png", "--json"
        )
    )
    labels = unet.segment(SLICES, unet.read_model("m.onnx"))
    assert np.array_equal(np.load("l.npy"), labels)
    assert told["pixels"] == np.bincount(labels.ravel(), minlength=2).tolist()
    assert told["classes"] == ["background", "grain"]
    assert Image.open("o.png").mode == "RGB"
    said = command("segment", "v.npy", "--model", "m.onnx")
    assert "grain" in said
    assert f"{told['pixels'][1]:,} pixels" in said


def test_an_image_is_segmented(command):
    command("segment", "a.png", "--model", "m.onnx", "-o", "l.png")
    labels = unet.segment(np.asarray(Image.open("a.png")), unet.read_model("m.onnx"))
    assert np.array_equal(np.asarray(Image.open("l.png")), labels)


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("segment", "none.npy"), "none.npy can't be read: No such file", 4),
        (("segment", "m.onnx"), "m.onnx can't be read", 4),
        (("segment", "v.npy", "-o", "l.txt"), "l.txt must end in .npy or .png", 2),
        (("segment", "v.npy", "-o", "l.png"), "l.png holds one slice", 2),
        (("segment", "v.npy", "-o", "none/l.npy"), "none/l.npy can't be written", 4),
        (("segment", "v.npy", "--model", "a.png"), "a.png", 4),
        (("segment", "v.npy", "--threads", "0"), "The number of threads is 0", 2),
    ],
)
def test_what_can_not_be_is_a_sentence_and_a_code(command, words, said, code):
    printed = command(*words, code=code)
    assert printed.startswith("stend-unet: ")
    assert said in printed
    assert printed.count("\n") == 1
