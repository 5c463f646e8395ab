"""What a block device is, and what tells it from all others."""

from pathlib import Path

import pytest

from machine.made_block_devices import Machine
from machine.made_trees import made
from stend.machine.block_devices import model, moved, serial, twins


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def serial_of(machine: Machine, name: str) -> str | None:
    devices = machine.devices
    return serial(machine.tree, devices, devices.by_name[name])


def page_80(text: bytes) -> bytes:
    return b"\x00\x80" + len(text).to_bytes(2, "big") + text


def test_size_number_and_partitions_are_told(machine: Machine) -> None:
    machine.disk("sda", 4096)
    machine.partition("sda", 2, 1024)
    disk, part = (machine.devices.by_name[name] for name in ("sda", "sda2"))
    assert (disk.bytes, disk.partitions, disk.whole) == (4096 * 512, ("sda2",), None)
    assert (part.bytes, part.partition, part.whole) == (1024 * 512, 2, "sda")
    assert machine.devices.by_number[part.number] == part


@pytest.mark.parametrize(
    ("stat", "bytes_"),
    [
        ("   10  0  16 3 5 0 40 7 0 9 9 0 0 0 0 0 0", (16 + 40) * 512),
        ("0 0 0 0 0 0 0 0 0 0 0", None),  # as a device that the kernel keeps no account of
        ("10 0", None),
        ("", None),
    ],
)
def test_what_a_device_moved_is_known_where_the_kernel_counts(tmp_path, stat, bytes_) -> None:
    tree = made(tmp_path, {"/sys/dev/block/8:16/stat": f"{stat}\n"})
    assert moved(tree, (8, 16)) == bytes_


def test_a_device_is_found_by_every_name_that_proc_writes(machine: Machine) -> None:
    machine.disk("sda")
    machine.disk("cciss!c0d0")
    machine.over("dm-0", "sda", dm__name="vg-data\n")
    devices = machine.devices
    found = [
        devices.of_path(path) for path in ("/dev/sda", "/dev/cciss/c0d0", "/dev/mapper/vg-data")
    ]
    assert [one and one.name for one in found] == ["sda", "cciss!c0d0", "dm-0"]
    assert devices.of_path("sda") is None
    assert devices.of_path("/dev/sdb") is None


def test_a_hidden_path_of_an_nvme_device_is_none(machine: Machine) -> None:
    machine.disk("nvme0c0n1", hidden="1\n")
    machine.disk("nvme0n1", hidden="0\n")
    assert list(machine.devices.by_name) == ["nvme0n1"]


def test_a_loop_device_tells_its_file_even_where_that_is_gone(machine: Machine) -> None:
    machine.disk("loop0", loop__backing_file="/srv/array.img (deleted)\n")
    device = machine.devices.by_name["loop0"]
    assert device.backing_file == "/srv/array.img"
    assert model(machine.tree, device) == "loop device on /srv/array.img"


@pytest.mark.parametrize(
    ("name", "files", "expected"),
    [
        ("vda", {"serial": "VIRT 1\n"}, "VIRT 1"),
        ("nvme0n1", {"device__serial": "S4EVNX0R  \n", "wwid": "eui.1"}, "S4EVNX0R"),
        ("sda", {"device__vpd_pg80": page_80(b"  ZC1ABCDE"), "device__wwid": "naa.5"}, "ZC1ABCDE"),
        ("sda", {"device__vpd_pg80": b"\x00\x83\x00\x02AB", "device__wwid": "naa.5"}, "naa.5"),
        ("sda", {"device__vpd_pg80": b"\x00", "device__wwid": "naa.5"}, "naa.5"),
        ("sda", {"device__vpd_pg80": page_80(b"    "), "device__wwid": "naa.5"}, "naa.5"),
        ("mmcblk0", {"device__serial": "0x1234\n"}, "0x1234"),
        ("dm-3", {"dm__uuid": "mpath-3600508b400105e21\n"}, "3600508b400105e21"),
        ("dm-3", {"dm__uuid": "LVM-abc\n", "dm__name": "vg-lv"}, None),
        ("vdb", {}, None),
    ],
)
def test_the_serial_is_found_where_each_kind_keeps_it(
    machine: Machine, name: str, files: dict[str, str | bytes], expected: str | None
) -> None:
    machine.disk(name, **files)
    assert serial_of(machine, name) == expected


def test_udev_knows_the_serial_of_a_usb_disk(machine: Machine) -> None:
    machine.disk("sdb")
    number = "{}:{}".format(*machine.numbers["sdb"])
    machine.put(f"run/udev/data/b{number}", "S:disk/by-id/x\nE:ID_SERIAL_SHORT=0014\nG:systemd\n")
    assert serial_of(machine, "sdb") == "0014"


def test_a_partition_is_not_named_as_its_disk(machine: Machine) -> None:
    machine.disk("sda", serial="S1")
    machine.partition("sda", 3)
    assert (serial_of(machine, "sda"), serial_of(machine, "sda3")) == ("S1", "S1-part3")


def test_luns_that_share_the_serial_of_their_array_are_told_apart(machine: Machine) -> None:
    """Page 80h of some arrays holds the array's number."""
    for name, wwid in (("sda", "naa.1"), ("sdb", "naa.2")):
        machine.disk(name, device__vpd_pg80=page_80(b"CKM00"), device__wwid=wwid)
    assert [serial_of(machine, name) for name in ("sda", "sdb")] == ["naa.1", "naa.2"]


def test_paths_of_one_lun_are_twins_and_its_neighbours_are_not(machine: Machine) -> None:
    for name, wwid in (("sda", "naa.1"), ("sdb", "naa.1"), ("sdc", "naa.2"), ("vda", "")):
        machine.disk(name, device__wwid=wwid)
    devices = machine.devices
    found = {
        name: [twin.name for twin in twins(machine.tree, devices, device)]
        for name, device in devices.by_name.items()
    }
    assert found == {"sda": ["sdb"], "sdb": ["sda"], "sdc": [], "vda": []}


def test_a_device_without_any_facts_still_has_a_name_for_a_model(machine: Machine) -> None:
    machine.disk("vdb")
    machine.disk("md127", md__level="raid5\n")
    machine.disk("sda", device__model="ST4000NM  \n")
    models = [model(machine.tree, machine.devices.by_name[n]) for n in ("vdb", "md127", "sda")]
    assert models == ["vdb", "md127-raid5", "ST4000NM"]
