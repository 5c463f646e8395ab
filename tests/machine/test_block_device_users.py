"""Whoever shares bytes with a device uses it, wherever in the stack of devices it stands."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machine.made_block_devices import Machine
from stend.machine.tree import Unreadable


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.disk("sda")
    made.partition("sda", 1)
    made.partition("sda", 2)
    made.disk("sdb")
    return made


def test_nobody_uses_what_nothing_names(machine: Machine) -> None:
    assert [machine.users(name) for name in ("sda", "sda1", "sdb")] == [(), (), ()]


def test_a_disk_is_used_while_a_partition_is_mounted_and_a_sibling_is_not(machine: Machine) -> None:
    machine.mount("/dev/sda1", r"/srv/my\040data")
    assert machine.users("sda") == machine.users("sda1")
    assert machine.users("sda") == ("/dev/sda1 is mounted at /srv/my data",)
    assert machine.users("sda2") == machine.users("sdb") == ()


def test_a_partition_is_used_while_its_disk_is_mounted(machine: Machine) -> None:
    machine.mount("/dev/sda", "/srv")
    assert machine.users("sda1") == ("/dev/sda is mounted at /srv",)


def test_what_another_container_mounted_is_used(machine: Machine) -> None:
    machine.mount("/dev/xvda", "/data", number=machine.numbers["sdb"], process="4711")
    assert machine.users("sdb") == ("/dev/sdb is mounted at /data",)


def test_a_filesystem_with_a_number_of_its_own_is_found_by_its_source(machine: Machine) -> None:
    machine.mount("/dev/sdb", "/srv", number=(0, 44), type_="btrfs")
    assert machine.users("sdb") == ("/dev/sdb is mounted at /srv",)


def test_the_number_counts_where_the_source_says_something_else(machine: Machine) -> None:
    """A container's /dev/sda1 is another device than ours."""
    machine.mount("/dev/sda1", "/data", number=machine.numbers["sdb"], process="4711")
    assert machine.users("sdb")
    assert machine.users("sda1") == ()


def test_every_member_of_a_mounted_btrfs_is_used(machine: Machine) -> None:
    machine.put("sys/fs/btrfs/1234/devices/sdb/size", "1")
    assert machine.users("sdb") == ("/dev/sdb is part of a mounted btrfs",)


def test_a_swap_partition_is_used(machine: Machine) -> None:
    machine.swap("/dev/sda2")
    assert machine.users("sda") == ("/dev/sda2 is used as swap",)


def test_a_volume_group_uses_its_disk_and_says_what_lies_on_it(machine: Machine) -> None:
    machine.over("dm-0", "sda2", dm__name="vg-data\n")
    machine.mount("/dev/dm-0", "/srv", number=machine.numbers["dm-0"])
    assert machine.users("sda") == (
        "/dev/sda2 is part of /dev/mapper/vg-data",
        "/dev/mapper/vg-data is mounted at /srv",
    )


def test_a_volume_may_be_free_while_its_sibling_is_mounted(machine: Machine) -> None:
    machine.over("dm-0", "sdb", dm__name="vg-data\n")
    machine.over("dm-1", "sdb", dm__name="vg-free\n")
    machine.mount("/dev/dm-0", "/srv")
    assert machine.users("dm-0")
    assert machine.users("dm-1") == ()


def test_every_level_of_a_deep_stack_is_used(machine: Machine) -> None:
    """A disk under md under dm-crypt under LVM."""
    machine.over("md0", "sda1", "sdb")
    machine.over("dm-0", "md0", dm__name="crypt\n")
    machine.over("dm-1", "dm-0", dm__name="vg-root\n")
    machine.mount("/dev/mapper/vg-root", "/", number=machine.numbers["dm-1"])
    for name in ("sda", "sda1", "sdb", "md0", "dm-0", "dm-1"):
        assert "/dev/mapper/vg-root is mounted at /" in machine.users(name)
    assert machine.users("sda2") == ()


def test_a_partition_of_a_disk_under_multipath_is_used(machine: Machine) -> None:
    machine.over("dm-0", "sda", dm__name="mpatha\n", dm__uuid="mpath-3600\n")
    assert machine.users("sda1") == ("/dev/sda is part of /dev/mapper/mpatha",)
    assert machine.users("dm-0") == ()


