"""Interrupted writing: what is not whole never looks so, nothing written is lost, work goes on."""

import json
import math
import os
import signal
import subprocess
import sys

import h5py
import numpy as np
import pydicom
import pytest
import tifffile
import zarr
from PIL import Image

from stend_tomo.errors import BadOption, OutputError, ScanFileError
from stend_tomo.reading import read, read_volume
from stend_tomo.reading.frames import Chosen, Held
from stend_tomo.scan import Scan
from stend_tomo.writing import FORMATS, open_volume, write
from stend_tomo.writing.hdf5 import scan_file
from tomo_support import PATIENCE

SHAPE = (6, 16, 20)
VALUES = np.random.default_rng(3).random(SHAPE, np.float32)
SETTINGS = {"pixel": 0.01, "window": (0.0, 1.0)}


def opened(path, format, **settings):
    return open_volume(path, format, SHAPE, **{**SETTINGS, **settings})


def files_of(path):
    """All files and what is in them."""
    paths = [path, *path.rglob("*")] if path.is_dir() else [path]
    return {p.relative_to(path): p.read_bytes() for p in paths if p.is_file()}


@pytest.mark.parametrize("format", FORMATS)
def test_it_has_its_name_only_when_it_is_whole(tmp_path, format):
    volume = opened(tmp_path / "a", format)
    for first in (0, 2, 4):
        assert [path.name for path in tmp_path.iterdir()] == ["a.unfinished"]
        with pytest.raises(BadOption, match=f"{first} of 6 slices are written"):
            volume.finish()
        assert volume.written == first
        volume.write(first, VALUES[first : first + 2])
    volume.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("format", FORMATS)
def test_it_goes_on_where_it_was_interrupted(tmp_path, format):
    opened(tmp_path / "a", format).write(0, VALUES[:2])
    again = opened(tmp_path / "a", format)
    assert again.written == 2
    again.write(2, VALUES[2:])
    again.finish()
    assert np.allclose(read_back(tmp_path / "a", format), VALUES, atol=1e-4)


def read_back(path, format):
    """By the format's own library."""
    match format:
        case "hdf5":
            with h5py.File(path) as file:
                return file["entry/reconstruction/slices"][()]
        case "zarr":
            return zarr.open_array(str(path), path="0", mode="r")[...]
        case "tiff":
            return tifffile.imread(sorted(path.iterdir()))
        case "png":
            return np.stack([np.asarray(Image.open(p)) / 65535 for p in sorted(path.iterdir())])
        case "dicom":
            files = [pydicom.dcmread(p) for p in sorted(path.iterdir())]
            assert len({data.SeriesInstanceUID for data in files}) == 1
            values = [pydicom.pixels.apply_rescale(d.pixel_array, d) for d in files]
            return np.stack(values) / 1000


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_at_once_begins_anew(tmp_path, format):
    opened(tmp_path / "a", format).write(0, 1 - VALUES[:2])
    write(tmp_path / "a", VALUES, format=format, **SETTINGS)
    assert np.allclose(read_back(tmp_path / "a", format), VALUES, atol=1e-4)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_interrupted_work_of_another_kind_is_not_thrown_away(tmp_path):
    opened(tmp_path / "a", "hdf5", origin={"file": "a.h5"}).write(0, VALUES[:2])
    with pytest.raises(BadOption, match="other settings"):
        write(tmp_path / "a", VALUES, format="hdf5", **SETTINGS)
    write(tmp_path / "a", VALUES, format="hdf5", resume=False, **SETTINGS)
    assert np.array_equal(read_back(tmp_path / "a", "hdf5"), VALUES)


def test_a_file_of_all_slices_goes_on_too(tmp_path):
    opened(tmp_path / "a.tif", "tiff").write(0, VALUES[:2])
    again = opened(tmp_path / "a.tif", "tiff")
    again.write(2, VALUES[2:])
    again.finish()
    assert np.array_equal(tifffile.imread(tmp_path / "a.tif"), VALUES)


