"""What is mounted and what is swapped to: /proc's tables in, typed lines out (proc(5))."""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from stend.machine.block_devices import Number
from stend.machine.tree import Tree, Unreadable, known

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
