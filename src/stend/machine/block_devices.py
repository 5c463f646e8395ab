"""Block devices with their partitions and stacks, by /sys/block.

A name is the kernel's (sda1, dm-0); a device number is a pair (major, minor), which is what a
device *is*: paths are only names of it. Facts that tell one device from another (serial, model)
are read when asked for.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from stend.machine.tree import Tree, Unreadable, integer, known, printable
from stend.record import Disk

BLOCK = "/sys/block"
SECTOR = 512
"""/sys/block/*/size counts in 512 bytes whatever the device's sector is."""
"""/sys/block/*/size counts in 512 bytes whatever the device's sector is."""

Number = tuple[int, int]


@dataclass(frozen=True)
class BlockDevice:
    """One whole device or partition."""

    name: str
    folder: str
    """Where sysfs describes it."""
    number: Number
    bytes: int
    read_only: bool
    removable: bool
    whole: str | None
    """Of a partition: the device that it is a part of."""
    partition: int | None
    partitions: tuple[str, ...]
    holders: tuple[str, ...]
    """What the kernel built upon it: dm (LVM, multipath, dm-crypt), md, bcache, DRBD…"""
    slaves: tuple[str, ...]
    """What it is built of."""
    backing_file: str | None
    """Of a loop device."""
    mapped: str | None
    """The name that device-mapper gives it: /dev/mapper/NAME."""

    @property
    def node(self) -> str:
        """Its path; sysfs writes `!` where a name has a slash (cciss!c0d0)."""
        return "/dev/" + self.name.replace("!", "/")

    @property
    def said(self) -> str:
        """Its path as a person knows it."""
        return f"/dev/mapper/{self.mapped}" if self.mapped else self.node


@dataclass(frozen=True)
class BlockDevices:
    """All of a machine's, by name, as they were at one moment."""

    tree: Tree
    by_name: dict[str, BlockDevice]
    by_number: dict[Number, BlockDevice] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index them."""
        self.by_number.update((device.number, device) for device in self.by_name.values())

    def of_path(self, path: str) -> BlockDevice | None:
        """The device of a path such as /proc writes it (/dev/sda1, /dev/mapper/vg-lv)."""
        if not path.startswith("/"):
            return None
        if self.tree.live and (number := number_of(path)):
            return self.by_number.get(number)
        name = path.removeprefix("/dev/")
        mapped = path.removeprefix("/dev/mapper/")
        for device in self.by_name.values():
            if device.node == path or device.name == name or device.mapped == mapped:
                return device
        return None

    def whole_of(self, device: BlockDevice) -> BlockDevice:
        """The device itself, or the one that it is a partition of."""
        return self.by_name[device.whole] if device.whole else device

    def loops_on(self, device: BlockDevice) -> Iterator[BlockDevice]:
        """Loop devices whose backing file is the device: the kernel calls them no holders."""
        for other in self.by_name.values():
            if other.backing_file and self.of_path(other.backing_file) == device:
                yield other


def number_of(path: str) -> Number | None:
    """The device number of a block device's path; None for everything else."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISBLK(found.st_mode):
        return None
    return os.major(found.st_rdev), os.minor(found.st_rdev)


def block_devices(tree: Tree) -> BlockDevices:
    """What /sys/block lists; Unreadable where it can't be listed.

    A device that goes away meanwhile, and a hidden path of an NVMe device (which has no node),
    are left out.
    """
    found: dict[str, BlockDevice] = {}
    for name in tree.names(BLOCK):
        folder = f"{BLOCK}/{name}"
        if known(tree.integer, f"{folder}/hidden") == 1 or not tree.has(f"{folder}/dev"):
            continue
        parts = tuple(
            n for n in known(tree.names, folder) or () if tree.has(f"{folder}/{n}/partition")
        )
        if whole := known(_device, tree, folder, None, parts):
            found[name] = whole
            for part in parts:
                if device := known(_device, tree, f"{folder}/{part}", name, ()):
                    found[part] = device
    return BlockDevices(tree, found)


def _device(tree: Tree, folder: str, whole: str | None, partitions: tuple[str, ...]) -> BlockDevice:
    return BlockDevice(
        name=folder.rpartition("/")[2],
        folder=folder,
        number=_number(tree, f"{folder}/dev"),
        bytes=tree.integer(f"{folder}/size") * SECTOR,
        read_only=known(tree.integer, f"{folder}/ro") == 1,
        removable=known(tree.integer, f"{folder}/removable") == 1,
        whole=whole,
        partition=known(tree.integer, f"{folder}/partition"),
        partitions=partitions,
        holders=_listed(tree, f"{folder}/holders"),
        slaves=_listed(tree, f"{folder}/slaves"),
        backing_file=known(_file, tree, f"{folder}/loop/backing_file"),
        mapped=known(tree.line, f"{folder}/dm/name"),
    )


def _number(tree: Tree, path: str) -> Number:
    major, _, minor = tree.line(path).partition(":")
    return integer(major, path), integer(minor, path)


def _listed(tree: Tree, path: str) -> tuple[str, ...]:
    return tuple(tree.names(path)) if tree.has(path) else ()


def _file(tree: Tree, path: str) -> str:
    """A name may hold anything; the kernel ends it by a line break and, if it is gone, says so."""
    return tree.text(path).removesuffix("\n").removesuffix(" (deleted)")


def serial(tree: Tree, devices: BlockDevices, device: BlockDevice) -> str | None:
    """What tells the device from all others, as its maker wrote it; of a partition with `-partN`.

    The serial number; where another device has the same (an array's LUNs in VPD page 80h, the
    namespaces of one NVMe controller) the world-wide name, which each has for its own.
    """
    whole = devices.whole_of(device)
    found = _own_serial(tree, whole)
    name = world_wide_name(tree, whole)
    if found and name and _shared(tree, devices, found, name):
        found = name
    found = found or name
    if not found:
        return None
    return f"{found}-part{device.partition}" if device.whole else found


