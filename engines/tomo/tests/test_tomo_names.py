"""Names of files that no encoding has, or that would work on a terminal: shown as text alone."""

import json
import os
from pathlib import Path

import pytest

from stend_tomo.cli import run
from stend_tomo.errors import TomoError
from stend_tomo.reading import read_volume

NAME = os.fsdecode(b"u\xff\x1b\n")
SHOWN = r"u\udcff\x1b\n"


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process; gives what it printed, which a terminal could encode."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words):
        run(words)
        out = capsys.readouterr().out
        out.encode()
        return out

    call("phantom", "shepp-logan-3d", "-o", f"{NAME}.h5", "--columns", "24")
    return call


def test_verbs_print_them_as_text(stend):
    scan = f"{NAME}.h5"
    assert f"{SHOWN}.h5 (" in stend("info", scan)
    assert f"{SHOWN}.png: black" in stend("preview", scan, "-o", f"{NAME}.png")
    assert f"{SHOWN}.png: row" in stend("center", scan, "--montage", f"{NAME}.png")
    assert f"{SHOWN} (hdf5)" in stend("reconstruct", scan, "-o", NAME, "--format", "hdf5")
    assert read_volume(Path(NAME)).about["scan"] == f"{SHOWN}.h5"


def test_programs_are_told_them_as_far_as_json_can(stend):
    scan, told = f"{NAME}.h5", "u\\udcff\x1b\n"
    assert json.loads(stend("info", scan, "--json"))["file"] == f"{told}.h5"
    shown = stend("preview", scan, "-o", f"{NAME}.png", "--json")
    assert json.loads(shown)["picture"] == f"{told}.png"
    made = stend("reconstruct", scan, "-o", NAME, "--format", "png", "--json")
    assert json.loads(made)["output"] == told


def test_a_link_to_itself_is_refused(stend):
    Path("self").symlink_to("self")
    with pytest.raises(TomoError, match="self exists; give another name or remove it"):
        stend("reconstruct", f"{NAME}.h5", "-o", "self")
