"""Targets of a load by the paths that a person gives; nothing is made or opened here.

What can never be a target is refused with a sentence each; whether this one may be *written* is
asked in gates.py.
"""

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stend.errors import BadValue, UsageError
from stend.machine import block_devices as devices_of
from stend.machine.block_devices import BlockDevice, BlockDevices, block_devices
from stend.machine.device_users import Mount, mount_of, sharing
from stend.machine.tree import Tree, Unreadable
from stend.record.loads import StorageTarget
from stend.record.text import printable
from stend.storage.fio.jobfile import escaped
from stend.storage.own_files import random_name
from stend.storage.signatures import why_not_direct

NULL = "null"
LEAST = 1 << 20
"""Bytes: the largest usual block, and room to go somewhere else in it."""
MARGIN = 1 << 30
"""Bytes of a filesystem that are left to others, or a twentieth of it where that is less."""

IN_MEMORY = {"tmpfs", "ramfs", "devtmpfs", "hugetlbfs", "rootfs"}
OF_THE_KERNEL = {
    *("autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts"),
    *("efivarfs", "fusectl", "mqueue", "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs"),
    *("selinuxfs", "sysfs", "tracefs"),
}


@dataclass(frozen=True)
class Target:
    """Something that fio reads or writes."""

    given: str
    """As it was asked for."""
    path: str
    """Without symbolic links; what fio is given."""
    kind: str
    """`file`, `block device` or `null`, as in its record."""
    bytes: int
    own: bool
    """It is a new file, which stend makes and removes."""
    identity: str
    """What --destroy takes for it; empty where nothing is destroyed."""
    record: StorageTarget
    device: str | None = None
    """Of a block device: the kernel's name."""
    which: tuple[int, int] | None = None
    """What it was when it was resolved: the device's number, or device and inode of a file."""

    @property
    def said(self) -> str:
        """Both names where there are two."""
        return self.path if self.given == self.path else f"{self.path} ({printable(self.given)})"


def resolve(
    paths: Sequence[str], file_bytes: int, *, direct: bool = True, tree: Tree | None = None
) -> tuple[Target, ...]:
    """The targets that the paths name; an own file in the current folder where there are none.

    A folder gets an own file of `file_bytes`, and so does a path where nothing is yet. `direct`:
    the load goes past the page cache (O_DIRECT). UsageError with what it is and what to do.
    """
    if NULL in paths and set(paths) != {NULL}:
        raise BadValue(f"`{NULL}` loads nothing: name it without other targets")
    tree = tree or Tree()
    try:
        devices = block_devices(tree)
        found = tuple(_target(tree, devices, path, file_bytes) for path in paths or (".",))
        _all_different(tree, devices, found)
    except Unreadable as why:
        raise UsageError(f"the targets can't be identified: {why}") from None
    _enough_space(found)
    if direct:
        _past_the_page_cache(found)
    return found


def _target(tree: Tree, devices: BlockDevices, given: str, file_bytes: int) -> Target:
    if given == NULL:
        return Target(
            given=given,
            path=given,
            kind="null",
            bytes=file_bytes,
            own=False,
            identity="",
            record=StorageTarget(path=given, kind="null", bytes=file_bytes),
        )
    real = os.path.realpath(given) if given else given
    _sound_name(given, real)
    if not os.path.lexists(given):
        return _new(tree, given, real, file_bytes)
    try:
        found = Path(real).stat()
    except OSError as error:
        if Path(given).is_symlink():
            raise BadValue(f"{given} is a symbolic link to {real}, which doesn't exist") from None
        raise BadValue(f"{given} can't be inspected: {error.strerror}") from None
    if stat.S_ISBLK(found.st_mode):
        return _device(tree, devices, given, real, found)
    if stat.S_ISDIR(found.st_mode):
        return _new(tree, given, str(Path(real, random_name())), file_bytes)
    if stat.S_ISREG(found.st_mode):
        return _existing(tree, given, real, found)
    raise BadValue(
        f"{given} is a {_kind(found.st_mode)}; a target must be a folder, a file, a block "
        f"device, or `{NULL}` for fio's engine that does nothing"
    )


