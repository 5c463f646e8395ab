"""Who uses a block device or a file: mounts, swap and device stacks, as sentences.

Used is a device when anything that shares bytes with it is: what stands on it (partitions, LVM,
md, multipath, dm-crypt, bcache, loop devices), what it stands on, another path of the same LUN,
another loop device on the same file.
A sibling (another partition of the disk, another logical volume) shares none.
"""

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stend.machine.block_devices import BlockDevice, BlockDevices, Number, number_of, twins
from stend.machine.tree import Tree, Unreadable, known, printable

MOST = 20_000
"""Processes whose tables are read."""


@dataclass(frozen=True)
class Mount:
    """One line of /proc/PID/mountinfo."""

    number: Number
    """Of the device; btrfs, overlay and ZFS make up one that no block device has."""
    point: str
    type: str
    source: str
    options: tuple[str, ...]


def mounts(tree: Tree, process: str = "self") -> tuple[Mount, ...]:
    """What the process sees mounted; Unreadable where that can't be read."""
    lines = tree.text(f"/proc/{process}/mountinfo").splitlines()
    return tuple(mount for line in lines if (mount := _mount(line)))


def mounts_everywhere(tree: Tree) -> tuple[Mount, ...]:
    """What is mounted in this and in every other mount namespace whose processes may be read."""
    found = dict.fromkeys(mounts(tree))
    for process in _one_of_each_namespace(tree):
        found.update(dict.fromkeys(known(mounts, tree, process) or ()))
    return tuple(found)


def mount_of(tree: Tree, path: str) -> Mount | None:
    """The mount in which an absolute path without symbolic links lies."""
    over = [
        mount
        for mount in mounts(tree)
        if path == mount.point or path.startswith(mount.point.rstrip("/") + "/")
    ]
    # The deepest; of several on one folder the last covers the others.
    return max(enumerate(over), key=lambda m: (len(m[1].point), m[0]))[1] if over else None


def swaps(tree: Tree) -> tuple[str, ...]:
    """Paths of swap partitions and files; none where the kernel has no swap."""
    lines = (known(tree.text, "/proc/swaps") or "").splitlines()[1:]
    return tuple(_plain(line.split()[0]) for line in lines if line.split())


def _mount(line: str) -> Mount | None:
    """Fields: id parent major:minor root point options [tags…] - type source super-options."""
    before, separator, after = line.partition(" - ")
    fields, rest = before.split(), after.split()
    number = re.fullmatch(r"(\d+):(\d+)", fields[2]) if len(fields) > 5 else None
    if not separator or not number or len(rest) < 2:
        raise Unreadable(f"mountinfo has a line {line!r}")
    options = (*fields[5].split(","), *(rest[2].split(",") if len(rest) > 2 else ()))
    where = (int(number[1]), int(number[2]))
    return Mount(where, _plain(fields[4]), rest[0], _plain(rest[1]), options)


def _plain(text: str) -> str:
    r"""The kernel writes a space as \040, a backslash as \134."""
    raw = re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8) & 255]), os.fsencode(text))
    return os.fsdecode(raw)


def _one_of_each_namespace(tree: Tree) -> Iterator[str]:
    seen: set[str] = set()
    for process in processes(tree):
        namespace = process
        with contextlib.suppress(OSError):
            namespace = str(tree.path(f"/proc/{process}/ns/mnt").readlink())
        if namespace not in seen:
            seen.add(namespace)
            yield process


def processes(tree: Tree) -> list[str]:
    """Those that can be seen."""
    names = known(tree.names, "/proc") or []
    return [name for name in names if name.isdecimal()][:MOST]


EXPORTS = (
    ("/sys/kernel/config/nvmet/subsystems/*/namespaces/*/device_path", "NVMe over fabrics (nvmet)"),
    ("/sys/kernel/config/target/core/*/*/udev_path", "iSCSI or Fibre Channel (LIO)"),
    ("/sys/kernel/scst_tgt/devices/*/filename", "SCST"),
)
"""Where the kernel's targets name what they give to other hosts; nvmet claims no device, so that
an O_EXCL open succeeds beside it."""


