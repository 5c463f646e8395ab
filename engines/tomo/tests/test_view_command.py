"""`stend-tomo view` from the outside: it tells its address, answers there, and Ctrl-C ends it."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo.cli import run
from stend_tomo.cli.view import _axis, _command
from stend_tomo.errors import BadOption, Missing, TomoError
from stend_tomo.phantoms import line_integrals, problem
from stend_tomo.phantoms.faults import Images
from stend_tomo.preparation import Preparation, remove_stripes
from stend_tomo.preparation.axis import found_axis
from stend_tomo.view import Method, Server, ShownScan
from tomo_support import PATIENCE
from view_scans import shown_volume
from view_serving import get, plane

ANGLES = np.pi * np.arange(20) / 20


DEFAULT_INT = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
BROWSER = """#!/bin/sh
echo "$@" > {0}.part
stat -c %a "${{1#file://}}" >> {0}.part
cat "${{1#file://}}" >> {0}.part
mv {0}.part {0}
"""


@pytest.fixture
def scan(tmp_path):
    """Line integrals of an object, in a file; its axis is at column 13."""
    values = line_integrals(problem("shepp-logan-3d").phantom, ANGLES, 32, rows=6, center=13)
    path = tmp_path / "scan 1.npy"
    np.save(path, values)
    return path, values


def test_the_command_serves_until_ctrl_c(tmp_path, scan):
    path, values = scan
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(BROWSER.format(seen))
    browser.chmod(0o700)
    words = ["view", str(path), "--angles", "0:171:20", "--line-integrals"]
    more = ["--center", "13", "--pixel", "0.5", "--stripes", "5"]
    program = "runpy.run_module('stend_tomo', run_name='__main__')"
    command = [sys.executable, "-c", DEFAULT_INT + program]
    places = os.environ | {"BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [*command, *words, *more], stdout=subprocess.PIPE, text=True, env=places
    ) as viewer:
        address = viewer.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert np.array_equal(plane(address + "projection/19")[0], values[19])
        clean = remove_stripes(values[:, 2:3], 5)
        expected = tomo.reconstruct(clean, ANGLES, center=13, pixel=0.5)[0]
        assert np.allclose(plane(address + "slice/2")[0], expected, atol=1e-6)
        assert get(address)[2].count(b"<!doctype html>") == 1
        while not seen.exists():
            time.sleep(0.01)
        viewer.send_signal(signal.SIGINT)
        said, _ = viewer.communicate(timeout=PATIENCE)
    assert viewer.returncode == 0
    assert said.endswith("Ended.\n")
    started_with, mode, *page = seen.read_text().splitlines()
    secret = address.split("/")[3]
    assert started_with.startswith("file://")
    assert secret not in started_with, "every user of the machine can read it"
    assert mode == "600"
    assert f"url={address}" in "".join(page)
    assert not list(tmp_path.glob("stend-view*")), "it is removed at the end"


def test_the_page_tells_the_command_that_writes_what_it_shows(scan, tmp_path, monkeypatch):
    path, values = scan
    monkeypatch.chdir(tmp_path)
    command = _command(path, {"--angles": "0:171:20", "--entry": None, "--line-integrals": True})
    program, *words = shlex.split(command)
    assert program == "stend-tomo"
    run([*words, "--algorithm", "fbp", "--center", "13.25"])
    written = tomo.read_volume("scan 1-slices").slices.frame(2)
    shown = ShownScan(tomo.Scan(Images(values), angles=ANGLES, normalized=True), "", Method(13.0))
    assert np.allclose(shown.slice(2, {"algorithm": "fbp", "center": "13.25"}).values, written)


def test_a_name_that_is_no_text_is_shown_escaped(scan, tmp_path, monkeypatch):
    odd = tmp_path / os.fsdecode(b"w\xff.npy")
    shutil.copy(scan[0], odd)
    told = []
    monkeypatch.setattr(Server, "run", lambda server: told.append(server._shown.about()))
    given = ["--angles", "0:171:20", "--line-integrals", "--center", "13", "--no-open"]
    run(["view", str(odd), *given])
    assert json.dumps(told[0], ensure_ascii=False).encode()
    assert (told[0]["name"], told[0]["command"]) == (r"w\udcff.npy", "")


def test_the_axis_is_that_of_the_other_verbs_or_to_be_looked_for_by_eye(scan):
    of = tomo.Scan(Images(scan[1]), angles=ANGLES, normalized=True)
    found = found_axis(of, Preparation(), 3)
    assert _axis("auto", of, Preparation())[0] == pytest.approx(found.position, abs=1e-3)
    assert _axis("11.5", of, Preparation()) == (11.5, "as given", None)
    column, said, warning = _axis("auto", replace(of, angles=ANGLES / 2), Preparation())
    assert (column, said) == (15.5, "the detector's middle")
    assert "cover" in warning
    noise = np.random.default_rng(3).normal(size=(20, 6, 32)).astype(np.float32)
    column, said, warning = _axis("auto", replace(of, projections=Images(noise)), Preparation())
    assert said == "not sure"
    assert "half moons" in warning


def test_what_slices_do_not_heed_is_refused(tmp_path):
    tomo.write(tmp_path / "v.h5", np.ones((2, 3, 3), np.float32), format="hdf5")
    words = ["view", str(tmp_path / "v.h5"), "--center", "1", "--no-open"]
    with pytest.raises(BadOption, match=r"v\.h5 holds slices already: --center is for"):
        run(words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--algorithm", "magic"], "There is no algorithm magic"),
        (["--stripes", "4"], "is 4 columns; it must be odd"),
        (["--center", "54"], "The center 54.0 is not from -22 to 53"),
        (["--cutoff", "2"], "The cutoff 2.0 is not from"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_shown(scan, words, sentence):
    start = ["view", str(scan[0]), "--angles", "0:171:20", "--line-integrals", "--no-open"]
    with pytest.raises(TomoError, match=sentence):
        run([*start, *words])


def test_slices_that_do_not_say_so_can_be_said_to_be_some(tmp_path, monkeypatch):
    np.save(tmp_path / "v.npy", np.ones((2, 3, 3), np.float32))
    shown = []
    monkeypatch.setattr(Server, "run", lambda server: shown.append(server._shown.about()["kind"]))
    for words in ([], ["--volume"]):
        run(["view", str(tmp_path / "v.npy"), "--no-open", *words])
    assert shown == ["scan", "volume"]


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_a_missing_library_is_a_sentence_with_the_command(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Missing, match=rf"needs {library}: .*pip install 'stend-tomo\[view\]'"):
        Server(shown_volume())


def test_a_viewer_without_its_libraries_ends_the_command_with_a_sentence(tmp_path):
    np.save(tmp_path / "v.npy", np.ones((2, 3, 3), np.float32))
    program = "import sys; sys.modules['uvicorn'] = None\nfrom stend_tomo.cli import main\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}sys.exit(main(['view', 'v.npy', '--no-open']))"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 6
    assert done.stderr == (
        "stend-tomo: The viewer needs uvicorn: install it with `pip install 'stend-tomo[view]'`.\n"
    )