def _kind(mode: int) -> str:
    kinds = {stat.S_IFCHR: "character device", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
    return kinds.get(stat.S_IFMT(mode), "thing that holds no data")


def _sound_name(given: str, real: str) -> None:
    if not given:
        raise BadValue("an empty --target names nothing: name a folder, a file or a block device")
    escaped(real)


def _new(tree: Tree, given: str, path: str, file_bytes: int) -> Target:
    folder = str(Path(path).parent)
    if _within(folder, "/dev") and not _within(folder, "/dev/shm"):
        raise BadValue(
            f"{path} does not exist, and no file is made in /dev, which is in memory; `lsblk` "
            "lists the block devices"
        )
    if not Path(folder).is_dir():
        raise BadValue(f"there is no folder {folder}: create it, or name another target")
    mount = _mount(tree, folder, given)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadValue(f"no file can be made in {folder}: this user may not write to it")
    _of_root_alone(folder)
    _large_enough(given, file_bytes)
    return Target(
        given=given,
        path=path,
        kind="file",
        bytes=file_bytes,
        own=True,
        identity="",
        record=StorageTarget(path=path, kind="file", bytes=file_bytes, filesystem=mount.type),
    )


def _of_root_alone(folder: str) -> None:
    """BadValue where root would make a file that others can exchange while it is loaded."""
    found = Path(folder).stat()
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not found.st_mode & stat.S_ISVTX
    if os.geteuid() or not (found.st_uid or others):
        return
    who = f"user {found.st_uid}, who owns it," if found.st_uid else "other users"
    raise BadValue(
        f"{folder} can be changed by {who} while root loads a file in it: name a folder that "
        "only root can write to, or run stend as its owner"
    )


def _existing(tree: Tree, given: str, path: str, found: os.stat_result) -> Target:
    if _within(path, "/dev") and not _within(path, "/dev/shm"):
        raise BadValue(f"{path} is in /dev, but it is a file in memory and not a block device")
    mount = _mount(tree, path, given)
    _large_enough(given, found.st_size)
    _readable(given, path)
    return Target(
        given=given,
        path=path,
        kind="file",
        bytes=found.st_size,
        own=False,
        identity=_typed(f"{found.st_size}+{Path(path).name}"),
        record=StorageTarget(path=path, kind="file", bytes=found.st_size, filesystem=mount.type),
        which=(found.st_dev, found.st_ino),
    )


def _device(
    tree: Tree, devices: BlockDevices, given: str, path: str, found: os.stat_result
) -> Target:
    number = (os.major(found.st_rdev), os.minor(found.st_rdev))
    device = devices.by_number.get(number)
    if device is None:
        raise BadValue(
            f"{path} names the device {number[0]}:{number[1]}, which the kernel doesn't have; "
            "`lsblk` lists the devices"
        )
    if not device.bytes:
        raise BadValue(f"{path} has 0 bytes: there is no medium in it, or it isn't set up")
    _large_enough(given, device.bytes)
    _readable(given, path)
    serial = devices_of.serial(tree, devices, device)
    model = devices_of.model(tree, devices.whole_of(device))
    return Target(
        given=given,
        path=path,
        kind="block device",
        bytes=device.bytes,
        own=False,
        identity=_typed(serial or _size_and_model(device, devices.whole_of(device), model)),
        record=StorageTarget(
            path=path, kind="block device", bytes=device.bytes, model=model, serial=serial
        ),
        device=device.name,
        which=number,
    )


def _size_and_model(device: BlockDevice, whole: BlockDevice, model: str) -> str:
    if whole.backing_file:
        model = Path(whole.backing_file).name
    return f"{device.bytes}+{model}" + (f"-part{device.partition}" if device.whole else "")


def _typed(identity: str) -> str:
    """As it is typed on a command line without quotes."""
    return re.sub(r"[^\w.+:@=,-]+", "_", printable(identity))


def _mount(tree: Tree, path: str, given: str) -> Mount:
    mount = mount_of(tree, path)
    if mount is None:
        raise BadValue(f"the filesystem of {given} can't be determined")
    if mount.type in IN_MEMORY | OF_THE_KERNEL:
        what = "memory, not storage" if mount.type in IN_MEMORY else "the kernel, not storage"
        raise BadValue(f"{given} is on {mount.type} ({mount.point}), which is {what}")
    return mount


def _large_enough(given: str, size: int) -> None:
    if size < LEAST:
        raise BadValue(f"{given} has {size:,} bytes; a target needs at least {LEAST:,}")


def _readable(given: str, path: str) -> None:
    if not os.access(path, os.R_OK):
        raise BadValue(f"{given} may not be read by this user: run as root, or as one of its group")


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _all_different(tree: Tree, devices: BlockDevices, targets: Sequence[Target]) -> None:
    """No two share bytes: no disk and its partition, no paths of one LUN, no file and its disk."""
    for index, one in enumerate(targets):
        for other in targets[index + 1 :]:
            if one.kind != "null" and _overlap(tree, devices, one, other):
                raise BadValue(
                    f"{one.said} and {other.said} are the same storage, or one is on the other; "
                    "name each target once"
                )


def _overlap(tree: Tree, devices: BlockDevices, one: Target, other: Target) -> bool:
    if one.path == other.path or (
        one.which == other.which and one.which and one.kind == other.kind
    ):
        return True
    first, second = _under(tree, devices, one), _under(tree, devices, other)
    if _backs(first, other) or _backs(second, one):
        return True
    if not (first and second) or one.kind == other.kind == "file":
        return False
    shared = sharing(tree, devices, first), sharing(tree, devices, second)
    return second.name in shared[0] or first.name in shared[1]


def _backs(loop: BlockDevice | None, target: Target) -> bool:
    """Whether the file is what the loop device dresses up."""
    file = loop.backing_file if loop else None
    with contextlib.suppress(OSError):
        return file is not None and target.kind == "file" and Path(file).samefile(target.path)
    return False


def _under(tree: Tree, devices: BlockDevices, target: Target) -> BlockDevice | None:
    """The device that it is, or that the filesystem of the file lies on."""
    if target.device:
        return devices.by_name[target.device]
    mount = mount_of(tree, target.path) if target.kind == "file" else None
    if mount is None:
        return None
    return devices.of_path(mount.source) or devices.by_number.get(mount.number)


def _enough_space(targets: Iterable[Target]) -> None:
    """For all own files of a filesystem together."""
    asked: dict[int, int] = {}
    for target in targets:
        if target.own:
            folder = Path(target.path).parent
            device = folder.stat().st_dev
            asked[device] = asked.get(device, 0) + target.bytes
            check_space(folder, asked[device])


def check_space(folder: Path, size: int) -> None:
    """BadValue where `size` more bytes would leave the filesystem too full."""
    state = os.statvfs(folder)
    free = state.f_bavail * state.f_frsize
    margin = min(MARGIN, state.f_blocks * state.f_frsize // 20)
    if size + margin > free:
        raise BadValue(
            f"{folder} has {free:,} bytes free, but {size:,} are needed and {margin:,} must stay "
            "free: ask for a smaller file, or name another folder"
        )


def _past_the_page_cache(targets: Iterable[Target]) -> None:
    for target in targets:
        if target.kind != "null" and not target.own:
            check_direct(target)


def check_direct(target: Target) -> None:
    """BadValue where the target can't be read past the page cache."""
    if why := why_not_direct(target.path):
        on = f" on {target.record.filesystem}" if target.record.filesystem else ""
        raise BadValue(
            f"{target.said}{on} can't be read past the page cache with O_DIRECT ({why}), and a "
            "load through it would measure memory; name another target"
        )


def resolved_again(target: Target) -> tuple[int, int] | None:
    """What its path is at this moment, to be compared with `which`."""
    try:
        named = Path(target.path).lstat()
        found = named if target.own else Path(target.given).stat()
    except OSError:
        return None
    if (found.st_dev, found.st_ino) != (named.st_dev, named.st_ino):
        return None
    if stat.S_ISBLK(named.st_mode):
        return os.major(named.st_rdev), os.minor(named.st_rdev)
    return (named.st_dev, named.st_ino) if stat.S_ISREG(named.st_mode) else None