def users(tree: Tree, devices: BlockDevices, device: BlockDevice) -> tuple[str, ...]:
    """A sentence for each user; Unreadable where it can't be known who they are."""
    walk = _Walk(tree, devices)
    walk.above(device)
    opened = _opened(tree, [d.number for d in walk.found.values()])
    walk.below(device)
    uses = _uses(tree, devices)
    for found in walk.found.values():
        walk.said += [f"{found.said} {use}" for use in uses[found.number]]
        walk.said += [f"{found.said} {use}" for use in opened[found.number]]
        if found.backing_file and not devices.of_path(found.backing_file):
            walk.said += _file_uses(tree, found.backing_file)
    return tuple(dict.fromkeys(walk.said))


def sharing(tree: Tree, devices: BlockDevices, device: BlockDevice) -> frozenset[str]:
    """Names of the devices that share bytes with it, itself among them."""
    walk = _Walk(tree, devices)
    walk.above(device)
    walk.below(device)
    return frozenset(walk.found)


class _Walk:
    """Collects the devices that share bytes with one, and says which of them claim it."""

    def __init__(self, tree: Tree, devices: BlockDevices) -> None:
        self.tree = tree
        self.devices = devices
        self.found: dict[str, BlockDevice] = {}
        self.said: list[str] = []

    def above(self, device: BlockDevice, besides: str = "") -> None:
        """The device and all that stands on it, except `besides`."""
        if device.name in self.found:
            return
        self.found[device.name] = device
        self.parts(device)
        self.claims(device, besides)

    def parts(self, device: BlockDevice) -> None:
        """Its partitions, and all that stands on them."""
        for name in device.partitions:
            if part := self.devices.by_name.get(name):
                self.above(part)

    def claims(self, device: BlockDevice, besides: str) -> None:
        """What was built of the device, and stands on all of it."""
        for name in device.holders:
            holder = self.devices.by_name.get(name)
            if name != besides and name not in self.found:
                self.said.append(f"{device.said} is part of {holder.said if holder else name}")
                if holder:
                    self.above(holder)
        for loop in self.devices.loops_on(device):
            if loop.name != besides and loop.name not in self.found:
                self.said.append(f"{loop.said} is a loop device on {device.said}")
                self.above(loop)

    def below(self, device: BlockDevice) -> None:
        """What the device stands on, and what else stands there and can share bytes with it."""
        for twin in twins(self.tree, self.devices, device):
            if twin.name not in self.found:
                self.above(twin, besides=device.name)
        if device.whole:
            whole = self.devices.by_name[device.whole]
            self.found.setdefault(whole.name, whole)
            self.claims(whole, besides="")
            self.below(whole)
        for name in device.slaves:
            if (slave := self.devices.by_name.get(name)) and name not in self.found:
                self.found[name] = slave
                self.parts(slave)
                self.below(slave)
        if device.backing_file and (under := self.devices.of_path(device.backing_file)):
            self.above(under, besides=device.name)
            self.below(under)
        elif device.backing_file:
            self.beside(device.backing_file)

    def beside(self, file: str) -> None:
        """Other loop devices on the file of one."""
        for loop in self.devices.by_name.values():
            if loop.backing_file and loop.name not in self.found and _same(loop.backing_file, file):
                self.said.append(f"{loop.said} is a loop device on {printable(file)}, too")
                self.above(loop)


