"""Options of `stend-tomo` are heeded, or refused where they would do nothing."""

import os
from pathlib import Path

import h5py
import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo.cli import run
from stend_tomo.errors import TomoError


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def stend(*words):
    run(words)


def write_scan(turn=200.0, count=9, **outside):
    """Line integrals of some projections, 3 rows and 8 columns."""
    with h5py.File("p.h5", "w") as file:
        values = np.random.default_rng(0).random((count, 3, 8), np.float32)
        data = file.create_dataset("exchange/data", (count, 3, 8), "f4", **outside)
        data[...] = values
        file["exchange/theta"] = np.linspace(0, turn, count)
    return values


def test_a_window_and_a_taper_in_degrees():
    values = write_scan()
    stend("reconstruct", "p.h5", "-o", "out.h5", "--center", "3.5", "--line-integrals",
          "--window", "-0.25:1.5", "--taper", "9")  # fmt: skip
    made = tomo.read_volume("out.h5")
    assert made.window == (-0.25, 1.5)
    angles = np.radians(np.linspace(0, 200, 9))
    faded = tomo.reconstruct(values, angles, taper=np.pi / 20)
    assert np.array_equal(made.slices.rows(0, 8), faded)
    assert not np.array_equal(tomo.reconstruct(values, angles), faded)


@pytest.mark.parametrize(("turn", "half"), [(180, []), (342, ["--half-acquisition"])])
def test_a_taper_of_half_a_turn_is_refused(turn, half):
    write_scan(turn, 20)
    with pytest.raises(TomoError, match="The taper is for the ends of more than half a turn"):
        stend("reconstruct", "p.h5", "-o", "out", "--center", "6", "--line-integrals",
              "--taper", "9", *half)  # fmt: skip


def test_raw_data_outside_that_were_changed_are_another_scan(monkeypatch):
    def cut_short(self, volume, *told):
        volume.write(0, self.slice(0)[None])
        raise KeyboardInterrupt

    write_scan(external=[("raw", 0, 9 * 3 * 8 * 4)])
    words = ["reconstruct", "p.h5", "-o", "o", "--center", "3.5", "--line-integrals", "--external"]
    with monkeypatch.context() as patched:
        patched.setattr("stend_tomo.scan_reconstruction.ScanReconstruction.into", cut_short)
        with pytest.raises(KeyboardInterrupt):
            run(words)
    written = Path("raw").stat()
    os.utime("raw", (1, 1))
    with pytest.raises(TomoError, match="begun with other settings"):
        stend(*words)
    os.utime("raw", ns=(written.st_atime_ns, written.st_mtime_ns))
    stend(*words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["info", "s", "--entry", "e"], "s holds slices already: --entry is for projections"),
        (["view", "s", "--filter", "hann", "--stripes", "3"], "--filter, --stripes is for"),
        (["view", "s", "--volume", "--no-open", "--algorithm", "dfr"], "already: --algorithm is"),
    ],
)
def test_what_slices_do_not_heed_is_refused(words, said):
    tomo.write("s", np.ones((3, 4, 4)), format="tiff")
    with pytest.raises(TomoError, match=said):
        stend(*words)
    stend("info", "s", "--limit", "1000", "--json")
