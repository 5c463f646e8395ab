"""What may be a target, and what is refused before anything is made."""

import os
import socket
from pathlib import Path

import pytest

from machine.made_block_devices import Machine
from needed import needs
from stend.errors import BadValue
from stend.storage import targets as targets_room
from stend.storage.targets import resolve
from storage.loop_devices import backing, loop_device, mounted, partitioned, ran

MIB = 1 << 20


def refused(path: object, said: str, size: int = 4 * MIB) -> None:
    with pytest.raises(BadValue, match=said):
        resolve([str(path)], size)


def test_a_folder_gets_a_file_of_a_random_name_that_is_not_made_yet(tmp_path: Path) -> None:
    one, other = resolve([str(tmp_path)], 4 * MIB) + resolve([str(tmp_path)], 4 * MIB)
    assert one.own
    assert one.kind == one.record.kind == "file"
    assert Path(one.path).parent == Path(other.path).parent == tmp_path
    assert one.path != other.path
    assert one.bytes == 4 * MIB
    assert one.record.filesystem
    assert list(tmp_path.iterdir()) == []


def test_without_a_target_the_current_folder_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (target,) = resolve([], 4 * MIB)
    assert Path(target.path).parent == tmp_path


def test_a_path_where_nothing_is_becomes_an_own_file(tmp_path: Path) -> None:
    (target,) = resolve([str(tmp_path / "load")], 4 * MIB)
    assert (target.own, target.path) == (True, str(tmp_path / "load"))
    refused(tmp_path / "no" / "load", "no folder")


def test_a_file_that_exists_is_named_by_size_and_name(tmp_path: Path) -> None:
    file = backing(tmp_path / "data base.img", 2 * MIB)
    link = tmp_path / "link"
    link.symlink_to(file)
    (target,) = resolve([str(link)], 4 * MIB)
    assert (target.own, target.path, target.bytes) == (False, str(file), 2 * MIB)
    assert target.identity == f"{2 * MIB}+data_base.img"
    assert str(link) in target.said


def test_the_null_engine_is_a_target(tmp_path: Path) -> None:
    (target,) = resolve(["null"], 4 * MIB)
    assert (target.kind, target.path, target.bytes, target.own) == ("null", "null", 4 * MIB, False)
    for pair in (["null", str(tmp_path)], [str(tmp_path), "null"]):
        with pytest.raises(BadValue, match="name it without other targets"):
            resolve(pair, 4 * MIB)


@pytest.mark.parametrize("path", ["/dev/typo", "/dev/disk/by-id/typo", "/dev/shm/../typo"])
def test_a_mistyped_device_is_refused_and_nothing_is_made(path: str) -> None:
    refused(path, r"/dev/.*typo does not exist.*lsblk")
    assert not Path(path).exists()


@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_a_character_device_is_refused(path: str) -> None:
    refused(path, "character device")


def test_pipes_sockets_and_dangling_links_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "is a pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        refused(tmp_path / "socket", "is a socket")
    (tmp_path / "dangling").symlink_to("nowhere")
    refused(tmp_path / "dangling", "symbolic link to .*nowhere")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("path", ["/dev/shm", "/dev/shm/load", "/proc", "/sys"])
def test_memory_and_the_kernel_are_no_storage(path: str) -> None:
    refused(path, "not storage")