def _uses(tree: Tree, devices: BlockDevices) -> dict[Number, list[str]]:
    """What the machine's tables say, by the number of the device they name."""
    uses: dict[Number, list[str]] = defaultdict(list)
    for mount in mounts_everywhere(tree):
        device = devices.by_number.get(mount.number) or devices.of_path(mount.source)
        if device:
            uses[device.number].append(f"is mounted at {printable(mount.point)}")
    for path in swaps(tree):
        if device := devices.of_path(path):
            uses[device.number].append("is used as swap")
    for path, by in exports(tree):
        if device := devices.of_path(path):
            uses[device.number].append(f"is exported to other hosts by {by}")
    for name in _matching(tree, "/sys/fs/btrfs/*/devices/*"):
        if member := devices.by_name.get(name.rpartition("/")[2]):
            uses[member.number].append("is part of a mounted btrfs")
    return uses


def exports(tree: Tree) -> Iterator[tuple[str, str]]:
    """Paths that the kernel gives to other hosts, and by what."""
    for pattern, by in EXPORTS:
        for file in _matching(tree, pattern):
            if path := known(tree.line, file):
                yield path, by


def _matching(tree: Tree, pattern: str) -> Iterator[str]:
    """Paths of the tree; folders that are not there match nothing."""
    before, star, after = pattern.partition("*")
    if not star:
        yield from [pattern] if tree.has(pattern) else []
        return
    for name in known(tree.names, before.rstrip("/")) or ():
        yield from _matching(tree, before + name + after)


def _opened(tree: Tree, numbers: list[Number]) -> dict[Number, list[str]]:
    """Processes that have one of the devices open, as a virtual machine or a database has."""
    uses: dict[Number, list[str]] = defaultdict(list)
    for process, link, file in _open_files(tree):
        if "/dev/" in link and (number := number_of(str(tree.path(file)))) in numbers:
            assert number is not None
            uses[number].append(f"is open in {_called(tree, process)}")
    return uses


def file_users(tree: Tree, devices: BlockDevices, path: str) -> tuple[str, ...]:
    """A sentence for each user of a regular file."""
    loops = [
        f"{device.said} is a loop device on {printable(path)}"
        for device in devices.by_name.values()
        if device.backing_file and _same(device.backing_file, path)
    ]
    return tuple(dict.fromkeys([*loops, *_file_uses(tree, path)]))


def _file_uses(tree: Tree, path: str) -> list[str]:
    """What uses a file without a loop device."""
    name = printable(path)
    said = [f"{name} is used as swap" for swap in swaps(tree) if _same(swap, path)]
    said += [
        f"{name} is exported to other hosts by {by}"
        for export, by in exports(tree)
        if _same(export, path)
    ]
    for process, link, file in _open_files(tree):
        if Path(link).name == Path(path).name and _same(str(tree.path(file)), path):
            said.append(f"{name} is open in {_called(tree, process)}")
    return said


def _same(one: str, other: str) -> bool:
    if one == other:  # a file that is gone can't be looked at
        return True
    with contextlib.suppress(OSError, ValueError):
        return Path(one).samefile(other)
    return False


def _open_files(tree: Tree) -> Iterator[tuple[str, str, str]]:
    """(process, what it has open, the link to it) of every process but our own and its children.

    Of other users' only root may see them; O_EXCL and the signatures stand behind this.
    """
    ours = str(os.getpid())
    for process in processes(tree):
        folder = f"/proc/{process}/fd"
        for name in known(tree.names, folder) or ():
            with contextlib.suppress(OSError):
                link = str(tree.path(f"{folder}/{name}").readlink())
                if link.startswith("/") and not _descends(tree, process, ours):
                    yield process, link, f"{folder}/{name}"


def _descends(tree: Tree, process: str, ancestor: str) -> bool:
    """Whether it is the ancestor or below it. The second field after the name is the parent."""
    while process not in {ancestor, "0", "1", ""}:
        stat = known(tree.text, f"/proc/{process}/stat") or ""
        process = (stat.rpartition(")")[2].split() or ["", ""])[1]
    return process == ancestor


def _called(tree: Tree, process: str) -> str:
    name = known(tree.line, f"/proc/{process}/comm") or "a program"
    return f"{name} (process {process})"