@pytest.mark.parametrize("format", FORMATS)
def test_who_is_killed_leaves_what_can_be_gone_on_with(tmp_path, format):
    program = f"""
import os, signal, numpy as np
from stend_tomo.writing import open_volume
values = np.random.default_rng(3).random({SHAPE}, np.float32)
volume = open_volume("a", {format!r}, {SHAPE}, pixel=0.01, window=(0.0, 1.0))
volume.write(0, values[:3])
place = volume._place
place.record = lambda written: os.kill(os.getpid(), signal.SIGKILL)
volume.write(3, values[3:5])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL
    again = opened(tmp_path / "a", format)
    assert again.written == 3
    again.write(3, VALUES[3:])
    again.finish()
    assert np.allclose(read_back(tmp_path / "a", format), VALUES, atol=1e-4)


@pytest.mark.parametrize("format", FORMATS)
def test_a_part_is_read_neither_as_a_volume_nor_as_a_scan(tmp_path, format):
    opened(tmp_path / "a", format).write(0, VALUES[:2])
    for attempt in (read_volume, read):
        with pytest.raises(ScanFileError, match="unfinished"):
            attempt(tmp_path / "a.unfinished")


@pytest.mark.parametrize("format", FORMATS)
def test_a_slab_of_no_slices_is_nothing_to_write(tmp_path, format):
    volume = opened(tmp_path / "a", format)
    volume.write(0, VALUES[:0])
    volume.write(0, VALUES)
    volume.write(len(VALUES), VALUES[:0])
    volume.finish()
    assert np.allclose(read_back(tmp_path / "a", format), VALUES, atol=1e-4)


def test_what_comes_from_elsewhere_is_not_gone_on_with(tmp_path):
    opened(tmp_path / "a", "hdf5", origin={"file": "a.h5"}).write(0, VALUES[:2])
    with pytest.raises(BadOption, match="other settings"):
        opened(tmp_path / "a", "hdf5", origin={"file": "b.h5"})
    assert opened(tmp_path / "a", "hdf5", origin={"file": "a.h5"}).written == 2


def test_what_has_taken_the_name_meanwhile_is_not_replaced(tmp_path):
    volume = opened(tmp_path / "a.h5", "hdf5")
    volume.write(0, VALUES)
    (tmp_path / "a.h5").write_bytes(b"another's")
    with pytest.raises(BadOption, match=r"a\.h5 was created meanwhile; the slices written are in "):
        volume.finish()
    assert (tmp_path / "a.h5").read_bytes() == b"another's"


def test_a_part_of_an_hdf5_file_is_sound_from_the_beginning(tmp_path):
    opened(tmp_path / "a.h5", "hdf5").write(0, VALUES[:2])
    with h5py.File(tmp_path / "a.h5.unfinished/output") as file:
        slices = file["entry/reconstruction/slices"][()]
    assert np.array_equal(slices[:2], VALUES[:2])


def test_another_order_or_size_of_slices_is_refused(tmp_path):
    volume = opened(tmp_path / "a.h5", "hdf5")
    with pytest.raises(BadOption, match="can't go to place 1: 0 of"):
        volume.write(1, VALUES[:1])
    with pytest.raises(BadOption, match="can't go to place 0"):
        volume.write(0, VALUES[:, 1:])
    with pytest.raises(BadOption, match="can't go to place 0"):
        volume.write(0, np.concatenate([VALUES, VALUES]))
    volume.write(0, VALUES[:0])
    assert volume.written == 0


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"pixel": 0.02, "spacing": 0.01}, "pixel"),
        ({"spacing": 0.02}, "spacing"),
        ({"unit": "HU"}, "unit"),
        ({"window": (0.0, 2.0)}, "window"),
        ({"bits": 8}, "bits"),
        ({"about": {"filter": "hann"}}, "filter"),
    ],
)
def test_what_was_begun_with_other_settings_is_not_gone_on_with(tmp_path, other, named):
    opened(tmp_path / "a", "png").write(0, VALUES[:1])
    before = files_of(tmp_path / "a.unfinished")
    said = rf"a\.unfinished was begun with other settings \({named}\).* over with resume=False"
    with pytest.raises(BadOption, match=said):
        opened(tmp_path / "a", "png", **other)
    assert files_of(tmp_path / "a.unfinished") == before


def test_a_journal_that_is_damaged_is_one_sentence(tmp_path):
    opened(tmp_path / "a", "png")
    journal = tmp_path / "a.unfinished/journal.json"
    plan = json.loads(journal.read_text())["plan"]
    texts = ["", "[]", "null", "[" * 100_000, '{"plan": 1}', '{"plan": [], "written": 0}']
    texts += [json.dumps({"plan": plan, "written": n}) for n in ("x", math.inf, -5, 7, True, 1.0)]
    texts += [json.dumps({"plan": plan | {key: None}, "written": 0}) for key in ("kept", "shape")]
    for text in texts:
        journal.write_text(text)
        with pytest.raises(BadOption, match=r"remove .*a\.unfinished to start over"):
            opened(tmp_path / "a", "png")


def test_two_processes_do_not_write_one_volume(tmp_path):
    volume = opened(tmp_path / "a", "tiff")
    program = f"""
