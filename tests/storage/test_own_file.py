"""Files of stend's own: whole before the load, gone after it, and nobody else's is ever removed."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from needed import needs
from stend.errors import BadValue, MeasuringError
from stend.storage.gates import claimed
from stend.storage.own_files import NAME, left_behind, own_file, random_name
from stend.storage.signatures import share_unwritten
from stend.storage.targets import resolve
from storage.loop_devices import backing, loop_device, mounted, ran

MIB = 1 << 20


def test_all_its_space_is_reserved_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / random_name()
    with own_file(path, 4 * MIB):
        found = path.stat()
        assert stat.S_IMODE(found.st_mode) == 0o600
        assert found.st_size == 4 * MIB
        assert found.st_blocks * 512 >= 4 * MIB
    assert not path.exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MeasuringError("no")])
def test_it_is_removed_however_the_load_ends(tmp_path: Path, error: BaseException) -> None:
    targets = resolve([str(tmp_path), str(tmp_path / "named")], 2 * MIB)

    def load() -> None:
        with claimed(targets, writing=True) as claim:
            claim.check()
            assert len(list(tmp_path.iterdir())) == 2
            raise error

    with pytest.raises(type(error)):
        load()
    assert list(tmp_path.iterdir()) == []


def test_what_takes_the_path_between_the_question_and_the_making_stays(tmp_path: Path) -> None:
    targets = resolve([str(tmp_path / "load")], 2 * MIB)
    (tmp_path / "load").write_text("somebody's")
    with pytest.raises(BadValue, match="File exists"), claimed(targets, writing=True):
        pass
    assert (tmp_path / "load").read_text() == "somebody's"


def test_what_is_put_in_its_place_stays_and_shuts_the_gate(tmp_path: Path) -> None:
    targets = resolve([str(tmp_path / "load")], 2 * MIB)
    with claimed(targets, writing=True) as claim:
        (tmp_path / "load").rename(tmp_path / "aside")
        (tmp_path / "load").write_text("somebody's")
        with pytest.raises(MeasuringError, match="replaced"):
            claim.check()
    assert (tmp_path / "load").read_text() == "somebody's"


def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with (
        pytest.raises(BadValue, match="File exists"),
        own_file(tmp_path / "link", 2 * MIB),
    ):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_disk_too_full_is_found_before_anything_is_written(tmp_path: Path) -> None:
    needs("mkfs.ext4", "e2fsprogs")
    image = backing(tmp_path / "image")
    ran("mkfs.ext4", "-q", str(image))
    folder = tmp_path / "mounted"
    with loop_device(image) as device, mounted(device, folder):
        path = folder / random_name()
        with pytest.raises(BadValue, match="No space left"), own_file(path, 64 * MIB):
            pass
        assert not path.exists()


LOAD = """
import os, sys
from stend.storage.gates import claimed
from stend.storage.targets import resolve
with claimed(resolve([sys.argv[1]], 2 << 20), writing=True):
    print("claimed", flush=True)
    sys.stdin.read()
"""


def loading(folder: Path) -> subprocess.Popen[bytes]:
    """A process with an own file in the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", LOAD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout
    assert process.stdout.readline() == b"claimed\n"
    return process


def test_what_a_killed_run_left_is_removed_by_the_next_and_what_lives_is_not(
    tmp_path: Path,
) -> None:
    alive, killed = loading(tmp_path), loading(tmp_path)
    try:
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert len(list(tmp_path.iterdir())) == 2
        with claimed(resolve([str(tmp_path)], 2 * MIB), writing=True) as claim:
            assert len(list(tmp_path.iterdir())) == 2
            assert "a killed run had left" in claim.remarks[0]
        assert len(list(tmp_path.iterdir())) == 1
    finally:
        alive.communicate()
    assert list(tmp_path.iterdir()) == []


def test_only_what_surely_was_ours_is_removed(tmp_path: Path) -> None:
    name = random_name()
    assert NAME.fullmatch(name)
    keep = {
        "stend-storage-old.tmp": "another name",
        f"x{name}": "a longer name",
        "linked": "has another name too",
    }
    for other, text in keep.items():
        (tmp_path / other).write_text(text)
    (tmp_path / random_name()).hardlink_to(tmp_path / "linked")
    (tmp_path / random_name()).symlink_to(tmp_path / "linked")
    (tmp_path / random_name()).mkdir()
    before = sorted(tmp_path.iterdir())
    assert left_behind(tmp_path) == ()
    assert sorted(tmp_path.iterdir()) == before
    (tmp_path / name).touch()
    with (tmp_path / name).open() as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        assert left_behind(tmp_path) == ()
    assert left_behind(tmp_path) == (name,)


def test_a_file_of_another_user_is_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / random_name()).touch()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert left_behind(tmp_path) == ()


def test_what_was_never_written_is_told_by_its_zeros(tmp_path: Path) -> None:
    file = backing(tmp_path / "file", 4 * MIB)
    assert share_unwritten(str(file), 4 * MIB) == 1.0
    with file.open("r+b") as opened:
        opened.write(os.urandom(2 * MIB))
        os.fsync(opened.fileno())
    share = share_unwritten(str(file), 4 * MIB)
    assert share is not None
    assert 0.2 < share < 0.8
    assert share_unwritten(str(file), 2 * MIB) == 0.0
    assert share_unwritten(str(tmp_path / "none"), 4 * MIB) is None