def twins(tree: Tree, devices: BlockDevices, device: BlockDevice) -> Iterator[BlockDevice]:
    """Other devices that are the same storage: paths of one LUN without multipath above them."""
    mine = _sameness(tree, device)
    for other in devices.by_name.values():
        if mine and not other.whole and other != device and _sameness(tree, other) == mine:
            yield other


def _sameness(tree: Tree, device: BlockDevice) -> tuple[str, int] | None:
    """The name that only paths of the same storage share. A mapping's members are no twins."""
    if device.slaves or device.whole:
        return None
    found = world_wide_name(tree, device) or _own_serial(tree, device)
    return (found, device.bytes) if found else None


def _shared(tree: Tree, devices: BlockDevices, found: str, name: str) -> bool:
    return any(
        _own_serial(tree, other) == found and world_wide_name(tree, other) != name
        for other in devices.by_name.values()
        if not other.whole
    )


def _own_serial(tree: Tree, device: BlockDevice) -> str | None:
    """Of virtio; of NVMe, MMC and newer SCSI; of SCSI and ATA; of what udev asked (USB, md)."""
    folder = device.folder
    mapping = known(tree.line, f"{folder}/dm/uuid") or ""
    if mapping.startswith("mpath-"):
        return mapping.removeprefix("mpath-")
    sources: tuple[Callable[[], str], ...] = (
        lambda: tree.line(f"{folder}/serial"),
        lambda: tree.line(f"{folder}/device/serial"),
        lambda: _unit_serial(tree, f"{folder}/device/vpd_pg80"),
        lambda: udev(tree, device)["ID_SERIAL_SHORT"],
        lambda: udev(tree, device)["MD_UUID"],
    )
    return _first(sources)


def world_wide_name(tree: Tree, device: BlockDevice) -> str | None:
    """The name by which a LUN or an NVMe namespace is known all over the world."""
    folder = device.folder
    return _first(
        (
            lambda: tree.line(f"{folder}/wwid"),
            lambda: tree.line(f"{folder}/device/wwid"),
            lambda: udev(tree, device)["ID_WWN_WITH_EXTENSION"],
        )
    )


def model(tree: Tree, device: BlockDevice) -> str:
    """What it is by its maker's word, else by the kernel's: never empty."""
    folder = device.folder
    if device.backing_file:
        return f"loop device on {printable(device.backing_file)}"
    return (
        device.mapped
        or _first(
            (
                lambda: tree.line(f"{folder}/device/model"),
                lambda: tree.line(f"{folder}/device/name"),
                lambda: f"{device.name}-{tree.line(f'{folder}/md/level')}",
            )
        )
        or device.name
    )


def _first(sources: tuple[Callable[[], str], ...]) -> str | None:
    for source in sources:
        try:
            if found := source().strip():
                return found
        except (Unreadable, KeyError):
            continue
    return None


def _unit_serial(tree: Tree, path: str) -> str:
    """Page 80h of the vital product data: a head of 4 bytes, the last two its length (SPC-4)."""
    page = tree.binary(path)
    if len(page) < 4 or page[1] != 0x80:
        raise Unreadable(f"{path} is no page 80h")
    text = page[4 : 4 + int.from_bytes(page[2:4], "big")]
    return printable(text.decode("ascii", errors="replace"))


def udev(tree: Tree, device: BlockDevice) -> dict[str, str]:
    """Properties that udev found; it need not run (containers), and then there are none."""
    text = known(tree.text, f"/run/udev/data/b{device.number[0]}:{device.number[1]}") or ""
    lines = re.findall(r"^E:(\w+)=(.*)$", text, re.MULTILINE)
    return {name: printable(value) for name, value in lines}


def moved(tree: Tree, number: Number) -> int | None:
    """Bytes that were read from a device and written to it since boot.

    None where the kernel keeps no account: some devices (paths of NVMe multipath on older kernels)
    stay at 0 whatever is done to them.
    """
    words = (known(tree.line, f"/sys/dev/block/{number[0]}:{number[1]}/stat") or "").split()
    if len(words) < 7 or not all(word.isdecimal() for word in words[:7]):
        return None
    read, written = int(words[2]), int(words[6])
    return (read + written) * SECTOR or None


NOT_DISKS = re.compile(r"(loop|ram|zram)\d+")
"""Devices that only dress up a file or memory."""


def disks(tree: Tree) -> tuple[Disk, ...]:
    """Every disk that holds something; a field is None where the device does not tell it."""
    names = [name for name in tree.names(BLOCK) if not NOT_DISKS.fullmatch(name)]
    found = tuple(_disk(tree, name) for name in names)
    return tuple(disk for disk in found if disk.bytes != 0)


def _disk(tree: Tree, name: str) -> Disk:
    folder = f"{BLOCK}/{name}"
    sectors = known(tree.integer, f"{folder}/size")
    rotational = known(tree.integer, f"{folder}/queue/rotational")
    return Disk(
        name=name,
        bytes=sectors * SECTOR if sectors is not None and 0 <= sectors < 2**54 else None,
        model=known(tree.line, f"{folder}/device/model"),
        rotational=None if rotational is None else rotational != 0,
        scheduler=_chosen(known(tree.line, f"{folder}/queue/scheduler")),
    )


def _chosen(schedulers: str | None) -> str | None:
    """`none [mq-deadline] kyber` → mq-deadline; a sole one stands without brackets."""
    if schedulers is None:
        return None
    match = re.search(r"\[([\w-]+)\]", schedulers)
    return match[1] if match else schedulers