from stend_tomo.writing import open_volume
open_volume("a", "tiff", {SHAPE}, pixel=0.01, window=(0.0, 1.0))
"""
    other = [sys.executable, "-c", program]
    done = subprocess.run(other, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert "BadOption: a is being written by another process." in done.stderr
    del volume
    assert subprocess.run(other, cwd=tmp_path, timeout=PATIENCE).returncode == 0


@pytest.mark.parametrize("format", FORMATS)
def test_of_two_calls_of_one_process_only_the_later_goes_on(tmp_path, format):
    earlier = opened(tmp_path / "a", format)
    earlier.write(0, 1 - VALUES[:2])
    later = opened(tmp_path / "a", format, resume=False)
    for attempt in (lambda: earlier.write(2, VALUES[2:]), earlier.finish):
        with pytest.raises(BadOption, match=r"by a later call of this process|2 of 6 slices"):
            attempt()
    later.write(0, VALUES)
    later.finish()
    assert np.allclose(read_back(tmp_path / "a", format), VALUES, atol=1e-4)


def test_a_call_that_is_refused_does_not_let_other_processes_in(tmp_path):
    volume = opened(tmp_path / "a", "tiff")
    volume.write(0, VALUES[:1])
    with pytest.raises(BadOption, match="other settings"):
        opened(tmp_path / "a", "tiff", pixel=0.02, spacing=0.02)
    program = f"from stend_tomo import open_volume; open_volume('a', 'tiff', {SHAPE}, pixel=0.01)"
    other = [sys.executable, "-c", program]
    done = subprocess.run(other, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert "is being written by another process" in done.stderr
    volume.write(1, VALUES[1:])
    volume.finish()


def test_a_stray_file_beside_it_does_not_keep_a_whole_volume_from_its_name(tmp_path):
    volume = opened(tmp_path / "a.h5", "hdf5")
    volume.write(0, VALUES)
    (tmp_path / "a.h5.unfinished/.nfs0001").write_bytes(b"")
    volume.finish()
    assert np.array_equal(read_back(tmp_path / "a.h5", "hdf5"), VALUES)


def test_a_window_that_follows_from_a_filter_is_not_asked_for(tmp_path):
    opened(tmp_path / "a", "png", about={"filter": "hann"}).write(0, VALUES[:1])
    with pytest.raises(BadOption, match=r"other settings \(filter\)"):
        opened(tmp_path / "a", "png", about={"filter": "ram-lak"}, window=(0.1, 1.0))


@pytest.mark.parametrize("planted", ["lock", "journal.json"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_planted_in_its_place_is_neither_used_nor_waited_for(tmp_path, planted, kind):
    precious, place = tmp_path / "precious", tmp_path / "a.unfinished" / planted
    precious.write_text("kept")
    place.parent.mkdir()
    place.symlink_to(precious) if kind == "link" else os.mkfifo(place)
    with pytest.raises(
        BadOption,
        match=r"is not a regular file; remove .*a\.unfinished to start "
        "over",
    ):
        opened(tmp_path / "a", "hdf5")
    assert precious.read_text() == "kept"


def test_a_link_or_another_users_folder_is_not_gone_on_with(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "a.unfinished").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadOption, match=r"a\.unfinished is not a folder"):
        opened(tmp_path / "a", "hdf5")
    assert not list((tmp_path / "elsewhere").iterdir())
    if os.geteuid() != 0:
        pytest.skip("giving a folder to another user takes root")
    (tmp_path / "b.unfinished").mkdir()
    os.chown(tmp_path / "b.unfinished", 65534, 65534)
    with pytest.raises(BadOption, match=r"b\.unfinished belongs to another user"):
        opened(tmp_path / "b", "hdf5")


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 200 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small file system takes root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


LARGE = (12, 96, 96)


@pytest.mark.parametrize("format", FORMATS)
def test_a_full_disk_is_one_sentence_and_marked(small_disk, format):
    values = np.random.default_rng(3).random(LARGE, np.float32)
    with pytest.raises(
        OutputError, match=r"^No space is left for .*a\. What was written is kept in"
    ):
        fill(small_disk / "a", format, values)
    assert [path.name for path in small_disk.iterdir()] == ["a.unfinished"]


@pytest.mark.parametrize("format", FORMATS)
def test_when_there_is_room_again_it_goes_on(small_disk, format):
    values = np.random.default_rng(3).random(LARGE, np.float32)
    with pytest.raises(OutputError):
        fill(small_disk / "a", format, values)
    subprocess.run(["mount", "-o", "remount,size=2m", str(small_disk)], check=True)
    fill(small_disk / "a", format, values)
    assert np.allclose(read_back(small_disk / "a", format), values, atol=1e-4)


def fill(path, format, values):
    volume = open_volume(path, format, LARGE, **SETTINGS)
    while volume.written < LARGE[0]:
        volume.write(volume.written, values[volume.written : volume.written + 1])
    volume.finish()


LIMITED = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from stend_tomo.errors import OutputError
from stend_tomo import Scan, read_volume
from stend_tomo.reading.frames import Chosen, Held
from stend_tomo.writing import write
from stend_tomo.writing.hdf5 import scan_file

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, resource.RLIM_INFINITY))
values = np.random.default_rng(3).random((12, 96, 96), np.float32)
for format in sys.argv[1:]:
    try:
        write(format, values, format=format, pixel=0.01, window=(0.0, 1.0))
    except OutputError as error:
        print(error)
try:
    with scan_file(Path("scan.h5"), 12) as file:
        file.write(Scan(Chosen.all(Held(values))))
except OutputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
write("again.h5", values, format="hdf5")
assert np.array_equal(read_volume("again.h5").slices.rows(0, 96), values)
"""