def test_a_file_in_memory_is_refused_wherever_it_is_mounted(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("mounting needs root")
    memory = tmp_path / "memory"
    memory.mkdir()
    ran("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(memory))
    try:
        refused(memory, "tmpfs .*memory, not storage")
        refused(backing(memory / "file", 2 * MIB), "tmpfs")
        (tmp_path / "link").symlink_to(memory)
        refused(tmp_path / "link", "tmpfs")
    finally:
        ran("umount", str(memory))


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2J", "a$HOME", "a;b", "a\\", "a "])
def test_names_that_a_job_file_would_take_for_something_else_are_refused(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(BadValue, match="rename") as refusal:
        resolve([str(tmp_path / name)], 4 * MIB)
    assert str(refusal.value).isprintable()


def test_an_empty_name_is_refused() -> None:
    refused("", "empty --target")


def test_a_tiny_target_is_refused(tmp_path: Path) -> None:
    refused(backing(tmp_path / "empty", 0), "has 0 bytes")
    refused(backing(tmp_path / "tiny", MIB - 1), "at least")
    refused(tmp_path, "at least", size=4096)


def test_a_folder_that_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets_room.os, "access", lambda path, mode: False)
    refused(tmp_path, "this user may not write to it")


def test_a_full_disk_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    needs("mkfs.ext4", "e2fsprogs")
    file = backing(tmp_path / "image")
    ran("mkfs.ext4", "-q", str(file))
    folder = tmp_path / "mounted"
    with loop_device(file) as device, mounted(device, folder):
        before = sorted(folder.iterdir())
        refused(folder, "bytes free", size=16 * MIB)
        with pytest.raises(BadValue, match="bytes free"):
            resolve([str(folder / name) for name in "ab"], 6 * MIB)
        assert sorted(folder.iterdir()) == before
        resolve([str(folder)], 6 * MIB)


def test_a_device_is_named_by_every_link_to_it(tmp_path: Path) -> None:
    with loop_device(backing(tmp_path / "array.img")) as device:
        (tmp_path / "by-id").symlink_to(device)
        (target,) = resolve([str(tmp_path / "by-id")], 4 * MIB)
    assert (target.kind, target.path, target.bytes) == ("block device", device, 16 * MIB)
    assert target.identity == f"{16 * MIB}+array.img"
    assert target.said == f"{device} ({tmp_path / 'by-id'})"


def test_the_same_storage_is_no_two_targets(tmp_path: Path) -> None:
    file = backing(tmp_path / "array.img")
    with partitioned(file) as (disk, part):
        (tmp_path / "link").symlink_to(disk)
        for pair in (
            [disk, str(tmp_path / "link")],
            [disk, part],
            [str(file), disk],
            [str(file), str(file)],
        ):
            with pytest.raises(BadValue, match="same storage"):
                resolve(pair, 4 * MIB)


def test_a_file_and_the_device_that_it_lies_on_are_no_two_targets(tmp_path: Path) -> None:
    needs("mkfs.ext4", "e2fsprogs")
    image = backing(tmp_path / "image")
    ran("mkfs.ext4", "-q", str(image))
    folder = tmp_path / "mounted"
    with (
        loop_device(image) as device,
        mounted(device, folder),
        pytest.raises(BadValue, match="one is on the other"),
    ):
        resolve([str(folder), device], 4 * MIB)


def test_a_drive_without_a_medium_is_refused(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    machine.disk("sr0", sectors=0)
    with loop_device(backing(tmp_path / "image")) as device:
        machine.renumber("sr0", number(device))
        with pytest.raises(BadValue, match="0 bytes: there is no medium"):
            resolve([device], 4 * MIB, tree=machine.tree)


def test_a_device_is_named_by_its_serial_where_it_has_one(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    machine.disk("sda", sectors=32768, serial="ZC 1A\n", device__model="ST4000NM\n")
    with loop_device(backing(tmp_path / "image")) as device:
        machine.renumber("sda", number(device))
        (target,) = resolve([device], 4 * MIB, tree=machine.tree)
    assert target.identity == "ZC_1A"
    assert (target.record.serial, target.record.model) == ("ZC 1A", "ST4000NM")


def test_loop_devices_on_one_file_of_two_names_are_no_two_targets(tmp_path: Path) -> None:
    file, name = backing(tmp_path / "array.img"), tmp_path / "name"
    name.hardlink_to(file)
    with loop_device(file) as one, loop_device(name) as other:
        for pair in ([one, other], [one, str(name)], [str(file), other]):
            with pytest.raises(BadValue, match="same storage"):
                resolve(pair, 4 * MIB)


def test_two_paths_of_one_lun_are_no_two_targets(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    files = [backing(tmp_path / name) for name in ("one", "other")]
    with loop_device(files[0]) as one, loop_device(files[1]) as other:
        for name, device in (("sda", one), ("sdb", other)):
            machine.disk(name, sectors=32768, device__wwid="naa.6005")
            machine.renumber(name, number(device))
        with pytest.raises(BadValue, match="same storage"):
            resolve([one, other], 4 * MIB, tree=machine.tree)


def number(device: str) -> tuple[int, int]:
    found = Path(device).stat().st_rdev
    return os.major(found), os.minor(found)


def test_a_device_that_the_kernel_does_not_list_is_refused(tmp_path: Path) -> None:
    with (
        loop_device(backing(tmp_path / "image")) as device,
        pytest.raises(BadValue, match="which the kernel doesn't have"),
    ):
        resolve([device], 4 * MIB, tree=Machine(tmp_path / "machine").tree)


def test_a_file_that_cannot_be_read_past_the_page_cache_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backing(tmp_path / "file", 2 * MIB)
    monkeypatch.setattr(targets_room, "why_not_direct", lambda path: "Invalid argument")
    refused(file, "O_DIRECT .Invalid argument")
    (target,) = resolve([str(file)], 4 * MIB, direct=False)
    assert target.path == str(file)
