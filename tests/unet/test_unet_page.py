"""docs/unet.md doesn't lie: its commands and examples run in order, and every name is on it."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import stend_unet as unet
from stend import tomo
from stend.cli import app
from stend.cli.unet import VERBS

PAGE = (Path(__file__).parents[2] / "engines/unet/docs/unet.md").read_text("utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Run all of it in a folder of its own; gives the folder and what Python's names mean."""
    namespace = {}
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for language, block in re.findall(r"```(sh|python)\n(.*?)```", PAGE, re.DOTALL):
            if language == "python":
                exec(compile(block, "unet.md", "exec"), namespace)
                continue
            for line in block.splitlines():
                program, *words = shlex.split(line)
                assert program == "stend"
                app(words, standalone_mode=False)
    return folder, namespace


def test_commands_and_examples_run(page):
    folder, _ = page
    assert {path.name for path in folder.iterdir()} == {
        "beetle.h5", "slices", "labels.h5", "found.png", "grains.png", "labels.npy", "mine.onnx",
    }  # fmt: skip


def test_a_scan_goes_through_reconstruction_to_labels(page):
    folder, _ = page
    slices = tomo.read_volume(folder / "slices").slices
    labels = tomo.read_volume(folder / "labels.h5").slices
    assert labels.shape == slices.shape == (10, 128, 128)
    expected = unet.segment(slices)
    assert np.array_equal(labels.images(0, 10), expected)
    assert np.array_equal(np.load(folder / "labels.npy"), expected)


def test_the_pages_picture_is_of_its_example(page):
    folder, namespace = page
    drawn = Image.open(folder / "grains.png")
    shown = Image.open(Path(__file__).parents[2] / "engines/unet/docs/unet.png")
    assert shown.size == drawn.size
    found = namespace["labels"][8].mean()
    assert 0.01 < found < 0.05


def test_every_verb_and_every_name_is_on_the_page():
    assert all(f"stend unet {verb}" in PAGE for verb in VERBS)
    for name in unet.__all__:
        assert re.search(rf"\b{name}\b", PAGE), name