def test_a_limit_on_the_size_of_files_is_one_sentence_and_the_process_goes_on(tmp_path):
    program = [sys.executable, "-c", LIMITED, *FORMATS]
    done = subprocess.run(program, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [said.partition(".")[0] for said in done.stdout.splitlines()] == [
        f"No space is left for {name}" for name in (*FORMATS, "scan")
    ]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"again.h5", *(f"{format}.unfinished" for format in FORMATS)}


def test_of_two_calls_that_write_one_scan_the_second_is_refused(tmp_path):
    path = tmp_path / "scan.h5"
    with scan_file(path, 16) as first:
        with pytest.raises(BadOption, match=r"scan\.h5\.unfinished exists"), scan_file(path, 16):
            pass
        first.write(Scan(Chosen.all(Held(VALUES))))
    assert np.array_equal(read(path).projections.rows(0, 16), VALUES)
    with pytest.raises(OutputError, match="name too long"), scan_file(tmp_path / ("a" * 250), 6):
        pass


PLACES = [*dict.fromkeys(FORMATS, "a").items(), ("tiff", "a.tif")]


@pytest.mark.parametrize("harm", ["removed", "emptied"])
@pytest.mark.parametrize(("format", "name"), PLACES)
def test_slices_that_are_gone_are_missed(tmp_path, format, name, harm):
    opened(tmp_path / name, format).write(0, VALUES[:2])
    place = tmp_path / f"{name}.unfinished/output"
    last = max(path for path in (place, *place.rglob("*")) if path.is_file())
    last.unlink() if harm == "removed" else os.truncate(last, 0)
    with pytest.raises(BadOption, match=r"unfinished lacks slices that it had.* resume=False"):
        opened(tmp_path / name, format)
    assert opened(tmp_path / name, format, resume=False).written == 0


@pytest.mark.parametrize(("format", "name"), PLACES)
def test_what_is_counted_is_on_the_disk_with_its_names(tmp_path, monkeypatch, format, name):
    synchronised = {}

    def fsync(descriptor):
        told = os.fstat(descriptor)
        synchronised[told.st_ino] = told.st_mtime_ns

    monkeypatch.setattr(os, "fsync", fsync)
    volume = opened(tmp_path / name, format)
    for first in (0, 3):
        volume.write(first, VALUES[first : first + 3])
        for path in (tmp_path, *tmp_path.rglob("*")):
            told = path.stat()
            assert path.name == "lock" or synchronised.get(told.st_ino) == told.st_mtime_ns, path
    renamed = []
    monkeypatch.setattr("stend_tomo.writing.atomic_output.synchronise_folder", renamed.append)
    volume.finish()
    assert renamed == [tmp_path]