def test_a_mapping_is_used_while_a_partition_of_its_disk_is_mounted(machine: Machine) -> None:
    machine.over("dm-0", "sda", dm__name="mpatha\n")
    machine.mount("/dev/sda1", "/srv")
    assert machine.users("dm-0") == ("/dev/sda1 is mounted at /srv",)


def test_a_lun_is_used_while_another_path_of_it_is_mounted(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for name in ("sda", "sdb"):
        machine.disk(name, device__wwid="naa.6005")
        machine.partition(name, 1)
    machine.mount("/dev/sdb1", "/srv")
    for name in ("sda", "sda1", "sdb"):
        assert machine.users(name) == ("/dev/sdb1 is mounted at /srv",)


def test_a_loop_device_uses_the_device_under_it(machine: Machine) -> None:
    machine.disk("loop0", loop__backing_file="/dev/sdb\n")
    machine.mount("/dev/loop0", "/srv")
    assert machine.users("sdb") == (
        "/dev/loop0 is a loop device on /dev/sdb",
        "/dev/loop0 is mounted at /srv",
    )


def test_a_loop_device_on_a_mounted_disk_is_used(machine: Machine) -> None:
    machine.disk("loop0", loop__backing_file="/dev/sda1\n")
    machine.mount("/dev/sda", "/srv")
    assert "/dev/sda is mounted at /srv" in machine.users("loop0")


def test_a_loop_device_is_used_while_another_one_on_its_file_is_mounted(machine: Machine) -> None:
    for name in ("loop0", "loop1"):
        machine.disk(name, loop__backing_file="/srv/array.img\n")
    machine.mount("/dev/loop1", "/mnt")
    assert machine.users("loop0") == (
        "/dev/loop1 is a loop device on /srv/array.img, too",
        "/dev/loop1 is mounted at /mnt",
    )


def test_a_loop_device_on_a_disk_is_used_with_the_disk_s_partition(machine: Machine) -> None:
    machine.disk("loop0", loop__backing_file="/dev/sda\n")
    machine.mount("/dev/sda1", "/srv")
    assert machine.users("loop0") == ("/dev/sda1 is mounted at /srv",)
    assert "/dev/sda1 is mounted at /srv" in machine.users("sda")


@pytest.mark.parametrize(
    ("path", "by"),
    [
        ("sys/kernel/config/nvmet/subsystems/nqn.x/namespaces/1/device_path", "nvmet"),
        ("sys/kernel/config/target/core/iblock_0/lun0/udev_path", "LIO"),
        ("sys/kernel/scst_tgt/devices/disk1/filename", "SCST"),
    ],
)
def test_what_is_given_to_other_hosts_is_used(machine: Machine, path: str, by: str) -> None:
    machine.put(path, "/dev/sda2\n[key]\n")
    (said,) = machine.users("sda")
    assert said.startswith("/dev/sda2 is exported to other hosts by")
    assert by in said


def test_where_mounts_cannot_be_read_nobody_is_said_to_be_none(machine: Machine) -> None:
    (machine.folder / "proc/self/mountinfo").unlink()
    with pytest.raises(Unreadable, match="mountinfo"):
        machine.users("sdb")


def test_a_line_of_mounts_that_is_not_understood_is_not_passed_over(machine: Machine) -> None:
    machine.put("proc/self/mountinfo", "30 1 8:x / /srv rw - ext4 /dev/sdb rw\n")
    with pytest.raises(Unreadable, match="8:x"):
        machine.users("sdb")


@dataclass
class Storage:
    """A random stack: which units of which LUN each device consists of."""

    machine: Machine
    units: dict[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    """What something is built of: nothing else claims it."""


UNITS = 8


def disks(draw: st.DrawFn, storage: Storage) -> None:
    """Some of several paths, some with partitions."""
    letters = iter("abcdefgh")
    for lun in range(draw(st.integers(1, 3))):
        cut = draw(st.integers(0, UNITS))
        for _ in range(draw(st.sampled_from((1, 1, 2)))):
            name = storage.machine.disk(f"sd{next(letters)}", device__wwid=f"naa.{lun}")
            storage.units[name] = frozenset((lun, unit) for unit in range(UNITS))
            for number, (first, last) in enumerate(((0, cut), (cut, UNITS)), 1):
                if 0 < cut < UNITS:
                    part = storage.machine.partition(name, number)
                    storage.units[part] = frozenset((lun, u) for u in range(first, last))


def mappings(draw: st.DrawFn, storage: Storage) -> None:
    """Unions of free devices (md, dm-crypt), or volumes that share one out among them."""
    for number in range(draw(st.integers(0, 4))):
        free = sorted(name for name in storage.units if claimable(storage, name))
        if not free:
            return
        slaves = draw(st.lists(st.sampled_from(free), min_size=1, max_size=2, unique=True))
        if len(slaves) == 2 and storage.units[slaves[0]] & storage.units[slaves[1]]:
            slaves = slaves[:1]
        storage.held.update(slaves)
        whole = sorted(frozenset[tuple[int, int]]().union(*(storage.units[s] for s in slaves)))
        pieces = draw(st.sampled_from((1, 2))) if len(whole) > 1 else 1
        for piece in range(pieces):
            name = storage.machine.over(f"dm-{2 * number + piece}", *slaves)
            storage.units[name] = frozenset(whole[piece::pieces])


def loops(draw: st.DrawFn, storage: Storage) -> None:
    """A loop device on one of the devices, which claims nothing."""
    if draw(st.booleans()):
        under = draw(st.sampled_from(sorted(storage.units)))
        storage.machine.disk("loop0", loop__backing_file=f"/dev/{under}\n")
        storage.units["loop0"] = storage.units[under]


def claimable(storage: Storage, name: str) -> bool:
    """The kernel gives neither a disk of whose partitions one is held, nor one of a held disk."""
    related = {name, *(other for other in storage.units if other[:3] == name[:3] != "dm-")}
    siblings = {name, name[:3]} if len(name) > 3 and name[:2] == "sd" else related
    return not storage.held & siblings


@st.composite
def used_machines(draw: st.DrawFn) -> tuple[Storage, str, str]:
    """A machine, the one device that is used on it, and a target."""
    storage = Storage(Machine(Path(tempfile.mkdtemp(dir=FOLDER.name))))
    disks(draw, storage)
    loops(draw, storage)
    mappings(draw, storage)
    used, target = (draw(st.sampled_from(sorted(storage.units))) for _ in range(2))
    match draw(st.sampled_from(("mount", "elsewhere", "btrfs", "swap", "export"))):
        case "mount":
            storage.machine.mount(f"/dev/{used}", "/srv")
        case "elsewhere":
            number = storage.machine.numbers[used]
            storage.machine.mount("/dev/x", "/srv", number=number, process="77")
        case "btrfs":
            storage.machine.mount(f"/dev/{used}", "/srv", number=(0, 50), type_="btrfs")
        case "swap":
            storage.machine.swap(f"/dev/{used}")
        case _:
            place = "sys/kernel/scst_tgt/devices/d/filename"
            storage.machine.put(place, f"/dev/{used}\n")
    return storage, used, target


FOLDER = tempfile.TemporaryDirectory(prefix="stend-made-machines-")


@settings(max_examples=120)
@given(used_machines())
def test_what_shares_bytes_with_a_used_device_is_used_and_nothing_else_is(
    made: tuple[Storage, str, str],
) -> None:
    """Where a LUN has several paths, more is refused than has to be."""
    storage, used, target = made
    users = storage.machine.users(target)
    if storage.units[used] & storage.units[target]:
        assert users, (used, target, storage.units)
    elif one_path_each(storage) and not under_another(storage, target):
        assert users == ()


def one_path_each(storage: Storage) -> bool:
    disks = [next(iter(units))[0] for name, units in storage.units.items() if len(name) == 3]
    return len(set(disks)) == len(disks)


def under_another(storage: Storage, target: str) -> bool:
    """What a device is built of is used by it."""
    return any(
        name.startswith(("dm-", "loop")) and name != target and units & storage.units[target]
        for name, units in storage.units.items()
    )
