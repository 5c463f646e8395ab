"""Nobody's data is destroyed: each gate shut in turn, on real devices, with nothing written."""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from machine.made_block_devices import Machine
from needed import needs
from stend.errors import BadValue, MeasuringError, SetupError
from stend.storage import signatures as signatures_room
from stend.storage.gates import claimed
from stend.storage.targets import resolve
from storage.loop_devices import (
    backing,
    checksum,
    loop_device,
    mounted,
    partitioned,
    put,
    ran,
)
from storage.signed import SIGNED, ext4

MIB = 1 << 20
IDENTITY = f"{16 * MIB}+array.img"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return backing(tmp_path / "array.img")


def write(path: str, destroy: Sequence[str] = (IDENTITY,), overwrite: Sequence[str] = ()) -> None:
    """Pass the gates, and do there what fio would do."""
    with claimed(
        resolve([path], 4 * MIB), writing=True, destroy=destroy, overwrite=overwrite
    ) as claim:
        claim.check()
        with Path(path).open("r+b") as target:
            target.seek(0)
            target.write(b"destroyed" * 1000)


def refused(path: str, said: str, *destroy: str, overwrite: Sequence[str] = ()) -> str:
    with pytest.raises(BadValue, match=said) as refusal:
        write(path, destroy or (IDENTITY,), overwrite)
    return str(refusal.value)


@pytest.mark.parametrize("name", SIGNED)
def test_what_is_known_on_a_device_is_not_overwritten_unless_it_was_named(
    file: Path, name: str
) -> None:
    SIGNED[name](file)
    before = checksum(file)
    with loop_device(file) as device:
        said = refused(device, f"holds .*{name}.*--overwrite={name}")
        refused(device, "holds", overwrite=["another"])
        assert checksum(file) == before
        names = [word.split("=")[1] for word in said.split() if word.startswith("--overwrite=")]
        write(device, overwrite=names)
    assert checksum(file) != before


def test_a_signature_on_a_partition_shuts_the_whole_disk(file: Path) -> None:
    needs("mkfs.ext4", "e2fsprogs")
    with partitioned(file) as (disk, part):
        ran("mkfs.ext4", "-q", part)
        before = checksum(file)
        refused(disk, f"{part} holds ext4", overwrite=["gpt", "PMBR"])
        assert checksum(file) == before


def test_only_what_it_is_opens_a_device_for_writing(file: Path) -> None:
    before = checksum(file)
    with loop_device(file) as device:
        bare = refused(device, f"add --destroy={re.escape(IDENTITY)}$", "WRONG")
        assert "WRONG names something else" in bare
        assert f"{16 * MIB:,} bytes, loop device on {file}" in bare
        assert "all zeros" in bare
        with pytest.raises(BadValue, match="add --destroy"):
            write(device, destroy=())
        refused(device, "names no target", IDENTITY, "ANOTHER")
        assert checksum(file) == before
        write(device)
    assert checksum(file) != before


def test_what_to_type_is_said_at_once(file: Path) -> None:
    ext4(file)
    with loop_device(file) as device:
        refused(
            device, f"on it is ext4.*add --destroy={re.escape(IDENTITY)} --overwrite=ext4$", "WRONG"
        )


def test_a_file_that_exists_is_written_only_by_its_name_too(tmp_path: Path, file: Path) -> None:
    before = checksum(file)
    refused(str(file), f"add --destroy={re.escape(IDENTITY)}", "x")
    assert checksum(file) == before
    write(str(file))
    assert checksum(file) != before


def test_a_mounted_device_is_refused_under_every_name(tmp_path: Path, file: Path) -> None:
    ext4(file)
    (tmp_path / "link").symlink_to("other")
    with loop_device(file) as device, mounted(device, tmp_path / "folder"):
        (tmp_path / "other").symlink_to(device)
        for name in (device, str(tmp_path / "link")):
            refused(name, f"{device} is mounted at {tmp_path}/folder", overwrite=["ext4"])
        refused(str(file), f"{device} is a loop device on", overwrite=["ext4"])


