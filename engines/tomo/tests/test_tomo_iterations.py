"""`stend-tomo` with SIRT and CGLS: what is written and told, gone on with, and refused."""

import json
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from PIL import Image

import stend_tomo as tomo
from stend_tomo.cli import run
from stend_tomo.cli.progress import BETWEEN, SlicesShown
from stend_tomo.errors import TomoError
from stend_tomo.phantoms.problems import seen
from stend_tomo.writing import WrittenVolume

ANGLES = np.arange(16) * np.pi / 16
PROJECTIONS = np.random.default_rng(2).random((16, 5, 12), np.float32)
SCAN = ["s.npz", "--line-integrals", "--center", "5.5"]


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process, beside a scan; gives what it printed."""
    monkeypatch.chdir(tmp_path)
    np.savez("s.npz", projections=PROJECTIONS, angles=ANGLES)

    def call(verb, *words):
        run([verb, *SCAN, *words])
        return capsys.readouterr().out

    return call


@pytest.mark.parametrize("method", ["sirt", "cgls"])
def test_slices_are_those_of_the_function(stend, method):
    words = ["--algorithm", method, "--iterations", "4", "--non-negative"]
    stend("reconstruct", "-o", "v.h5", "--rows", "1:4", *words)
    found = tomo.read_volume("v.h5").slices
    function = {"sirt": tomo.sirt, "cgls": tomo.cgls}[method]
    expected = function(PROJECTIONS, ANGLES, iterations=4, non_negative=True, center=5.5)
    for number in range(3):
        assert np.array_equal(found.frame(number), expected[1 + number])
    told = json.loads(stend("preview", "--row", "3", "-o", "p.png", "--json", *words))
    assert told["highest"] == pytest.approx(expected[3][seen(12)].max())
    assert told["lowest"] == 0
    assert Image.open("p.png").size == (12, 12)


def test_how_slices_were_iterated_stands_in_their_file(stend):
    stend("reconstruct", "-o", "s.h5", "--algorithm", "sirt", "--iterations", "3", "--non-negative")
    stend("reconstruct", "-o", "c.h5", "--algorithm", "cgls")
    of = {"scan": "s.npz", "rows": "0:5", "center": "5.5"}
    assert tomo.read_volume("s.h5").about == of | {
        "algorithm": "sirt", "iterations": "3", "non-negative": "yes",
    }  # fmt: skip
    assert tomo.read_volume("c.h5").about == of | {"algorithm": "cgls", "iterations": "20"}


def test_slices_are_gone_on_with_by_as_many_iterations_only(stend, monkeypatch):
    words = ["-o", "out", "--algorithm", "sirt", "--window", "0:1"]
    with monkeypatch.context() as cut_short:
        cut_short.setattr(WrittenVolume, "finish", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            stend("reconstruct", *words)
    for other in (["--iterations", "99"], ["--non-negative"]):
        with pytest.raises(TomoError, match=r"begun with other settings \(.*\)"):
            stend("reconstruct", *words, *other)
    assert "(and 5 before)" in stend("reconstruct", *words, "--iterations", "100")


REFUSED = {
    "a filter": (
        ["--algorithm", "sirt", "--filter", "hann"],
        "filters nothing; leave --filter out",
    ),
    "no iterations": (["--iterations", "9"], '"dfr" does not iterate; leave --iterations out'),
    "no negative": (["--algorithm", "fbp", "--non-negative"], "leave --non-negative out"),
    "none": (["--algorithm", "cgls", "--iterations", "0"], "--iterations is 0; it must be 1 to"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_an_algorithm_does_not_heed_is_refused(stend, what):
    words, sentence = REFUSED[what]
    for verb in (["reconstruct", "-o", "out"], ["preview"]):
        with pytest.raises(TomoError, match=sentence):
            stend(*verb, *words)
    assert [path.name for path in Path().iterdir()] == ["s.npz"]


def test_the_page_does_not_wait_for_iterations(stend):
    with pytest.raises(TomoError, match="does not offer sirt and cgls, which iterate"):
        stend("view", "--no-open", "--algorithm", "sirt")


def test_iterations_move_the_progress_between_slabs(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with SlicesShown("reconstructing", 40) as bar:
        bar.iterated(400, 4000, 0.5)
        assert capsys.readouterr().err == ""
        now[0] += BETWEEN
        bar.iterated(450, 4000, 0.0625)
    assert capsys.readouterr().err == (
        "reconstructing 4 of 40, 0.05 slices/s, 12 min left, residual 0.0625\n"
    )