def test_a_disk_is_refused_while_its_partition_is_mounted_though_fio_would_write(
    tmp_path: Path, file: Path
) -> None:
    """fio looks for the exact name in /proc/mounts (lib/mountcheck.c)."""
    needs("mkfs.ext4", "e2fsprogs")
    fio = needs("fio", "fio")
    with partitioned(file) as (disk, part):
        ran("mkfs.ext4", "-q", part)
        with mounted(part, tmp_path / "folder"):
            allowed = ["gpt", "PMBR", "ext4"]
            refused(disk, f"{part} is mounted", overwrite=allowed)
            refused(part, f"{part} is mounted", overwrite=allowed)
            # The last sectors of the disk are beyond the partition: nothing is hurt.
            job = [f"--filename={disk}", "--offset=14m", "--size=64k", "--rw=write", "--bs=4k"]
            said = ran(fio, "--name=x", *job, "--direct=1", "--output-format=json")
            assert json.loads(said)["jobs"][0]["write"]["io_bytes"] == 65536


def test_what_another_program_has_open_is_refused(file: Path) -> None:
    """As a virtual machine has its disk: without O_EXCL, so that the kernel doesn't mind."""
    with loop_device(file) as device, opened_elsewhere(device) as one, opened_elsewhere(str(file)):
        refused(device, rf"is open in python.* \(process {one}\); {file} is open in python")


def test_what_another_program_holds_is_refused(file: Path) -> None:
    """As a mount that can't be seen holds it. Own children are passed over: the kernel is not."""
    with loop_device(file) as device:
        held = os.open(device, os.O_RDONLY | os.O_EXCL)
        try:
            refused(device, "the kernel refuses exclusive access")
        finally:
            os.close(held)


def test_what_another_program_has_locked_is_refused(file: Path) -> None:
    with loop_device(file) as device, Path(device).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        refused(device, "another program has locked it")


OPEN = """
import os, sys
os.open(sys.argv[1], os.O_RDONLY)
print(os.getpid(), flush=True)
sys.stdin.read()
"""


@contextmanager
def opened_elsewhere(path: str) -> Iterator[int]:
    """A process that has it open and is no child of ours: its number."""
    shell = subprocess.Popen(
        ["sh", "-c", 'exec 3<&0; "$0" -c "$1" "$2" <&3 &', sys.executable, OPEN, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert shell.stdin
    assert shell.stdout
    process = int(shell.stdout.readline())
    shell.wait()
    try:
        yield process
    finally:
        shell.communicate()


def test_a_file_that_another_program_has_open_is_refused(file: Path) -> None:
    with file.open("rb"):
        refused(str(file), "another program has it open")


def test_nobody_can_mount_what_is_claimed_and_fio_can_write_it(tmp_path: Path, file: Path) -> None:
    fio = needs("fio", "fio")
    ext4(file)
    (tmp_path / "folder").mkdir()
    with loop_device(file) as device:
        targets = resolve([device], 4 * MIB)
        with claimed(targets, writing=True, destroy=[IDENTITY], overwrite=["ext4"]) as claim:
            claim.check()
            mount = ["mount", device, str(tmp_path / "folder")]
            assert subprocess.run(mount, capture_output=True, check=False).returncode
            job = [f"--filename={device}", "--size=64k", "--rw=write", "--allow_file_create=0"]
            ran(fio, "--name=x", *job, "--direct=1", "--output-format=json")
            claim.check()


def test_a_path_of_a_multipath_device_is_refused(tmp_path: Path, file: Path) -> None:
    """What sysfs says is recorded, the device is real."""
    machine = Machine(tmp_path / "machine")
    machine.disk("sda", sectors=32768, serial="S1")
    machine.over("dm-0", "sda", dm__name="mpatha\n", dm__uuid="mpath-36005\n")
    before = checksum(file)
    with loop_device(file) as device:
        found = Path(device).stat().st_rdev
        machine.renumber("sda", (os.major(found), os.minor(found)))
        targets = resolve([device], 4 * MIB, tree=machine.tree)
        with (
            pytest.raises(BadValue, match=f"{device} is in use.*is part of /dev/mapper/mpatha"),
            claimed(targets, writing=True, destroy=["S1"], tree=machine.tree),
        ):
            pass
    assert checksum(file) == before


def test_a_read_only_device_is_refused_for_writing_alone(file: Path) -> None:
    with loop_device(file, "-r") as device:
        refused(device, "read-only")
        with claimed(resolve([device], 4 * MIB), writing=False) as claim:
            claim.check()


def test_a_mounted_device_may_be_read_and_the_user_is_told(tmp_path: Path, file: Path) -> None:
    ext4(file)
    with (
        loop_device(file) as device,
        mounted(device, tmp_path / "folder"),
        claimed(resolve([device], 4 * MIB), writing=False) as claim,
    ):
        claim.check()
    assert "is mounted at" in claim.remarks[0]


def test_two_targets_that_one_name_would_open_are_refused(tmp_path: Path) -> None:
    files = [backing(tmp_path / folder / "array.img") for folder in made(tmp_path, "a", "b")]
    with loop_device(files[0]) as one, loop_device(files[1]) as other:
        targets = resolve([one, other], 4 * MIB)
        with (
            pytest.raises(BadValue, match="matches two targets"),
            claimed(targets, writing=True, destroy=[IDENTITY]),
        ):
            pass


def made(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).mkdir()
    return list(names)


def test_every_written_target_needs_a_name_of_its_own(tmp_path: Path) -> None:
    files = [backing(tmp_path / name) for name in ("one.img", "other.img")]
    with loop_device(files[0]) as one, loop_device(files[1]) as other:
        targets = resolve([one, other], 4 * MIB)
        names = [target.identity for target in targets]
        with (
            pytest.raises(BadValue, match=r"add --destroy=\d+\+other.img"),
            claimed(targets, writing=True, destroy=names[:1]),
        ):
            pass
        with claimed(targets, writing=True, destroy=names) as claim:
            claim.check()


def test_a_signature_that_appears_before_the_start_shuts_the_gate(file: Path) -> None:
    with (
        loop_device(file) as device,
        claimed(resolve([device], 4 * MIB), writing=True, destroy=[IDENTITY]) as claim,
    ):
        claim.check()
        put(Path(device), (0, b"LUKS\xba\xbe\x00\x01"))
        with pytest.raises(MeasuringError, match=r"crypto_LUKS.*right before the start"):
            claim.check()


def test_who_opens_a_device_before_the_start_shuts_the_gate(file: Path) -> None:
    with (
        loop_device(file) as device,
        claimed(resolve([device], 4 * MIB), writing=True, destroy=[IDENTITY]) as claim,
    ):
        claim.check()
        with (
            opened_elsewhere(device) as process,
            pytest.raises(MeasuringError, match=rf"process {process}\).*right before the start"),
        ):
            claim.check()


def test_who_opens_a_file_before_the_start_shuts_the_gate(file: Path) -> None:
    with claimed(resolve([str(file)], 4 * MIB), writing=True, destroy=[IDENTITY]) as claim:
        claim.check()
        with file.open("rb"), pytest.raises(MeasuringError, match="another program has it open"):
            claim.check()


@pytest.mark.parametrize("when", ["before the claim", "after it"])
def test_a_path_that_becomes_another_thing_is_refused(tmp_path: Path, when: str) -> None:
    """The link is turned to another device, as udev turns it when a disk is plugged in anew."""
    files = [backing(tmp_path / name) for name in ("one.img", "other.img")]
    link = tmp_path / "link"
    before = [checksum(file) for file in files]
    with loop_device(files[0]) as one, loop_device(files[1]) as other:
        link.symlink_to(one)
        targets = resolve([str(link)], 4 * MIB)
        names = [targets[0].identity]
        if when == "before the claim":
            turn(link, other)
            with (
                pytest.raises(BadValue, match="replaced"),
                claimed(targets, writing=True, destroy=names),
            ):
                pass
        else:
            with claimed(targets, writing=True, destroy=names) as claim:
                turn(link, other)
                with pytest.raises(MeasuringError, match="replaced"):
                    claim.check()
    assert [checksum(file) for file in files] == before


def turn(link: Path, other: str) -> None:
    link.unlink()
    link.symlink_to(other)


def test_a_file_that_shrinks_is_refused(file: Path) -> None:
    """fio removes a file that is too short for a job, and makes it anew."""
    with claimed(resolve([str(file)], 4 * MIB), writing=False) as claim:
        claim.check()
        os.truncate(file, 8 * MIB)
        with pytest.raises(MeasuringError, match=r"shrank from 16,777,216 to 8,388,608"):
            claim.check()


def test_a_device_is_written_by_root_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with loop_device(file) as device, monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 1000)
        refused(device, "only by root")


def test_a_job_that_leads_elsewhere_never_starts(tmp_path: Path, file: Path) -> None:
    with claimed(resolve([str(file), str(tmp_path)], 4 * MIB), writing=False) as claim:
        own = claim.targets[1].path
        claim.check(f"[a]\nrw=read\nfilename={file}\n[b]\nrw=write\nfilename={own}\n")
        with pytest.raises(MeasuringError, match="only read"):
            claim.check(f"[a]\nrw=write\nfilename={file}:{own}\n")
        with pytest.raises(MeasuringError, match="is not a target"):
            claim.check("[a]\nrw=read\nfilename=/dev/sda\n")


def test_a_file_that_is_replaced_by_a_link_is_refused(tmp_path: Path, file: Path) -> None:
    targets = resolve([str(file)], 4 * MIB)
    file.rename(tmp_path / "aside")
    file.symlink_to(tmp_path / "aside")
    with (
        pytest.raises(BadValue, match="can't be opened"),
        claimed(targets, writing=True, destroy=[IDENTITY]),
    ):
        pass


def test_a_device_that_cannot_be_read_at_its_ends_is_refused(file: Path) -> None:
    """blkid takes for empty what it can't read: here the file under the device has shrunk."""
    with loop_device(file) as device:
        os.truncate(file, 2 * MIB)
        refused(device, "can't be read at its ends")


def test_a_tool_that_fails_shuts_the_gate(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    with loop_device(file) as device:
        for tool, script in (
            ("wipefs", "exit 1"),
            ("wipefs", "echo '{'"),
            ("wipefs", "echo warning >&2"),
            ("blkid", "exit 4"),
            ("blkid", "echo trouble >&2; exit 2"),
            ("blkid", "exit 8"),
        ):
            (tools / tool).write_text(f"#!/bin/sh\n{script}\n")
            (tools / tool).chmod(0o755)
            refused(device, "nothing is written")
            (tools / tool).unlink()
        write(device)


def test_a_tool_that_is_not_there_is_asked_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with loop_device(file) as device, monkeypatch.context() as patch:
        patch.setattr(signatures_room, "SBIN", "")
        patch.setenv("PATH", "")
        with pytest.raises(SetupError, match="apt-get install util-linux"):
            write(device)


def test_each_tool_alone_is_believed(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ext4(file)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    with loop_device(file) as device:
        for blind, script in (("wipefs", "exit 0"), ("blkid", "exit 2")):
            (tools / blind).write_text(f"#!/bin/sh\n{script}\n")
            (tools / blind).chmod(0o755)
            refused(device, "holds ext4")
            (tools / blind).unlink()
